/** Commands that need no seat: help, games on offer, sign-up, joining, observing, one's own data. */
import type { Param } from '../../kernel/types.ts';
import {
  addRole,
  addWaiting,
  blankPress,
  dropRoles,
  dropWaiting,
  keptOf,
  seatsOfPerson,
  seatsWithNames,
  waitingFor,
} from '../../store/club.ts';
import { gameById, gameByRef, gamesIn, gamesMastered, logAction, seatsOf } from '../../store/games.ts';
import { erasePerson, pendingSince, promptnessOf } from '../../store/members.ts';
import { addressesOf } from '../../store/people.ts';
import type { GameRow } from '../../store/schema.ts';
import { emptySeat } from '../../store/seats.ts';
import type { Looking } from '../context.ts';
import {
  type Ask,
  actor,
  confirmFirst,
  gameMeant,
  isOperator,
  moment,
  no,
  offerCode,
  type Said,
  type Waiting,
  words,
  yes,
} from '../errand.ts';
import { newToken, ROLE_PURPOSE } from '../seats.ts';
import { ruleOf } from '../time/deadlines.ts';
import { DAY_MS, printRule } from '../time/instants.ts';
import { helpIndex, helpSystem, helpTopic, systemsOf } from './help.ts';
import { giveSeat, giveVacantSeat, startIfFull, vacate } from './signup.ts';

const CODES_PER_DAY_MAX = 5;
const GAMES_LISTED_MAX = 40;

export async function help(ask: Ask): Promise<Said> {
  const { wording, scenarios } = ask.service;
  const topic = ask.args.topic;
  if (topic === undefined) {
    const page = helpIndex(wording, scenarios);
    const game = ask.seat ? await gameMeant(ask) : undefined;
    const system = game && systemsOf(scenarios).find((candidate) => candidate.id === game.system);
    return { ok: true, paragraphs: system ? [...page, ...helpSystem(wording, scenarios, system)] : page };
  }
  const found = helpTopic(wording, scenarios, topic);
  if ('paragraphs' in found) return { ok: true, paragraphs: found.paragraphs };
  return found.near.length > 0 ? no(ask, 'help near', { topic, near: found.near }) : no(ask, 'help unknown', { topic });
}

/** One game in a line or two, as anybody may see it. */
export async function gameLine(ask: Pick<Ask, 'service' | 'trx'>, game: GameRow): Promise<string> {
  const seats = await seatsOf(ask.trx, game.id);
  const { scenario } = ask.service.scenarios.open(game.scenario);
  const name = (side: string): string => scenario.sides.find((candidate) => candidate.id === side)?.name ?? side;
  const free = seats
    .filter((seat) => seat.status === 'open' || seat.status === 'vacant')
    .map((seat) => name(seat.side));
  const params: Record<string, Param> = { ref: game.ref, title: game.title, free, count: free.length };
  const rule = ruleOf(game);
  params.rule = rule ? printRule(rule) : words(ask, 'no deadlines');
  return words(ask, free.length > 0 ? `game ${game.status} free` : `game ${game.status}`, params);
}

export async function games(ask: Ask): Promise<Said> {
  const rows = await gamesIn(ask.trx, ['forming', 'running', 'paused'], GAMES_LISTED_MAX);
  const lines: string[] = [];
  for (const game of rows) lines.push(await gameLine(ask, game));
  const scenarios = ask.service.scenarios.list().map((entry) => `${entry.id}    ${entry.title}`);
  return {
    ok: true,
    paragraphs: [
      lines.length === 0 ? words(ask, 'games none') : `${words(ask, 'games')}\n${lines.join('\n')}`,
      ...(scenarios.length === 0 ? [] : [`${words(ask, 'scenarios')}\n${scenarios.join('\n')}`]),
      words(ask, 'games how'),
    ],
  };
}

