/** Commands of those who hold a seat: what stands, what is due, reports again, absence, stand-ins, settings. */

import { publicView } from '../../kernel/view.ts';
import { isPlainAddress } from '../../mail/sender/address.ts';
import { seatsOfPerson, standIn } from '../../store/club.ts';
import { currentPhase, seatsOf } from '../../store/games.ts';
import {
  addAbsence,
  addAddress,
  changePerson,
  absencesOf as daysAway,
  dropAddress,
  endAbsences,
  promptnessOf,
} from '../../store/members.ts';
import { inForce, standingOf } from '../../store/orders.ts';
import { addressesOf, personByAddress } from '../../store/people.ts';
import type { GameRow, MapWish, PhaseRow, SeatRow } from '../../store/schema.ts';
import { type Ask, confirmFirst, moment, no, offerCode, type Said, seatMeant, words, yes, zoneOf } from '../errand.ts';
import { linePhases } from '../phase/course.ts';
import { absenceDays, clearAbsence } from '../phase/pace.ts';
import { tellAddress } from '../post/notices.ts';
import { mailPerson } from '../post/outbox.ts';
import { planSoon } from '../time/deadlines.ts';
import { findZone, lengthOf, localDate, readDate, readDays } from '../time/instants.ts';
import { nameOf } from './anyone.ts';
import { askStandIn, handBack, rotateToken, sideName, vacate } from './signup.ts';

/** Days of one absence, and of all in a year. */
export const ABSENCE_DAYS_MAX = 30;
export const ABSENCE_YEAR_MAX = 60;
const REMINDERS_MAX = 5;
const REMIND_HOURS_MAX = 168;
const HISTORY_LINES_MAX = 200;

/** SIGNON side@game code: what other judges wanted. No code is read; the answer says how it is done here. */
export async function signon(ask: Ask): Promise<Said> {
  return no(ask, 'no sign-on');
}

/** STATUS: what is on file, what is due and until when, and who has not filed as far as the game tells. */
export async function status(ask: Ask): Promise<Said> {
  const meant = await seatMeant(ask);
  if ('said' in meant) return meant.said;
  const { seat, game } = meant;
  const { trx, service } = ask;
  const phase = await currentPhase(trx, game);
  const head = words(ask, `status ${game.status}`, { game: game.ref, title: game.title, why: game.pause_reason ?? '' });
  if (!phase) return { ok: true, paragraphs: [head] };
  const { rules } = service.scenarios.open(game.scenario);
  const receipt = await inForce(trx, phase.id, seat.side);
  const lines = receipt?.verdict === 'filed' ? receipt.lines : [];
  const owing = rules.asks(publicView(phase.snapshot));
  const own = owing.find((entry) => entry.side === seat.side);
  const paragraphs = [head];
  if (game.status === 'running' || game.status === 'paused')
    paragraphs.push(
      words(ask, own?.must ? 'status due' : 'status not due', {
        turn: phase.turn,
        step: phase.step,
        due: moment(ask, phase.due_at),
      }),
    );
  paragraphs.push(
    receipt?.verdict === 'filed'
      ? [words(ask, 'status on file', { number: receipt.number, lines: lines.length }), ...lines].join('\n')
      : words(ask, 'status nothing'),
  );
  if (receipt?.final) paragraphs.push(words(ask, 'status final'));
  if (receipt?.wait) paragraphs.push(words(ask, 'status wait'));
  const standing = await standingOf(trx, game.id, seat.side);
  if (standing.length > 0)
    paragraphs.push([words(ask, 'status doctrine'), ...standing.map((row) => row.text)].join('\n'));
  if (game.settings.showFiled !== false) paragraphs.push(await othersFiled(ask, game, phase, seat, owing));
  const stand = await standIn(trx, seat.id);
  if (stand) paragraphs.push(words(ask, 'status stand-in', { until: stand.until_day ?? '' }));
  const prompt = await promptnessOf(trx, ask.person?.id ?? seat.person_id ?? 0, seat.id);
  paragraphs.push(words(ask, 'status prompt', { ...prompt, hoursLeft: Math.round(prompt.hoursLeft ?? 0) }));
  return { ok: true, paragraphs };
}

