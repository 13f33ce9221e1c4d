/** Commands of those who hold a seat: what stands, what is due, reports again, absence, stand-ins, settings. */

import { publicView, viewFor } from '../../kernel/view.ts';
import { isPlainAddress } from '../../mail/sender/address.ts';
import { saidForm, saidRoll } from '../../render/words.ts';
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
import type { GameRow, MailFacts, MapWish, PhaseRow, SeatRow } from '../../store/schema.ts';
import {
  confirmFirst,
  type Errand,
  moment,
  no,
  offerCode,
  type Said,
  seatMeant,
  words,
  yes,
  zoneOf,
} from '../errand.ts';
import { linePhases } from '../phase/course.ts';
import { absenceDays, clearAbsence } from '../phase/pace.ts';
import { tellAddress } from '../post/notices.ts';
import { mailPerson } from '../post/outbox.ts';
import { planSoon } from '../time/deadlines.ts';
import { findZone, lengthOf, localDate, readDate, readDays } from '../time/instants.ts';
import { nameOf } from './anyone.ts';
import { hasSeen, keepSeenOf } from './seen.ts';
import { askStandIn, handBack, rotateToken, sideName, vacate } from './signup.ts';
import { mayResend, mayWriteTo } from './spending.ts';

/** Days of one absence, and of all in a year. */
const ABSENCE_DAYS_MAX = 30;
const ABSENCE_YEAR_MAX = 60;
const REMINDERS_MAX = 5;
const REMIND_HOURS_MAX = 168;
const HISTORY_LINES_MAX = 200;

/** SIGNON side@game code: what other judges wanted. No code is read; the answer says how it is done here. */
export async function signon(errand: Errand): Promise<Said> {
  return no(errand, 'no sign-on');
}

/** STATUS: what is on file, what is due and until when, and who has not filed as far as the game tells. */
export async function status(errand: Errand): Promise<Said> {
  const meant = await seatMeant(errand);
  if ('said' in meant) return meant.said;
  const { seat, game } = meant;
  const { trx, service } = errand;
  const phase = await currentPhase(trx, game);
  const head = words(errand, `status ${game.status}`, {
    game: game.ref,
    title: game.title,
    why: game.pause_reason ?? '',
  });
  if (!phase) return { ok: true, paragraphs: [head] };
  const { rules } = service.scenarios.open(game.scenario);
  const receipt = await inForce(trx, phase.id, seat.side);
  const lines = receipt?.verdict === 'filed' ? receipt.lines : [];
  const owing = rules.asks(publicView(phase.snapshot));
  const own = owing.find((entry) => entry.side === seat.side);
  const paragraphs = [head];
  if (game.status === 'running' || game.status === 'paused')
    paragraphs.push(
      words(errand, own?.must ? 'status due' : 'status not due', {
        turn: phase.turn,
        step: phase.step,
        due: moment(errand, phase.due_at),
      }),
    );
  paragraphs.push(
    receipt?.verdict === 'filed'
      ? [words(errand, 'status on file', { number: receipt.number, lines: lines.length }), ...lines].join('\n')
      : words(errand, 'status nothing'),
  );
  if (receipt?.final) paragraphs.push(words(errand, 'status final'));
  if (receipt?.wait) paragraphs.push(words(errand, 'status wait'));
  const standing = await standingOf(trx, game.id, seat.side);
  if (standing.length > 0)
    paragraphs.push([words(errand, 'status doctrine'), ...standing.map((row) => row.text)].join('\n'));
  if (game.settings.showFiled !== false) paragraphs.push(await othersFiled(errand, game, phase, seat, owing));
  const stand = await standIn(trx, seat.id);
  if (stand) paragraphs.push(words(errand, 'status stand-in', { until: stand.until_day ?? '' }));
  const prompt = await promptnessOf(trx, errand.person?.id ?? seat.person_id ?? 0, seat.id);
  paragraphs.push(words(errand, 'status prompt', { ...prompt, hoursLeft: Math.round(prompt.hoursLeft ?? 0) }));
  return { ok: true, paragraphs };
}

/** Whether the others have filed: that they have is no secret unless the game says so; what they filed always is. */
async function othersFiled(
  errand: Errand,
  game: GameRow,
  phase: PhaseRow,
  seat: SeatRow,
  owing: readonly { side: string; must: boolean }[],
): Promise<string> {
  const lines: string[] = [];
  for (const { side, must } of owing) {
    if (side === seat.side) continue;
    const filed = (await inForce(errand.trx, phase.id, side))?.verdict === 'filed';
    const key = filed ? 'has filed' : must ? 'has not filed' : 'need not file';
    lines.push(words(errand, key, { side: sideName(errand.service, game, side) }));
  }
  return lines.length === 0 ? words(errand, 'nobody else') : lines.join('\n');
}