/** Settings in force: who plays, deadlines, options, press. Nothing that is secret. */
export async function rules(ask: Ask): Promise<Said> {
  const game = await gameMeant(ask);
  if (!game) return no(ask, 'game needed', { usage: 'RULES OVL-0017' });
  const { scenario, system } = ask.service.scenarios.open(game.scenario);
  const rule = ruleOf(game);
  const seats = await seatsWithNames(ask.trx, game.id);
  const sides = seats.map((seat) => {
    const name = scenario.sides.find((side) => side.id === seat.side)?.name ?? seat.side;
    return seat.status === 'held' ? `${name}: ${seat.name}` : `${name}: ${words(ask, `seat is ${seat.status}`)}`;
  });
  const options = Object.entries(game.options).map(([key, value]) => `${key} = ${String(value)}`);
  return {
    ok: true,
    paragraphs: [
      words(ask, 'rules head', { ref: game.ref, title: game.title, system: system.title, status: game.status }),
      sides.join('\n'),
      rule ? words(ask, 'rules deadline', { rule: printRule(rule) }) : words(ask, 'no deadlines'),
      options.length > 0 ? `${words(ask, 'rules options')}\n${options.join('\n')}` : words(ask, 'rules no options'),
      words(ask, game.settings.press === 'signed' ? 'rules press signed' : 'rules press any'),
      words(ask, 'rules dice'),
    ],
  };
}

/** Sign-up: nothing is kept but a code until the address has proved itself. `then` is done after that. */
export async function signup(ask: Ask, then?: { command: string }): Promise<Said> {
  if (ask.person) return yes(ask, 'already a member', { name: ask.person.name });
  const name = nameOf(ask.args.rest ?? ask.fromName ?? ask.from.split('@')[0]!);
  const waits = ask.waits ?? { commands: [] };
  // The name asked for counts, wherever in the mail it stands.
  if (!then || waits.name === undefined) waits.name = name;
  if (then) waits.commands.push({ text: then.command, gameRef: null, seatId: null, press: null, why: 'sign-up' });
  return ask.waits ? { ok: true, paragraphs: [] } : offerSignup(ask, name, waits.commands);
}

/** One code for the sign-up and all commands of the mail that wait for it. */
export async function offerSignup(
  ask: Pick<Ask, 'service' | 'trx' | 'now' | 'from'>,
  name: string,
  after: readonly Waiting[],
): Promise<Said> {
  const since = new Date(ask.now.getTime() - DAY_MS);
  if ((await pendingSince(ask.trx, ask.from, 'signup', since)) >= CODES_PER_DAY_MAX)
    return { ok: false, paragraphs: [words(ask, 'too many codes')] };
  const payload = { name, ...(after.length > 0 ? { after } : {}) };
  const code = await offerCode(ask, { kind: 'signup', address: ask.from, payload });
  const club = ask.service.config.club.name;
  const page = words(ask, 'signup', { club, code, name, zone: ask.service.config.club.zone }).split('\n\n');
  const done = after.map(({ text }) => text).join('\n');
  return {
    ok: true,
    subject: `CONFIRM ${code}`,
    paragraphs: after.length > 0 ? [...page, words(ask, 'signup then', { done })] : page,
  };
}