/** Whether the others have filed: that they have is no secret unless the game says so; what they filed always is. */
async function othersFiled(
  ask: Ask,
  game: GameRow,
  phase: PhaseRow,
  seat: SeatRow,
  owing: readonly { side: string; must: boolean }[],
): Promise<string> {
  const lines: string[] = [];
  for (const { side, must } of owing) {
    if (side === seat.side) continue;
    const filed = (await inForce(ask.trx, phase.id, side))?.verdict === 'filed';
    const key = filed ? 'has filed' : must ? 'has not filed' : 'need not file';
    lines.push(words(ask, key, { side: sideName(ask.service, game, side) }));
  }
  return lines.length === 0 ? words(ask, 'nobody else') : lines.join('\n');
}

/** The newest phase of a turn on the present line; the open one without a turn. */
async function phaseOfTurn(ask: Ask, game: GameRow, turn: string | undefined): Promise<PhaseRow | undefined> {
  if (turn === undefined) return currentPhase(ask.trx, game);
  const line = await linePhases(ask.trx, game);
  return line.filter((phase) => phase.turn === Number(turn)).at(-1);
}

/** REPORT [turn], MAP [turn] [PDF|PNG|SVG] [BW]: the same mail again, with its map as it is wanted. */
export async function report(ask: Ask): Promise<Said> {
  const meant = await seatMeant(ask);
  if ('said' in meant) return meant.said;
  const { seat, game } = meant;
  const phase = await phaseOfTurn(ask, game, ask.args.turn);
  if (!phase) return no(ask, 'no such turn', { turn: ask.args.turn ?? '' });
  const person = ask.person?.id ?? seat.person_id;
  if (person !== null)
    await mailPerson(
      ask.service,
      ask.trx,
      { id: person },
      {
        kind: 'report',
        gameId: game.id,
        seatId: seat.id,
        phaseId: phase.id,
        facts: { make: 'report', phaseId: phase.id, viewer: seat.side, ...mapWish(ask) },
      },
    );
  return yes(ask, 'report again', { turn: phase.turn, step: phase.step });
}

/** The map of a MAP command as a picture or in black only; nothing where the ordinary PDF is meant. */
function mapWish(ask: Ask): { map?: MapWish } {
  const format = (ask.args.format ?? 'pdf').toLowerCase() as MapWish['format'];
  const blackOnly = ask.args.bw !== undefined;
  return format === 'pdf' && !blackOnly ? {} : { map: { format, blackOnly } };
}

/** ORDERS: what is on file now, or was for a turn. */
export async function orders(ask: Ask): Promise<Said> {
  const meant = await seatMeant(ask);
  if ('said' in meant) return meant.said;
  const { seat, game } = meant;
  const phase = await phaseOfTurn(ask, game, ask.args.turn);
  if (!phase) return no(ask, 'no such turn', { turn: ask.args.turn ?? '' });
  const receipt = await inForce(ask.trx, phase.id, seat.side);
  const lines = phase.inputs?.filed[seat.side]?.lines ?? (receipt?.verdict === 'filed' ? receipt.lines : []);
  const params = { turn: phase.turn, step: phase.step, number: receipt?.number ?? 0 };
  if (lines.length === 0) return yes(ask, 'orders none', params);
  return { ok: true, paragraphs: [[words(ask, 'orders were', params), ...lines].join('\n')] };
}