/** The newest phase of a turn on the present line; the open one without a turn. */
async function phaseOfTurn(errand: Errand, game: GameRow, turn: string | undefined): Promise<PhaseRow | undefined> {
  if (turn === undefined) return currentPhase(errand.trx, game);
  const line = await linePhases(errand.trx, game);
  return line.filter((phase) => phase.turn === Number(turn)).at(-1);
}

/** REPORT [turn]: the same mail again; of an old turn it says so and offers no form. */
export async function report(errand: Errand): Promise<Said> {
  return sendAgain(errand, (phase, seat, newest) => ({
    facts: { make: 'report', phaseId: phase.id, viewer: seat.side, ...(newest ? {} : { old: true }) },
    said: newest ? 'report again' : 'old report again',
  }));
}

/** MAP [turn] [PDF|PNG|SVG] [BW]: the map alone, as it is wanted. */
export async function map(errand: Errand): Promise<Said> {
  const format = (errand.args.format ?? 'pdf').toLowerCase() as MapWish['format'];
  const wish: MapWish = { format, blackOnly: errand.args.bw !== undefined };
  return sendAgain(errand, (phase, seat) => ({
    facts: { make: 'map', phaseId: phase.id, viewer: seat.side, map: wish },
    said: 'map again',
  }));
}

async function sendAgain(
  errand: Errand,
  what: (phase: PhaseRow, seat: SeatRow, newest: boolean) => { facts: MailFacts; said: string },
): Promise<Said> {
  const meant = await seatMeant(errand);
  if ('said' in meant) return meant.said;
  const { seat, game } = meant;
  const phase = await phaseOfTurn(errand, game, errand.args.turn);
  if (!phase) return no(errand, 'no such turn', { turn: errand.args.turn ?? '' });
  const { facts, said } = what(phase, seat, phase.id === game.phase_id);
  const id = errand.person?.id ?? seat.person_id;
  const refused = id === null ? undefined : await mayResend(errand, id);
  if (refused === 'prove') return confirmFirst({ ...errand, seat, gameRef: game.ref });
  if (refused) return refused;
  const answers = errand.mail ? { answers: errand.mail } : {};
  const about = { kind: 'report' as const, gameId: game.id, seatId: seat.id, phaseId: phase.id, facts, ...answers };
  if (id !== null) await mailPerson(errand.service, errand.trx, { id }, about);
  return yes(errand, said, { turn: phase.turn, step: phase.step });
}

/** ORDERS: what is on file now, or was for a turn. */
export async function orders(errand: Errand): Promise<Said> {
  const meant = await seatMeant(errand);
  if ('said' in meant) return meant.said;
  const { seat, game } = meant;
  const phase = await phaseOfTurn(errand, game, errand.args.turn);
  if (!phase) return no(errand, 'no such turn', { turn: errand.args.turn ?? '' });
  const receipt = await inForce(errand.trx, phase.id, seat.side);
  const lines = phase.inputs?.filed[seat.side]?.lines ?? (receipt?.verdict === 'filed' ? receipt.lines : []);
  const params = { turn: phase.turn, step: phase.step, number: receipt?.number ?? 0 };
  if (lines.length === 0) return yes(errand, 'orders none', params);
  return { ok: true, paragraphs: [[words(errand, 'orders were', params), ...lines].join('\n')] };
}

/** FORM: the order form of the open phase again; FORM FULL: with every line by itself where the game folds them. */
export async function form(errand: Errand): Promise<Said> {
  const meant = await seatMeant(errand);
  if ('said' in meant) return meant.said;
  const { seat, game } = meant;
  const phase = await currentPhase(errand.trx, game);
  if (!phase || game.status === 'over') return no(errand, 'no form');
  const { rules } = errand.service.scenarios.open(game.scenario);
  const standing = (await standingOf(errand.trx, game.id, seat.side)).map((row) => row.body);
  const made = rules.report(viewFor(phase.snapshot, seat.side), [], { orders: [], standing });
  const wanted = errand.args.full === undefined ? made.orderForm : (made.fullForm ?? made.orderForm);
  const lines = saidForm(wanted, errand.service.wording);
  if (lines.length === 0) return no(errand, 'no form');
  const params = { game: game.ref, turn: phase.turn, step: phase.step };
  return { ok: true, paragraphs: [words(errand, 'form is', params), lines.join('\n')] };
}