/** A name as the club shows it: letters, digits and a few marks, never an address. */
export function nameOf(written: string): string {
  const name = written
    .normalize('NFC')
    .replace(/[^\p{L}\p{N} .,'’-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 60);
  return name === '' ? 'A player' : name;
}

export async function join(ask: Ask): Promise<Said> {
  const game = await gameByRef(ask.trx, ask.args.game ?? '');
  if (!game) return no(ask, 'no such game', { game: ask.args.game ?? '' });
  if (!ask.person) return signup({ ...ask, args: {} }, { command: ask.text });
  if (!ask.trusted) return confirmFirst(ask);
  const { scenario } = ask.service.scenarios.open(game.scenario);
  const wanted = ask.args.side === undefined ? undefined : sideOf(scenario.sides, ask.args.side);
  if (ask.args.side !== undefined && !wanted)
    return no(ask, 'no such side', { side: ask.args.side, sides: scenario.sides.map((side) => side.name) });
  const seats = await seatsOf(ask.trx, game.id);
  const own = seats.find((seat) => seat.person_id === ask.person!.id);
  if (own && game.settings.solitaire !== true) return no(ask, 'in the game already', { game: game.ref });
  if (game.status === 'over' || game.status === 'cancelled') return no(ask, 'game is over', { game: game.ref });
  if (game.status !== 'forming') return takeover(ask);
  const free = seats.filter((seat) => seat.status === 'open' && (!wanted || seat.side === wanted));
  if (free.length === 0) {
    await addWaiting(ask.trx, { gameId: game.id, personId: ask.person.id, side: wanted ?? null, now: ask.now });
    const waiting = await waitingFor(ask.trx, game.id);
    return yes(ask, 'on the waiting list', { game: game.ref, place: waiting.length });
  }
  const seat = await giveSeat(ask, game, free[0]!, ask.person);
  const side = scenario.sides.find((candidate) => candidate.id === seat.side)?.name ?? seat.side;
  const started = await startIfFull(ask, game);
  return yes(ask, started ? 'joined and started' : 'joined', { game: game.ref, title: game.title, side });
}

/** The side meant: its id, name or short form, in any case. */
export function sideOf(
  sides: readonly { id: string; name: string; short: string }[],
  written: string,
): string | undefined {
  const upper = written.trim().toUpperCase();
  const exact = sides.find((side) => [side.id, side.name, side.short].some((name) => name.toUpperCase() === upper));
  if (exact) return exact.id;
  const near = sides.filter(
    (side) => side.id.toUpperCase().startsWith(upper) || side.name.toUpperCase().startsWith(upper),
  );
  return near.length === 1 ? near[0]!.id : undefined;
}

export async function leave(ask: Ask): Promise<Said> {
  const game = await gameByRef(ask.trx, ask.args.game ?? '');
  if (!game || !ask.person) return no(ask, 'no such game', { game: ask.args.game ?? '' });
  if (await dropWaiting(ask.trx, game.id, ask.person.id)) return yes(ask, 'left the list', { game: game.ref });
  const seat = (await seatsOf(ask.trx, game.id)).find((row) => row.person_id === ask.person!.id);
  if (!seat) return no(ask, 'no seat there');
  if (game.status !== 'forming') return no(ask, 'resign instead', { game: game.ref });
  if (!ask.trusted) return confirmFirst(ask);
  await emptySeat(ask.trx, seat.id, 'open');
  return yes(ask, 'left the game', { game: game.ref });
}

/** Observers get the public report and public press; monitors the public report alone. */
export async function observe(ask: Ask, role: 'observer' | 'monitor'): Promise<Said> {
  const game = await gameByRef(ask.trx, ask.args.game ?? '');
  if (!game) return no(ask, 'no such game', { game: ask.args.game ?? '' });
  if (!ask.person) return signup({ ...ask, args: {} }, { command: ask.text });
  if (!ask.trusted) return confirmFirst(ask);
  if (game.settings.observers === false) return no(ask, 'no observers', { game: game.ref });
  if ((await seatsOf(ask.trx, game.id)).some((seat) => seat.person_id === ask.person!.id))
    return no(ask, 'in the game already', { game: game.ref });
  await dropRoles(ask.trx, ask.person.id, game.id, ['observer', 'monitor']);
  const token = newToken(ask.service, ROLE_PURPOSE);
  await addRole(ask.trx, {
    gameId: game.id,
    personId: ask.person.id,
    role,
    tokenHash: token.hash,
    tokenSealed: token.sealed,
    now: ask.now,
  });
  return yes(ask, role, { game: game.ref, title: game.title });
}

export async function signoff(ask: Ask): Promise<Said> {
  if (!ask.person) return no(ask, 'not a member');
  const game = ask.args.game ? await gameByRef(ask.trx, ask.args.game) : undefined;
  if (ask.args.game && !game) return no(ask, 'no such game', { game: ask.args.game });
  const gone = await dropRoles(ask.trx, ask.person.id, game?.id, ['observer', 'monitor']);
  return gone > 0 ? yes(ask, 'signed off', { count: gone }) : no(ask, 'nothing to sign off');
}

export async function takeover(ask: Ask): Promise<Said> {
  const game = await gameByRef(ask.trx, ask.args.game ?? '');
  if (!game) return no(ask, 'no such game', { game: ask.args.game ?? '' });
  if (!ask.person) return signup({ ...ask, args: {} }, { command: ask.text });
  if (!ask.trusted) return confirmFirst(ask);
  const { scenario } = ask.service.scenarios.open(game.scenario);
  const wanted = ask.args.side === undefined ? undefined : sideOf(scenario.sides, ask.args.side);
  const seats = await seatsOf(ask.trx, game.id);
  if (seats.some((seat) => seat.person_id === ask.person!.id) && game.settings.solitaire !== true)
    return no(ask, 'in the game already', { game: game.ref });
  const vacant = seats.filter((seat) => seat.status === 'vacant' && (!wanted || seat.side === wanted));
  if (vacant.length === 0) {
    if (game.status === 'over' || game.status === 'cancelled') return no(ask, 'game is over', { game: game.ref });
    await addWaiting(ask.trx, { gameId: game.id, personId: ask.person.id, side: wanted ?? null, now: ask.now });
    return yes(ask, 'no vacant seat', { game: game.ref });
  }
  const side = scenario.sides.find((candidate) => candidate.id === vacant[0]!.side)?.name ?? vacant[0]!.side;
  const due = await giveVacantSeat(ask, game, vacant[0]!, ask.person);
  return yes(ask, 'taken over', { game: game.ref, side, due: moment(ask, due) });
}

/** Everything kept about a person, in words: for himself alone, at his registered address. */
export async function mydata(ask: Ask): Promise<Said> {
  if (!ask.person) return no(ask, 'nothing kept');
  const { person, trx } = ask;
  const seats = await seatsOfPerson(trx, person.id);
  const lines = [
    `name: ${person.name}`,
    `addresses: ${(await addressesOf(trx, person.id)).join(', ')}`,
    `time zone: ${person.zone}`,
    `language: ${person.language}`,
    `paper: ${person.paper}`,
    `settings: ${JSON.stringify(person.settings)}`,
    `member since: ${person.created_at.toISOString()}`,
  ];
  for (const seat of seats) {
    const game = await gameById(trx, seat.game_id);
    lines.push(`seat: ${game.ref} ${seat.side}, ${seat.receipts} receipts`);
  }
  const prompt = await promptnessOf(trx, person.id);
  lines.push(`deadlines: ${prompt.filed} kept, ${prompt.late} late, ${prompt.missed} missed`);
  lines.push(
    `press written: ${await keptOf(trx, person.id, 'press')}`,
    `absences: ${await keptOf(trx, person.id, 'absence')}`,
  );
  return { ok: true, paragraphs: [words(ask, 'mydata'), lines.join('\n')] };
}

/** Removal on request: always confirmed by a code, since it can't be taken back. */
export async function forget(ask: Ask): Promise<Said> {
  if (!ask.person) return no(ask, 'nothing kept');
  const code = await offerCode(ask, { kind: 'forget', address: ask.from, personId: ask.person.id, days: 2 });
  return { ok: true, subject: `CONFIRM ${code}`, paragraphs: [words(ask, 'forget', { code })] };
}

/** What the confirmed FORGET ME does: seats fall vacant, press is blanked, name and addresses go. */
export async function forgetNow(ask: Ask, personId: number): Promise<Said> {
  for (const seat of await seatsOfPerson(ask.trx, personId)) {
    if (seat.person_id !== personId) continue;
    const game = await gameById(ask.trx, seat.game_id);
    if (game.status !== 'over' && game.status !== 'cancelled') await vacate(ask, game, seat, 'forgotten');
  }
  await blankPress(ask.trx, personId, ask.now);
  await erasePerson(ask.trx, personId, words(ask, 'former member'), ask.now);
  await logAction(ask.trx, { at: ask.now, gameId: null, who: `person ${personId}`, door: ask.door, what: 'forgotten' });
  return yes(ask, 'forgotten');
}

/** DESK: a link to sign in at the page, for whoever may. Worth as much as the mailbox it goes to, for a short time. */
export async function desk(ask: Ask): Promise<Said> {
  if (!ask.person) return no(ask, 'not a member');
  const since = new Date(ask.now.getTime() - DAY_MS / 24);
  if ((await pendingSince(ask.trx, ask.from, 'signin', since)) >= CODES_PER_DAY_MAX) return no(ask, 'too many codes');
  const code = await offerCode(ask, { kind: 'signin', address: ask.from, personId: ask.person.id, days: 1 / 48 });
  await logAction(ask.trx, { at: ask.now, gameId: null, who: actor(ask), door: ask.door, what: 'sign-in link' });
  const master = isOperator(ask.service, [ask.from]);
  return yes(ask, master ? 'desk link master' : 'desk link', {
    url: `${ask.service.config.baseUrl}/signin/${code}`,
  });
}

/** Is this person the master of any game, or the operator? */
export async function mastersSomething(service: Looking, personId: number): Promise<boolean> {
  if (isOperator(service, await addressesOf(service.db, personId))) return true;
  return (await gamesMastered(service.db, personId, 1)).length > 0;
}