/** HISTORY: the phases with their dates and the receipts of this seat. */
export async function history(ask: Ask): Promise<Said> {
  const meant = await seatMeant(ask);
  if ('said' in meant) return meant.said;
  const { seat, game } = meant;
  const from = Number(ask.args.from ?? 0);
  const to = Number(ask.args.to ?? ask.args.from ?? 9999);
  const lines: string[] = [];
  for (const phase of await linePhases(ask.trx, game)) {
    if (phase.turn < from || phase.turn > to) continue;
    const receipt = await inForce(ask.trx, phase.id, seat.side);
    const params = {
      n: phase.n,
      turn: phase.turn,
      step: phase.step,
      at: moment(ask, phase.done_at ?? phase.opened_at),
      orders: receipt?.lines.length ?? 0,
    };
    lines.push(words(ask, phase.status === 'done' ? 'history done' : 'history open', params));
  }
  if (lines.length === 0) return no(ask, 'no such turn', { turn: ask.args.from ?? '' });
  return {
    ok: true,
    paragraphs: [words(ask, 'history', { game: game.ref }), lines.slice(-HISTORY_LINES_MAX).join('\n')],
  };
}

/** DICE [turn]: the open rolls with their key, and how to check them. */
export async function dice(ask: Ask): Promise<Said> {
  const meant = await seatMeant(ask);
  if ('said' in meant) return meant.said;
  const { game } = meant;
  const line = (await linePhases(ask.trx, game)).filter((phase) => phase.status === 'done');
  const wanted =
    ask.args.turn === undefined ? line.slice(-1) : line.filter((phase) => phase.turn === Number(ask.args.turn));
  if (wanted.length === 0) return no(ask, 'no dice yet');
  const paragraphs = wanted.map((phase) => {
    const rolls = (phase.dice ?? []).filter((roll) => !roll.secret);
    const head = words(ask, rolls.length > 0 ? 'dice of' : 'dice none', {
      n: phase.n,
      turn: phase.turn,
      step: phase.step,
      key: phase.open_key ?? '',
    });
    return [head, ...rolls.map((roll) => `${roll.context}: ${roll.rolls.join(' ')} (d${roll.sides})`)].join('\n');
  });
  return { ok: true, paragraphs: [...paragraphs, words(ask, 'dice how')] };
}

/** VACATION from TO to, VACATION OFF, VACATION. No deadline falls on these days. */
export async function vacation(ask: Ask): Promise<Said> {
  const { person, trx, now } = ask;
  if (!person) return no(ask, 'not a member');
  const today = localDate(now, person.zone);
  if (ask.args.from === undefined && ask.args.off === undefined) {
    const away = await daysAway(trx, [person.id], today);
    if (away.length === 0) return yes(ask, 'no vacation');
    return { ok: true, paragraphs: away.map((row) => words(ask, 'vacation', { from: row.from_day, to: row.to_day })) };
  }
  if (!ask.trusted) return confirmFirst(ask);
  if (ask.args.off !== undefined) {
    const ended = await endAbsences(trx, person.id, today, now);
    return ended > 0 ? yes(ask, 'vacation off', { count: ended }) : yes(ask, 'no vacation');
  }
  const from = readDate(ask.args.from ?? '');
  const to = readDate(ask.args.to ?? '');
  const days = from && to ? readDays(`${from}..${to}`) : undefined;
  if (!days) return no(ask, 'vacation dates', { from: ask.args.from ?? '', to: ask.args.to ?? '' });
  if (days.to < today) return no(ask, 'vacation past', { today });
  const length = lengthOf(days);
  if (length > ABSENCE_DAYS_MAX) return no(ask, 'vacation too long', { days: length, most: ABSENCE_DAYS_MAX });
  const taken = await absenceDays(trx, person.id, now);
  if (taken + length > ABSENCE_YEAR_MAX) return no(ask, 'vacation used up', { taken, most: ABSENCE_YEAR_MAX });
  await addAbsence(trx, { personId: person.id, from: days.from, to: days.to, zone: person.zone, now });
  const moved = await clearAbsence(ask, person.id);
  const lines = moved.map(({ game, due }) => words(ask, 'vacation moved', { game: game.ref, due: moment(ask, due) }));
  return {
    ok: true,
    paragraphs: [
      words(ask, 'vacation set', { from: days.from, to: days.to, days: length, zone: person.zone }),
      ...lines,
    ],
  };
}

