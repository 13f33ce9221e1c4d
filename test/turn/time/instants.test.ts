import { describe, expect, test } from 'vitest';
import {
  type Absence,
  clearOf,
  extended,
  findZone,
  isZone,
  nextDeadline,
  printRule,
  readDate,
  readDays,
  readMoment,
  readRule,
  remaining,
  remindersBefore,
  resumed,
  runsAt,
  showMoment,
  slotAfter,
  usualRule,
} from '../../../src/turn/time/instants.ts';

const vienna = usualRule(3, 'Europe/Vienna');
const at = (iso: string): Date => new Date(iso);

function rule(text: string, zone = 'Europe/Vienna') {
  const read = readRule(text, usualRule(3, zone));
  if (!read) throw new Error(`no rule: ${text}`);
  return { ...read, firstFactor: 1 };
}

describe('the next deadline', () => {
  const rows: [name: string, rule: string, from: string, due: string, zone?: string][] = [
    ['three days later at eight', '3 DAYS', '2026-11-02T19:00:00Z', '2026-11-05T19:00:00Z'],
    ['run early in the morning', '3 DAYS', '2026-11-02T08:00:00Z', '2026-11-05T19:00:00Z'],
    ['run five seconds late does not slip a day', '1 DAY', '2026-11-02T19:00:05Z', '2026-11-03T19:00:00Z'],
    ['never less than half the time', '1 DAY AT 00:30', '2026-11-02T22:50:00Z', '2026-11-03T23:30:00Z'],
    ['over the weekend', '3 DAYS SKIP WEEKENDS', '2026-11-05T19:00:00Z', '2026-11-10T19:00:00Z'],
    ['weekends are counted unless skipped', '3 DAYS', '2026-11-05T19:00:00Z', '2026-11-08T19:00:00Z'],
    ['fixed weekdays', 'TUE,FRI AT 18:00', '2026-11-03T17:00:00Z', '2026-11-06T17:00:00Z'],
    ['fixed weekdays leave half a day', 'TUE,FRI AT 18:00', '2026-11-03T16:30:00Z', '2026-11-06T17:00:00Z'],
    ['weekly', 'SUN AT 12:00', '2026-11-08T11:00:01Z', '2026-11-15T11:00:00Z'],
    ['Christmas', '2 DAYS OFF 2026-12-24..2027-01-02', '2026-12-23T19:00:00Z', '2027-01-04T19:00:00Z'],
    ['one day into winter time: 25 hours', '1 DAY', '2026-10-24T18:00:00Z', '2026-10-25T19:00:00Z'],
    ['one day into summer time: 23 hours', '1 DAY', '2026-03-28T19:00:00Z', '2026-03-29T18:00:00Z'],
    ['a time that the clock skips is an hour later', '1 DAY AT 02:30', '2026-03-28T01:30:00Z', '2026-03-29T01:30:00Z'],
    ['a time that comes twice is the first one', '1 DAY AT 02:30', '2026-10-24T00:30:00Z', '2026-10-25T00:30:00Z'],
    ['Friday in Vienna before the change', 'FRI AT 18:00', '2026-10-20T00:00:00Z', '2026-10-23T16:00:00Z'],
    ['Friday in Vienna after the change', 'FRI AT 18:00', '2026-10-25T00:00:00Z', '2026-10-30T17:00:00Z'],
    ['New York changes a week later', '1 DAY', '2026-10-31T20:00:00Z', '2026-11-02T01:00:00Z', 'America/New_York'],
    ['half-hour zones', '1 DAY', '2026-11-02T14:30:00Z', '2026-11-03T14:30:00Z', 'Asia/Kolkata'],
    ['the other half of the world', '1 DAY', '2026-10-03T10:00:00Z', '2026-10-04T09:00:00Z', 'Australia/Sydney'],
  ];
  test.each(rows)('%s', (_name, text, from, due, zone) => {
    expect(nextDeadline(rule(text, zone), at(from)).toISOString()).toBe(at(due).toISOString());
  });

  test('the first deadline of a game is doubled', () => {
    expect(nextDeadline(vienna, at('2026-11-02T19:00:00Z'), { first: true })).toEqual(at('2026-11-08T19:00:00Z'));
  });

  test("a step's own pace counts instead of the rule's days", () => {
    expect(nextDeadline(vienna, at('2026-11-02T19:00:00Z'), { days: 1 })).toEqual(at('2026-11-03T19:00:00Z'));
  });

  test('falls in nobody’s absence, counted in the zone of whoever is away, and leaves a day after it', () => {
    const absences: Absence[] = [{ from: '2026-11-05', to: '2026-11-07', zone: 'America/Los_Angeles' }];
    // Back at midnight of 8 November in Los Angeles (08:00Z), a day to write: the next eight o'clock is on the 9th.
    expect(nextDeadline(vienna, at('2026-11-02T19:00:00Z'), { absences })).toEqual(at('2026-11-09T19:00:00Z'));
    expect(clearOf(vienna, at('2026-11-04T19:00:00Z'), absences)).toEqual(at('2026-11-04T19:00:00Z'));
  });

  test('two absences in a row are both left', () => {
    const absences: Absence[] = [
      { from: '2026-11-10', to: '2026-11-12', zone: 'Europe/Vienna' },
      { from: '2026-11-05', to: '2026-11-09', zone: 'Europe/Vienna' },
    ];
    expect(nextDeadline(vienna, at('2026-11-02T19:00:00Z'), { absences })).toEqual(at('2026-11-14T19:00:00Z'));
  });

  test('a rule that fits no day is refused loudly', () => {
    const never = { ...rule('SAT AT 12:00'), skipWeekends: true };
    expect(() => nextDeadline(never, at('2026-11-02T19:00:00Z'))).toThrow(RangeError);
  });
});