/** HISTORY: the phases with their dates and the receipts of this seat. */
export async function history(errand: Errand): Promise<Said> {
  const meant = await seatMeant(errand);
  if ('said' in meant) return meant.said;
  const { seat, game } = meant;
  const from = Number(errand.args.from ?? 0);
  const to = Number(errand.args.to ?? errand.args.from ?? 9999);
  const lines: string[] = [];
  for (const phase of await linePhases(errand.trx, game)) {
    if (phase.turn < from || phase.turn > to) continue;
    const receipt = await inForce(errand.trx, phase.id, seat.side);
    const params = {
      n: phase.n,
      turn: phase.turn,
      step: phase.step,
      at: moment(errand, phase.done_at ?? phase.opened_at),
      orders: receipt?.lines.length ?? 0,
    };
    lines.push(words(errand, phase.status === 'done' ? 'history done' : 'history open', params));
  }
  if (lines.length === 0) return no(errand, 'no such turn', { turn: errand.args.from ?? '' });
  return {
    ok: true,
    paragraphs: [words(errand, 'history', { game: game.ref }), lines.slice(-HISTORY_LINES_MAX).join('\n')],
  };
}

/** DICE [turn]: the open rolls with their key, and how to check them. */
export async function dice(errand: Errand): Promise<Said> {
  const meant = await seatMeant(errand);
  if ('said' in meant) return meant.said;
  const { game } = meant;
  const line = (await linePhases(errand.trx, game)).filter((phase) => phase.status === 'done');
  const wanted =
    errand.args.turn === undefined ? line.slice(-1) : line.filter((phase) => phase.turn === Number(errand.args.turn));
  if (wanted.length === 0) return no(errand, 'no dice yet');
  const paragraphs = wanted.map((phase) => {
    const rolls = (phase.dice ?? []).filter((roll) => !roll.secret);
    const head = words(errand, rolls.length > 0 ? 'dice of' : 'dice none', {
      n: phase.n,
      turn: phase.turn,
      step: phase.step,
      key: phase.open_key ?? '',
    });
    const listed = rolls.map((roll) => {
      const { die, rolls: shown } = saidRoll(roll, errand.service.wording);
      return `${roll.context}: ${shown}${die === '' ? '' : ` (${die})`}`;
    });
    return [head, ...listed].join('\n');
  });
  return { ok: true, paragraphs: [...paragraphs, words(errand, 'dice how')] };
}

/** VACATION from TO to, VACATION OFF, VACATION. No deadline falls on these days. */
export async function vacation(errand: Errand): Promise<Said> {
  const { person, trx, now } = errand;
  if (!person) return no(errand, 'not a member');
  const today = localDate(now, person.zone);
  if (errand.args.from === undefined && errand.args.off === undefined) {
    const away = await daysAway(trx, [person.id], today);
    if (away.length === 0) return yes(errand, 'no vacation');
    return {
      ok: true,
      paragraphs: away.map((row) => words(errand, 'vacation', { from: row.from_day, to: row.to_day })),
    };
  }
  if (!errand.trusted) return confirmFirst(errand);
  if (errand.args.off !== undefined) {
    const ended = await endAbsences(trx, person.id, today, now);
    return ended > 0 ? yes(errand, 'vacation off', { count: ended }) : yes(errand, 'no vacation');
  }
  const from = readDate(errand.args.from ?? '');
  const to = readDate(errand.args.to ?? '');
  const days = from && to ? readDays(`${from}..${to}`) : undefined;
  if (!days) return no(errand, 'vacation dates', { from: errand.args.from ?? '', to: errand.args.to ?? '' });
  if (days.to < today) return no(errand, 'vacation past', { today });
  const length = lengthOf(days);
  if (length > ABSENCE_DAYS_MAX) return no(errand, 'vacation too long', { days: length, most: ABSENCE_DAYS_MAX });
  const taken = await absenceDays(trx, person.id, now);
  if (taken + length > ABSENCE_YEAR_MAX) return no(errand, 'vacation used up', { taken, most: ABSENCE_YEAR_MAX });
  await addAbsence(trx, { personId: person.id, from: days.from, to: days.to, zone: person.zone, now });
  const moved = await clearAbsence(errand, person.id);
  const lines = moved.map(({ game, due }) =>
    words(errand, 'vacation moved', { game: game.ref, due: moment(errand, due) }),
  );
  return {
    ok: true,
    paragraphs: [
      words(errand, 'vacation set', { from: days.from, to: days.to, days: length, zone: person.zone }),
      ...lines,
    ],
  };
}