/** SUBSTITUTE address UNTIL date: somebody plays the seat until then, or until its holder writes again. */
export async function substitute(ask: Ask): Promise<Said> {
  const meant = await seatMeant(ask);
  if ('said' in meant) return meant.said;
  if (!ask.trusted) return confirmFirst(ask);
  const { seat, game } = meant;
  if (seat.person_id !== ask.person?.id) return no(ask, 'only the holder');
  if (ask.args.off !== undefined)
    return (await handBack(ask.service, ask.trx, seat, 'called off'))
      ? yes(ask, 'stand-in off')
      : no(ask, 'no stand-in');
  const address = (ask.args.address ?? '').replace(/^<|>$/g, '').toLowerCase();
  const until = readDate(ask.args.until ?? '');
  if (!isPlainAddress(address)) return no(ask, 'bad address', { address });
  if (!until || until < localDate(ask.now, zoneOf(ask))) return no(ask, 'bad date', { date: ask.args.until ?? '' });
  const other = await personByAddress(ask.trx, address);
  if (other && (await seatsOf(ask.trx, game.id)).some((row) => row.person_id === other.id))
    return no(ask, 'stand-in plays');
  await askStandIn(ask, game, seat, address, until);
  return yes(ask, 'stand-in will be asked', { address, until });
}

export async function resign(ask: Ask): Promise<Said> {
  const meant = await seatMeant(ask);
  if ('said' in meant) return meant.said;
  const { seat, game } = meant;
  if (seat.person_id !== ask.person?.id) return no(ask, 'only the holder');
  if (game.status === 'over' || game.status === 'cancelled') return no(ask, 'game is over', { game: game.ref });
  // A word that ends a game for him may stand in any sentence of a mail: it is asked about once.
  if (ask.door === 'mail' && !ask.confirmed)
    return confirmFirst({ ...ask, seat, gameRef: game.ref }, ask.trusted ? 'sure' : 'proof');
  await vacate(ask, game, seat, 'resigned');
  return yes(ask, 'resigned', { game: game.ref });
}

const SETTINGS = ['ADDRESS', 'NAME', 'ZONE', 'PAPER', 'FORMAT', 'REMIND', 'DIGEST', 'LANGUAGE', 'ARCHIVE', 'TOKEN'];
const OLD_SETTINGS = ['password', 'reminder', 'reminders'];

/** SET what value. */
export async function set(ask: Ask): Promise<Said> {
  const { person } = ask;
  if (!person) return no(ask, 'not a member');
  const what = (ask.args.what ?? '').toLowerCase();
  const value = (ask.args.rest ?? '').trim();
  if (!SETTINGS.includes(what.toUpperCase()) && !OLD_SETTINGS.includes(what))
    return no(ask, 'no such setting', { what: what.toUpperCase(), settings: [...SETTINGS] });
  if (value === '' && what !== 'token') return no(ask, 'set what', { what: what.toUpperCase() });
  if (!ask.trusted) return confirmFirst(ask);
  switch (what) {
    case 'address':
      return setAddress(ask, value);
    case 'token':
    case 'password':
      return setToken(ask);
    case 'name':
      return changed(ask, 'name', nameOf(value), { name: nameOf(value) });
    case 'zone': {
      const zone = findZone(value);
      return zone ? changed(ask, 'zone', zone, { zone }) : no(ask, 'no such zone', { zone: value });
    }
    case 'paper': {
      const paper = ['A4', 'Letter', 'A3'].find((size) => size.toLowerCase() === value.toLowerCase());
      return paper ? changed(ask, 'paper', paper, { paper }) : no(ask, 'no such paper', { paper: value });
    }
    case 'language':
      return value.toLowerCase() === 'en' || /^english$/i.test(value)
        ? changed(ask, 'language', 'en', { language: 'en' })
        : no(ask, 'no such language', { language: value });
    default:
      return setChoice(ask, what, value);
  }
}

async function changed(
  ask: Ask,
  what: string,
  value: string,
  change: Parameters<typeof changePerson>[2],
): Promise<Said> {
  await changePerson(ask.trx, ask.person!.id, change);
  return yes(ask, 'set', { what, value });
}