describe('a rule as players write it', () => {
  test.each([
    '3 DAYS AT 20:00 ZONE Europe/Vienna',
    '1 DAY AT 07:05 ZONE UTC SKIP WEEKENDS GRACE 12 FIRST x3',
    'TUE,FRI AT 18:00 ZONE America/New_York GRACE 24',
    '5 DAYS AT 20:00 ZONE Asia/Tokyo OFF 2026-12-24..2027-01-02,2027-04-01..2027-04-05',
  ])('%s is printed as it is read', (text) => {
    const read = readRule(text, { ...vienna, firstFactor: 1 });
    expect(read && printRule(read)).toBe(text);
  });

  test('case, order and short forms are free', () => {
    const read = readRule('grace 6 friday , tuesday zone europe/vienna 18:30', { ...vienna, firstFactor: 1 });
    expect(read && printRule(read)).toBe('TUE,FRI AT 18:30 ZONE Europe/Vienna GRACE 6');
  });

  test.each([
    '',
    'whenever',
    '0 DAYS',
    '400 DAYS',
    '3 DAYS AT 25:00',
    '3 DAYS ZONE Middle/Earth',
    '3 DAYS OFF soon',
    '3 DAYS GRACE 500',
  ])('not a rule: "%s"', (text) => {
    // An empty text changes nothing and is the usual rule.
    expect(readRule(text, vienna)).toEqual(text === '' ? vienna : undefined);
  });

  test('zones are found in any case and refused when unknown', () => {
    expect(findZone('america/new york')).toBe('America/New_York');
    expect(findZone('utc')).toBe('UTC');
    expect(findZone('Atlantis/Capital')).toBeUndefined();
    expect(isZone("Europe/Vienna'; drop")).toBe(false);
  });

  test('dates', () => {
    expect(readDate('2026-2-3')).toBe('2026-02-03');
    expect(readDate('2026-02-30')).toBeUndefined();
    expect(readDays('2026-12-24..2027-01-02')).toEqual({ from: '2026-12-24', to: '2027-01-02' });
    expect(readDays('2026-12-24..2026-12-23')).toBeUndefined();
  });
});