/** SUBSTITUTE address UNTIL date: somebody plays the seat until then, or until its holder writes again. */
export async function substitute(errand: Errand): Promise<Said> {
  const meant = await seatMeant(errand);
  if ('said' in meant) return meant.said;
  if (!errand.trusted) return confirmFirst(errand);
  const { seat, game } = meant;
  if (seat.person_id !== errand.person?.id) return no(errand, 'only the holder');
  if (errand.args.off !== undefined)
    return (await handBack(errand.service, errand.trx, seat, 'called off'))
      ? yes(errand, 'stand-in off')
      : no(errand, 'no stand-in');
  const address = (errand.args.address ?? '').replace(/^<|>$/g, '').toLowerCase();
  const until = readDate(errand.args.until ?? '');
  if (!isPlainAddress(address)) return no(errand, 'bad address', { address });
  if (!until || until < localDate(errand.now, zoneOf(errand)))
    return no(errand, 'bad date', { date: errand.args.until ?? '' });
  const other = await personByAddress(errand.trx, address);
  if (other && (await seatsOf(errand.trx, game.id)).some((row) => row.person_id === other.id))
    return no(errand, 'stand-in plays');
  if (other && (await hasSeen(errand, game, seat.side, other))) return no(errand, 'stand-in plays');
  const refused = await mayWriteTo(errand, address);
  if (refused) return refused;
  await askStandIn(errand, game, seat, address, until);
  return yes(errand, 'stand-in will be asked', { address, until });
}

export async function resign(errand: Errand): Promise<Said> {
  const meant = await seatMeant(errand);
  if ('said' in meant) return meant.said;
  const { seat, game } = meant;
  if (seat.person_id !== errand.person?.id) return no(errand, 'only the holder');
  if (game.status === 'over' || game.status === 'cancelled') return no(errand, 'game is over', { game: game.ref });
  // A word that ends a game for him may stand in any sentence of a mail: it is asked about once.
  if (errand.door === 'mail' && !errand.confirmed)
    return confirmFirst({ ...errand, seat, gameRef: game.ref }, errand.trusted ? 'sure' : 'proof');
  await vacate(errand, game, seat, 'resigned');
  return yes(errand, 'resigned', { game: game.ref });
}

const SETTINGS = ['ADDRESS', 'NAME', 'ZONE', 'PAPER', 'FORMAT', 'REMIND', 'DIGEST', 'LANGUAGE', 'ARCHIVE', 'TOKEN'];
const OLD_SETTINGS = ['password', 'reminder', 'reminders'];

/** SET what value. */
export async function set(errand: Errand): Promise<Said> {
  const { person } = errand;
  if (!person) return no(errand, 'not a member');
  const what = (errand.args.what ?? '').toLowerCase();
  const value = (errand.args.rest ?? '').trim();
  if (!SETTINGS.includes(what.toUpperCase()) && !OLD_SETTINGS.includes(what))
    return no(errand, 'no such setting', { what: what.toUpperCase(), settings: [...SETTINGS] });
  if (value === '' && what !== 'token') return no(errand, 'set what', { what: what.toUpperCase() });
  if (!errand.trusted) return confirmFirst(errand);
  switch (what) {
    case 'address':
      return setAddress(errand, value);
    case 'token':
    case 'password':
      return setToken(errand);
    case 'name':
      return changed(errand, 'name', nameOf(value), { name: nameOf(value) });
    case 'zone': {
      const zone = findZone(value);
      return zone ? changed(errand, 'zone', zone, { zone }) : no(errand, 'no such zone', { zone: value });
    }
    case 'paper': {
      const paper = ['A4', 'Letter', 'A3'].find((size) => size.toLowerCase() === value.toLowerCase());
      return paper ? changed(errand, 'paper', paper, { paper }) : no(errand, 'no such paper', { paper: value });
    }
    case 'language':
      return value.toLowerCase() === 'en' || /^english$/i.test(value)
        ? changed(errand, 'language', 'en', { language: 'en' })
        : no(errand, 'no such language', { language: value });
    default:
      return setChoice(errand, what, value);
  }
}

