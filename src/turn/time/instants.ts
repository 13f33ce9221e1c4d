/**
 * Deadlines: pure arithmetic on instants, local dates and time zones. No clock is read here; `now` and `from` are handed in.
 * Local times that a clock change skips are taken an hour later, times that come twice the first time, unless a person
 * typed them: then `readMoment` refuses and says why.
 */
import { Temporal } from 'temporal-polyfill';

/** Days looked at before a rule is called impossible (every weekday forbidden, endless holidays). */
const DAYS_SEARCHED_MAX = 1500;
const DAYS_PER_PHASE_MAX = 90;
const GRACE_HOURS_MAX = 72;
const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Whole local days, both included, as `YYYY-MM-DD`. */
export interface Days {
  from: string;
  to: string;
}

/** Days on which somebody can't play, in that person's own zone. */
export interface Absence extends Days {
  zone: string;
}

/** When the phases of one game are due. Times are local to `zone`. */
export interface DeadlineRule {
  zone: string;
  /** `days`: so many days after the last phase. `weekdays`: always on these days of the week. */
  kind: 'days' | 'weekdays';
  days: number;
  /** ISO numbers, Monday is 1. */
  weekdays: number[];
  hour: number;
  minute: number;
  /** Saturdays and Sundays are not counted, and no deadline falls on them. */
  skipWeekends: boolean;
  /** Hours after the deadline in which late orders still count; then the phase runs. */
  graceHours: number;
  /** Days that are not counted and on which no deadline falls. */
  holidays: Days[];
  /** The first deadline of a game takes so many times as long. */
  firstFactor: number;
}

const DAY_NAMES: readonly string[] = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** The rule of a game when nobody chose one: the scenario's days per phase, at eight in the evening, first one doubled. */
export function usualRule(days: number, zone: string): DeadlineRule {
  return {
    zone,
    kind: 'days',
    days,
    weekdays: [],
    hour: 20,
    minute: 0,
    skipWeekends: false,
    graceHours: 0,
    holidays: [],
    firstFactor: 2,
  };
}

/** True for a time zone that the time zone tables know, such as `Europe/Vienna`. */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{1,40}$/.test(zone)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}

/** The zone's own spelling for what a player wrote in any case (`europe/vienna`), if there is one. */
export function findZone(written: string): string | undefined {
  const name = written.trim().replaceAll(' ', '_');
  if (!isZone(name)) return undefined;
  const known = Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase() === name.toLowerCase());
  return known ?? (name.toUpperCase() === 'UTC' ? 'UTC' : Temporal.Now.zonedDateTimeISO(name).timeZoneId);
}

/**
 * Reads a deadline rule as it is written in CREATE and SCHEDULE: `3 DAYS`, `5 DAYS AT 21:30 SKIP WEEKENDS GRACE 12`,
 * `TUE,FRI AT 20:00`, each with `ZONE Europe/Vienna`, `FIRST x2` and `OFF 2026-12-24..2027-01-02`. Undefined: not a rule.
 */