describe('moving a deadline', () => {
  const due = at('2026-10-24T18:00:00Z');

  test('an extension keeps the local hour over a clock change', () => {
    expect(extended(vienna, due, 1)).toEqual(at('2026-10-25T19:00:00Z'));
  });

  test('pause and resume keep what was left, and at least a day', () => {
    expect(resumed(vienna, remaining(due, at('2026-10-22T18:00:00Z')), at('2026-12-01T09:00:00Z'))).toEqual(
      at('2026-12-03T09:00:00Z'),
    );
    expect(resumed(vienna, remaining(due, at('2026-10-24T17:59:00Z')), at('2026-12-01T09:00:00Z'))).toEqual(
      at('2026-12-02T09:00:00Z'),
    );
    expect(remaining(due, at('2027-01-01T00:00:00Z'))).toBe(0);
  });

  test('after an outage: the first hour of the rule after it, at once or the next day that may be', () => {
    expect(slotAfter(vienna, at('2026-10-24T17:00:00Z'))).toEqual(at('2026-10-24T18:00:00Z'));
    expect(slotAfter(vienna, at('2026-10-24T18:00:00Z'))).toEqual(at('2026-10-24T18:00:00Z'));
    expect(slotAfter(vienna, at('2026-10-24T18:00:01Z'))).toEqual(at('2026-10-25T19:00:00Z'));
    expect(slotAfter(rule('TUE AT 20:00'), at('2026-10-21T12:00:00Z'))).toEqual(at('2026-10-27T19:00:00Z'));
  });

  test('grace is time in which late orders count', () => {
    expect(runsAt(rule('3 DAYS GRACE 12'), due)).toEqual(at('2026-10-25T06:00:00Z'));
  });

  test('reminders lie before the deadline and never in the past', () => {
    expect(remindersBefore(due, [8, 24, 8, 1], at('2026-10-24T09:30:00Z'))).toEqual([
      at('2026-10-24T10:00:00Z'),
      at('2026-10-24T17:00:00Z'),
    ]);
  });
});

describe('moments in words', () => {
  test.each([
    ['2026-11-03T19:00:00Z', 'Europe/Vienna', 'Tue 3 Nov 2026, 20:00 (Europe/Vienna, UTC+1)'],
    ['2026-07-03T18:00:00Z', 'Europe/Vienna', 'Fri 3 Jul 2026, 20:00 (Europe/Vienna, UTC+2)'],
    ['2026-11-03T19:00:00Z', 'Asia/Kolkata', 'Wed 4 Nov 2026, 00:30 (Asia/Kolkata, UTC+5:30)'],
    ['2026-11-03T19:00:00Z', 'America/New_York', 'Tue 3 Nov 2026, 14:00 (America/New_York, UTC-5)'],
    ['2026-11-03T19:00:00Z', 'UTC', 'Tue 3 Nov 2026, 19:00 (UTC)'],
  ])('%s in %s', (iso, zone, text) => {
    expect(showMoment(at(iso), zone)).toBe(text);
  });

  const now = at('2026-10-20T10:00:00Z');
  test.each([
    ['2026-11-03 20:15', '2026-11-03T19:15:00Z'],
    ['2026-11-03', '2026-11-03T19:00:00Z'],
    ['FRI 18:00', '2026-10-23T16:00:00Z'],
    ['tuesday', '2026-10-27T19:00:00Z'],
    ['+2', '2026-10-24T18:00:00Z'],
    ['+2 days', '2026-10-24T18:00:00Z'],
  ])('read "%s"', (text, iso) => {
    expect(readMoment(text, vienna, now, at('2026-10-22T18:00:00Z'))).toEqual({ at: at(iso) });
  });

  test.each([
    ['2026-10-25 02:30', 'comes twice at the clock change'],
    ['2026-03-29 02:30', 'skipped by the clock change'],
    ['soon', 'not understood'],
    ['2026-11-03 20:75', 'not understood'],
    ['2026-11-31 20:00', 'not understood'],
  ])('refuse "%s"', (text, fault) => {
    expect(readMoment(text, vienna, now)).toEqual({ fault });
  });
});