async function changed(
  errand: Errand,
  what: string,
  value: string,
  change: Parameters<typeof changePerson>[2],
): Promise<Said> {
  await changePerson(errand.trx, errand.person!.id, change);
  return yes(errand, 'set', { what, value });
}

async function setChoice(errand: Errand, what: string, value: string): Promise<Said> {
  const settings = { ...errand.person!.settings };
  const off = /^(off|no|none|never)$/i.test(value);
  if (what.startsWith('remind')) {
    const hours = off ? [] : value.split(/[\s,]+/).map((part) => Number(part.replace(/h$/i, '')));
    const good = hours.every((hour) => Number.isInteger(hour) && hour >= 1 && hour <= REMIND_HOURS_MAX);
    if (!good || hours.length > REMINDERS_MAX) return no(errand, 'set remind how');
    settings.remind = hours;
    for (const seat of await seatsOfPerson(errand.trx, errand.person!.id))
      await planSoon(errand.service, errand.trx, seat.game_id);
    return changed(errand, 'reminders', off ? 'off' : `${hours.join(', ')} h`, { settings });
  }
  if (what === 'digest') {
    const match = /^(\d{1,2})(?::00)?$/.exec(value);
    if (off) delete settings.digestHour;
    else if (match && Number(match[1]) < 24) settings.digestHour = Number(match[1]);
    else return no(errand, 'set digest how');
    return changed(errand, 'digest', off ? 'off' : `${match![1]}:00`, { settings });
  }
  if (what === 'format') {
    if (!/^(text|html)$/i.test(value)) return no(errand, 'set format how');
    settings.format = value.toLowerCase() as 'text' | 'html';
    return changed(errand, 'format', settings.format, { settings });
  }
  const open = /^(yes|on|public)$/i.test(value);
  if (!open && !/^(no|off|private)$/i.test(value)) return no(errand, 'set archive how');
  settings.consent = open ? 'public' : 'private';
  return changed(errand, 'archive', settings.consent, { settings });
}

/** A new address counts once a code that was mailed to it has come back; one is dropped with a minus before it. */
async function setAddress(errand: Errand, value: string): Promise<Said> {
  const drop = /^(?:-\s*|off\s+|remove\s+)(\S+)$/i.exec(value);
  const address = (drop?.[1] ?? value).replace(/^<|>$/g, '').toLowerCase();
  if (!isPlainAddress(address)) return no(errand, 'bad address', { address });
  const own = await addressesOf(errand.trx, errand.person!.id);
  if (drop) {
    if (own.length === 1) return no(errand, 'last address');
    if (own.includes(address)) await keepSeenOf(errand, errand.person!.id, address);
    return (await dropAddress(errand.trx, errand.person!.id, address))
      ? yes(errand, 'address dropped', { address })
      : no(errand, 'not your address', { address });
  }
  if (own.includes(address)) {
    for (const [place, each] of [address, ...own.filter((one) => one !== address)].entries())
      await addAddress(errand.trx, errand.person!.id, each, place, errand.now);
    return yes(errand, 'address first', { address });
  }
  const refused = await mayWriteTo(errand, address);
  if (refused) return refused;
  const code = await offerCode(errand, { kind: 'address', address, personId: errand.person!.id });
  const params = { club: errand.service.config.club.name, name: errand.person!.name, code };
  // Whether the address is known to us is told to nobody but its owner.
  await tellAddress(errand.service, errand.trx, address, { key: 'address asked', params, title: `CONFIRM ${code}` });
  return yes(errand, 'address will be asked', { address });
}

/** New addresses for all seats of a person, or for the one he writes from: the old ones no longer speak for them. */
async function setToken(errand: Errand): Promise<Said> {
  const meant = await seatMeant(errand);
  if ('said' in meant) return meant.said;
  if (meant.seat.person_id !== errand.person?.id) return no(errand, 'only the holder');
  const seat = await rotateToken(errand.service, errand.trx, meant.seat);
  const phase = await currentPhase(errand.trx, meant.game);
  if (phase)
    await mailPerson(
      errand.service,
      errand.trx,
      { id: errand.person.id },
      {
        kind: 'report',
        gameId: meant.game.id,
        seatId: seat.id,
        phaseId: phase.id,
        facts: { make: 'report', phaseId: phase.id, viewer: seat.side },
      },
    );
  return yes(errand, 'token new', { game: meant.game.ref });
}