export function readRule(text: string, usual: DeadlineRule): DeadlineRule | undefined {
  const rule: DeadlineRule = { ...usual, weekdays: [...usual.weekdays], holidays: [...usual.holidays] };
  let left = ` ${text.trim()} `;
  const take = (pattern: RegExp, use: (match: RegExpExecArray) => boolean): boolean => {
    const match = pattern.exec(left);
    if (!match) return true;
    left = left.replace(match[0], ' ');
    return use(match);
  };
  const good =
    take(/\sZONE\s+(\S+)(?=\s)/i, ([, name]) => {
      rule.zone = findZone(name!) ?? '';
      return rule.zone !== '';
    }) &&
    take(/\s(?:AT\s+)?(\d{1,2}):(\d{2})(?=\s)/i, ([, hour, minute]) => {
      [rule.hour, rule.minute] = [Number(hour), Number(minute)];
      return rule.hour < 24 && rule.minute < 60;
    }) &&
    take(/\sGRACE\s+(\d+)(\s*(HOURS?|H))?(?=\s)/i, ([, hours]) => {
      rule.graceHours = Number(hours);
      return rule.graceHours <= GRACE_HOURS_MAX;
    }) &&
    take(/\sFIRST\s+X?([1-4])(?=\s)/i, ([, factor]) => {
      rule.firstFactor = Number(factor);
      return true;
    }) &&
    take(/\sOFF\s+(\S+)(?=\s)/i, ([, list]) => {
      const holidays = list!.split(',').map(readDays);
      rule.holidays = holidays.filter((days) => days !== undefined);
      return holidays.every((days) => days !== undefined);
    }) &&
    take(/\sSKIP\s+WEEKENDS?(?=\s)/i, () => {
      rule.skipWeekends = true;
      return true;
    }) &&
    take(/\s(\d+)\s*(DAYS?|D)(?=\s)/i, ([, days]) => {
      [rule.kind, rule.days, rule.weekdays] = ['days', Number(days), []];
      return rule.days >= 1 && rule.days <= DAYS_PER_PHASE_MAX;
    }) &&
    take(
      /\s((?:MON|TUE|WED|THU|FRI|SAT|SUN)[A-Z]*(?:\s*,\s*(?:MON|TUE|WED|THU|FRI|SAT|SUN)[A-Z]*)*)(?=\s)/i,
      (match) => {
        const names = match[1]!.split(',').map((name) => name.trim().slice(0, 3).toUpperCase());
        rule.kind = 'weekdays';
        rule.weekdays = [...new Set(names.map((name) => DAY_NAMES.indexOf(name) + 1))].sort((a, b) => a - b);
        return true;
      },
    );
  return good && left.trim() === '' ? rule : undefined;
}

/** The rule in the words that `readRule` reads. */
export function printRule(rule: DeadlineRule): string {
  const pad = (n: number): string => String(n).padStart(2, '0');
  const parts = [
    rule.kind === 'days'
      ? `${rule.days} ${rule.days === 1 ? 'DAY' : 'DAYS'}`
      : rule.weekdays.map((day) => DAY_NAMES[day - 1]).join(','),
    `AT ${pad(rule.hour)}:${pad(rule.minute)}`,
    `ZONE ${rule.zone}`,
  ];
  if (rule.skipWeekends) parts.push('SKIP WEEKENDS');
  if (rule.graceHours > 0) parts.push(`GRACE ${rule.graceHours}`);
  if (rule.firstFactor !== 1) parts.push(`FIRST x${rule.firstFactor}`);
  if (rule.holidays.length > 0) parts.push(`OFF ${rule.holidays.map((days) => `${days.from}..${days.to}`).join(',')}`);
  return parts.join(' ');
}

/** `2026-12-24..2027-01-02` or one day; undefined when it is neither or runs backwards. */
export function readDays(text: string): Days | undefined {
  const [from, to] = text.split('..');
  const first = readDate(from ?? '');
  const last = readDate(to ?? from ?? '');
  if (!first || !last || last < first) return undefined;
  return { from: first, to: last };
}

/** A date as `YYYY-MM-DD` (also with dots or slashes, year first); undefined for anything else, 30 February included. */
export function readDate(text: string): string | undefined {
  const match = /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})$/.exec(text.trim());
  if (!match) return undefined;
  try {
    const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' }).toString();
  } catch {
    return undefined;
  }
}

/**
 * When the next phase is due, counted from the moment the last one ran. `days` is a step's own time (Rules.pace),
 * `first` marks the first deadline of a game. Never in an absence, and never sooner than half the time the rule gives.
 */
export function nextDeadline(
  rule: DeadlineRule,
  from: Date,
  given: { days?: number; first?: boolean; absences?: readonly Absence[] } = {},
): Date {
  const start = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(rule.zone);
  const factor = given.first ? rule.firstFactor : 1;
  const days = (given.days ?? (rule.kind === 'days' ? rule.days : 1)) * factor;
  const least = from.getTime() + (days * DAY_MS) / 2;
  let date = start.toPlainDate();
  let counted = 0;
  for (let i = 0; i < DAYS_SEARCHED_MAX; i++) {
    date = date.add({ days: 1 });
    if (!counts(rule, date)) continue;
    counted++;
    if (counted < days || !mayFall(rule, date)) continue;
    const due = atRuleTime(rule, date);
    if (due.getTime() < least) continue;
    const free = clearOf(rule, due, given.absences ?? []);
    if (free) return free;
  }
  throw new RangeError(`no day in ${DAYS_SEARCHED_MAX} fits the deadline rule ${printRule(rule)}`);
}