async function setChoice(ask: Ask, what: string, value: string): Promise<Said> {
  const settings = { ...ask.person!.settings };
  const off = /^(off|no|none|never)$/i.test(value);
  if (what.startsWith('remind')) {
    const hours = off ? [] : value.split(/[\s,]+/).map((part) => Number(part.replace(/h$/i, '')));
    const good = hours.every((hour) => Number.isInteger(hour) && hour >= 1 && hour <= REMIND_HOURS_MAX);
    if (!good || hours.length > REMINDERS_MAX) return no(ask, 'set remind how');
    settings.remind = hours;
    for (const seat of await seatsOfPerson(ask.trx, ask.person!.id)) await planSoon(ask.service, ask.trx, seat.game_id);
    return changed(ask, 'reminders', off ? 'off' : `${hours.join(', ')} h`, { settings });
  }
  if (what === 'digest') {
    const match = /^(\d{1,2})(?::00)?$/.exec(value);
    if (off) delete settings.digestHour;
    else if (match && Number(match[1]) < 24) settings.digestHour = Number(match[1]);
    else return no(ask, 'set digest how');
    return changed(ask, 'digest', off ? 'off' : `${match![1]}:00`, { settings });
  }
  if (what === 'format') {
    if (!/^(text|html)$/i.test(value)) return no(ask, 'set format how');
    settings.format = value.toLowerCase() as 'text' | 'html';
    return changed(ask, 'format', settings.format, { settings });
  }
  const open = /^(yes|on|public)$/i.test(value);
  if (!open && !/^(no|off|private)$/i.test(value)) return no(ask, 'set archive how');
  settings.consent = open ? 'public' : 'private';
  return changed(ask, 'archive', settings.consent, { settings });
}

/** A new address counts once a code that was mailed to it has come back; one is dropped with a minus before it. */
async function setAddress(ask: Ask, value: string): Promise<Said> {
  const drop = /^(?:-\s*|off\s+|remove\s+)(\S+)$/i.exec(value);
  const address = (drop?.[1] ?? value).replace(/^<|>$/g, '').toLowerCase();
  if (!isPlainAddress(address)) return no(ask, 'bad address', { address });
  const own = await addressesOf(ask.trx, ask.person!.id);
  if (drop) {
    if (own.length === 1) return no(ask, 'last address');
    return (await dropAddress(ask.trx, ask.person!.id, address))
      ? yes(ask, 'address dropped', { address })
      : no(ask, 'not your address', { address });
  }
  if (own.includes(address)) {
    for (const [place, each] of [address, ...own.filter((one) => one !== address)].entries())
      await addAddress(ask.trx, ask.person!.id, each, place, ask.now);
    return yes(ask, 'address first', { address });
  }
  const code = await offerCode(ask, { kind: 'address', address, personId: ask.person!.id });
  const params = { club: ask.service.config.club.name, name: ask.person!.name, code };
  // Whether the address is known to us is told to nobody but its owner.
  await tellAddress(ask.service, ask.trx, address, { key: 'address asked', params, title: `CONFIRM ${code}` });
  return yes(ask, 'address will be asked', { address });
}

/** New addresses for all seats of a person, or for the one he writes from: the old ones no longer speak for them. */
async function setToken(ask: Ask): Promise<Said> {
  const meant = await seatMeant(ask);
  if ('said' in meant) return meant.said;
  if (meant.seat.person_id !== ask.person?.id) return no(ask, 'only the holder');
  const seat = await rotateToken(ask.service, ask.trx, meant.seat);
  const phase = await currentPhase(ask.trx, meant.game);
  if (phase)
    await mailPerson(
      ask.service,
      ask.trx,
      { id: ask.person.id },
      {
        kind: 'report',
        gameId: meant.game.id,
        seatId: seat.id,
        phaseId: phase.id,
        facts: { make: 'report', phaseId: phase.id, viewer: seat.side },
      },
    );
  return yes(ask, 'token new', { game: meant.game.ref });
}