/** A day that is counted: no holiday, no weekend where those are skipped. */
function counts(rule: DeadlineRule, date: Temporal.PlainDate): boolean {
  if (rule.skipWeekends && date.dayOfWeek >= 6) return false;
  const day = date.toString();
  return !rule.holidays.some((off) => day >= off.from && day <= off.to);
}

function mayFall(rule: DeadlineRule, date: Temporal.PlainDate): boolean {
  return rule.kind === 'days' || rule.weekdays.length === 0 || rule.weekdays.includes(date.dayOfWeek);
}

function atRuleTime(rule: DeadlineRule, date: Temporal.PlainDate): Date {
  const time = Temporal.PlainTime.from({ hour: rule.hour, minute: rule.minute });
  const zoned = date.toZonedDateTime({ timeZone: rule.zone, plainTime: time });
  return new Date(zoned.epochMilliseconds);
}

/**
 * Moves a deadline out of everybody's absences, to the rule's time on the first day that leaves whoever comes back a whole
 * day. Undefined when no day is near enough.
 */
export function clearOf(rule: DeadlineRule, due: Date, absences: readonly Absence[]): Date | undefined {
  const windows = absences.map(windowOf).sort((a, b) => a.start - b.start);
  let at = due;
  for (let i = 0; i < DAYS_SEARCHED_MAX; i++) {
    const hit = windows.find((away) => at.getTime() >= away.start && at.getTime() < away.end + DAY_MS);
    if (!hit) return at;
    at = slotAfter(rule, new Date(hit.end + DAY_MS));
  }
  return undefined;
}

/** The rule's first possible time at or after an instant, without counting days. */
export function slotAfter(rule: DeadlineRule, from: Date): Date {
  let date = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(rule.zone).toPlainDate();
  for (let i = 0; i < DAYS_SEARCHED_MAX; i++) {
    const at = atRuleTime(rule, date);
    if (at.getTime() >= from.getTime() && counts(rule, date) && mayFall(rule, date)) return at;
    date = date.add({ days: 1 });
  }
  throw new RangeError(`no day in ${DAYS_SEARCHED_MAX} fits the deadline rule ${printRule(rule)}`);
}

/** An absence as instants: from the first local midnight to the one after its last day. */
function windowOf(absence: Absence): { start: number; end: number } {
  const start = Temporal.PlainDate.from(absence.from).toZonedDateTime(absence.zone);
  const end = Temporal.PlainDate.from(absence.to).add({ days: 1 }).toZonedDateTime(absence.zone);
  return { start: start.epochMilliseconds, end: end.epochMilliseconds };
}

/** Days of an absence, both ends counted. */
export function lengthOf(days: Days): number {
  return Temporal.PlainDate.from(days.from).until(Temporal.PlainDate.from(days.to)).days + 1;
}

/** The local date at an instant, `YYYY-MM-DD`. */
export function localDate(at: Date, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString();
}

/** The moment the phase runs: the deadline and its grace. */
export function runsAt(rule: DeadlineRule, due: Date): Date {
  return new Date(due.getTime() + rule.graceHours * HOUR_MS);
}

/** So many local days more, at the same local time (an hour is kept over a clock change), then out of absences. */
export function extended(rule: DeadlineRule, due: Date, days: number, absences: readonly Absence[] = []): Date {
  const zoned = Temporal.Instant.fromEpochMilliseconds(due.getTime()).toZonedDateTimeISO(rule.zone);
  const later = new Date(zoned.add({ days }).epochMilliseconds);
  return clearOf(rule, later, absences) ?? later;
}

/** What is left of a deadline when a game is paused, in milliseconds; never below zero. */
export function remaining(due: Date, now: Date): number {
  return Math.max(0, due.getTime() - now.getTime());
}

/** The deadline of a game that goes on: what was left, but at least a day, and out of absences. */
export function resumed(rule: DeadlineRule, remainingMs: number, now: Date, absences: readonly Absence[] = []): Date {
  const due = new Date(now.getTime() + Math.max(remainingMs, DAY_MS));
  return clearOf(rule, due, absences) ?? due;
}

/** Reminders before a deadline, so many hours each, soonest first; none that lie in the past. */
export function remindersBefore(due: Date, hours: readonly number[], now: Date): Date[] {
  const times = [...new Set(hours)].map((before) => due.getTime() - before * HOUR_MS);
  return times
    .filter((at) => at > now.getTime())
    .sort((a, b) => a - b)
    .map((at) => new Date(at));
}

/** `Tue 3 Nov 2026, 20:00 (Europe/Vienna, UTC+1)`: how every mail and page names a moment. */
export function showMoment(at: Date, zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
  const day = DAY_NAMES[local.dayOfWeek - 1]!;
  const name = `${day[0]}${day.slice(1).toLowerCase()} ${local.day} ${MONTHS[local.month - 1]} ${local.year}`;
  const time = `${String(local.hour).padStart(2, '0')}:${String(local.minute).padStart(2, '0')}`;
  return `${name}, ${time} (${zone === 'UTC' ? 'UTC' : `${zone}, UTC${shortOffset(local.offset)}`})`;
}

/** `+01:00` as `+1`, `+05:30` as it is. */
function shortOffset(offset: string): string {
  const match = /^([+-])0?(\d+):(\d{2})/.exec(offset);
  if (!match) return offset;
  return match[3] === '00' ? `${match[1]}${match[2]}` : `${match[1]}${match[2]}:${match[3]}`;
}

export type MomentFault = 'not understood' | 'skipped by the clock change' | 'comes twice at the clock change';

/**
 * A moment that somebody typed: `2026-11-03 20:00`, `2026-11-03` (the rule's time), `FRI 20:00`, `+2` (days after
 * `base`, or after now). Refuses local times that do not exist or come twice.
 */
export function readMoment(
  text: string,
  rule: DeadlineRule,
  now: Date,
  base?: Date,
): { at: Date } | { fault: MomentFault } {
  const written = text.trim().toUpperCase();
  const plus = /^\+(\d{1,2})( ?D(AYS?)?)?$/.exec(written);
  if (plus) return { at: extended(rule, base ?? now, Number(plus[1])) };
  const [first, clock] = text.trim().split(/(?<=\d)T(?=\d)|\s+(?:AT\s+)?/i);
  const time =
    clock === undefined ? [rule.hour, rule.minute] : (/^(\d{1,2}):(\d{2})$/.exec(clock) ?? []).slice(1).map(Number);
  const [hour, minute] = time as [number | undefined, number | undefined];
  if (hour === undefined || minute === undefined || hour > 23 || minute > 59) return { fault: 'not understood' };
  const date = readDate(first ?? '') ?? nextWeekday(first ?? '', rule.zone, now);
  if (!date) return { fault: 'not understood' };
  const local = Temporal.PlainDate.from(date).toPlainDateTime({ hour, minute });
  try {
    const zoned = local.toZonedDateTime(rule.zone, { disambiguation: 'reject' });
    return { at: new Date(zoned.epochMilliseconds) };
  } catch {
    const early = local.toZonedDateTime(rule.zone, { disambiguation: 'earlier' });
    const exists = early.toPlainDateTime().equals(local);
    return { fault: exists ? 'comes twice at the clock change' : 'skipped by the clock change' };
  }
}

function nextWeekday(name: string, zone: string, now: Date): string | undefined {
  const wanted = DAY_NAMES.indexOf(name.slice(0, 3).toUpperCase()) + 1;
  if (wanted === 0 || !/^[a-z]{3,9}$/i.test(name)) return undefined;
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const ahead = (wanted - today.dayOfWeek + 7) % 7 || 7;
  return today.add({ days: ahead }).toString();
}
