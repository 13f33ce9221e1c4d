/** Commands that need no seat: help, games on offer, sign-up, joining, observing, one's own data. */
import type { Param } from '../../kernel/types.ts';
import {
  addRole,
  addWaiting,
  blankPress,
  dropRoles,
  dropWaiting,
  endTenure,
  keptOf,
  seatsOfPerson,
  seatsWithNames,
  waitingFor,
} from '../../store/club.ts';
import { gameById, gameByRef, gamesIn, gamesMastered, logAction, seatsOf } from '../../store/games.ts';
import { erasePerson, promptnessOf } from '../../store/members.ts';
import { addressesOf } from '../../store/people.ts';
import type { GameRow } from '../../store/schema.ts';
import { emptySeat } from '../../store/seats.ts';
import type { Looking } from '../context.ts';
import {
  actor,
  confirmFirst,
  type Errand,
  gameMeant,
  type HeldCommand,
  isOperator,
  moment,
  no,
  offerCode,
  type Said,
  words,
  yes,
} from '../errand.ts';
import { newToken, ROLE_PURPOSE } from '../seats.ts';
import { ruleOf } from '../time/deadlines.ts';
import { printRule } from '../time/instants.ts';
import { offeredScenarios } from './balance.ts';
import { commitmentText, dropWords, putWords } from './dicewords.ts';
import { helpIndex, helpSystem, helpTopic, systemsOf } from './help.ts';
import { keepSeenOf, openTo } from './seen.ts';
import { giveSeat, giveVacantSeat, startIfFull, vacate } from './signup.ts';
import { mayOfferSignUp, maySendLink } from './spending.ts';

const GAMES_LISTED_MAX = 40;

export async function help(errand: Errand): Promise<Said> {
  const { wording, scenarios } = errand.service;
  const topic = errand.args.topic;
  if (topic === undefined) {
    const page = helpIndex(wording, scenarios);
    const game = errand.seat ? await gameMeant(errand) : undefined;
    const system = game && systemsOf(scenarios).find((candidate) => candidate.id === game.system);
    return { ok: true, paragraphs: system ? [...page, ...helpSystem(wording, scenarios, system)] : page };
  }
  const found = helpTopic(wording, scenarios, topic);
  if ('paragraphs' in found) return { ok: true, paragraphs: found.paragraphs };
  return found.near.length > 0
    ? no(errand, 'help near', { topic, near: found.near })
    : no(errand, 'help unknown', { topic });
}

/** One game in a line or two, as anybody may see it. */
async function gameLine(errand: Pick<Errand, 'service' | 'trx'>, game: GameRow): Promise<string> {
  const seats = await seatsOf(errand.trx, game.id);
  const { scenario } = errand.service.scenarios.open(game.scenario);
  const name = (side: string): string => scenario.sides.find((candidate) => candidate.id === side)?.name ?? side;
  const free = seats
    .filter((seat) => seat.status === 'open' || seat.status === 'vacant')
    .map((seat) => name(seat.side));
  const params: Record<string, Param> = { ref: game.ref, title: game.title, free, count: free.length };
  const rule = ruleOf(game);
  params.rule = rule ? printRule(rule) : words(errand, 'no deadlines');
  return words(errand, free.length > 0 ? `game ${game.status} free` : `game ${game.status}`, params);
}

export async function games(errand: Errand): Promise<Said> {
  const rows = await gamesIn(errand.trx, ['forming', 'running', 'paused'], GAMES_LISTED_MAX);
  const lines: string[] = [];
  for (const game of rows) lines.push(await gameLine(errand, game));
  const scenarios = offeredScenarios(errand.service.scenarios).map((entry) => `${entry.id}    ${entry.title}`);
  return {
    ok: true,
    paragraphs: [
      lines.length === 0 ? words(errand, 'games none') : `${words(errand, 'games')}\n${lines.join('\n')}`,
      ...(scenarios.length === 0 ? [] : [`${words(errand, 'scenarios')}\n${scenarios.join('\n')}`]),
      words(errand, 'games how'),
    ],
  };
}

/** Settings in force: who plays, deadlines, options, press. Nothing that is secret. */
export async function rules(errand: Errand): Promise<Said> {
  const game = await gameMeant(errand);
  if (!game) return no(errand, 'game needed', { usage: 'RULES OVL-0017' });
  const { scenario, system } = errand.service.scenarios.open(game.scenario);
  const rule = ruleOf(game);
  const seats = await seatsWithNames(errand.trx, game.id);
  const sides = seats.map((seat) => {
    const name = scenario.sides.find((side) => side.id === seat.side)?.name ?? seat.side;
    return seat.status === 'held' ? `${name}: ${seat.name}` : `${name}: ${words(errand, `seat is ${seat.status}`)}`;
  });
  const options = Object.entries(game.options).map(([key, value]) => `${key} = ${String(value)}`);
  return {
    ok: true,
    paragraphs: [
      words(errand, 'rules head', { ref: game.ref, title: game.title, system: system.title, status: game.status }),
      sides.join('\n'),
      rule ? words(errand, 'rules deadline', { rule: printRule(rule) }) : words(errand, 'no deadlines'),
      options.length > 0
        ? `${words(errand, 'rules options')}\n${options.join('\n')}`
        : words(errand, 'rules no options'),
      words(errand, game.settings.press === 'signed' ? 'rules press signed' : 'rules press any'),
      words(errand, 'rules dice'),
      ...commitmentText(errand, game),
    ],
  };
}

/** Sign-up: nothing is kept but a code until the address has proved itself. `then` is done after that. */
export async function signup(errand: Errand, then?: { command: string }): Promise<Said> {
  if (errand.person) return yes(errand, 'already a member', { name: errand.person.name });
  const name = nameOf(errand.args.rest ?? errand.fromName ?? errand.from.split('@')[0]!);
  const waits = errand.waits ?? { commands: [] };
  // The name asked for counts, wherever in the mail it stands.
  if (!then || waits.name === undefined) waits.name = name;
  if (then) waits.commands.push({ text: then.command, gameRef: null, seatId: null, press: null, why: 'sign-up' });
  return errand.waits ? { ok: true, paragraphs: [] } : offerSignup(errand, name, waits.commands);
}

/** One code for the sign-up and all commands of the mail that wait for it. */
export async function offerSignup(
  errand: Pick<Errand, 'service' | 'trx' | 'now' | 'from' | 'trusted' | 'host'>,
  name: string,
  after: readonly HeldCommand[],
): Promise<Said> {
  const spent = await mayOfferSignUp(errand);
  if (spent !== 'ok')
    return { ok: false, paragraphs: [words(errand, spent === 'used up' ? 'too many codes' : 'budget unreachable')] };
  const payload = { name, ...(after.length > 0 ? { after } : {}) };
  const code = await offerCode(errand, { kind: 'signup', address: errand.from, payload });
  const club = errand.service.config.club.name;
  const page = words(errand, 'signup', { club, code, name, zone: errand.service.config.club.zone }).split('\n\n');
  const done = after.map(({ text }) => text).join('\n');
  return {
    ok: true,
    subject: `CONFIRM ${code}`,
    paragraphs: after.length > 0 ? [...page, words(errand, 'signup then', { done })] : page,
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

export async function join(errand: Errand): Promise<Said> {
  const game = await gameByRef(errand.trx, errand.args.game ?? '');
  if (!game) return no(errand, 'no such game', { game: errand.args.game ?? '' });
  if (!errand.person) return signup({ ...errand, args: {} }, { command: errand.text });
  if (!errand.trusted) return confirmFirst(errand);
  const { scenario } = errand.service.scenarios.open(game.scenario);
  const wanted = errand.args.side === undefined ? undefined : sideOf(scenario.sides, errand.args.side);
  if (errand.args.side !== undefined && !wanted)
    return no(errand, 'no such side', { side: errand.args.side, sides: scenario.sides.map((side) => side.name) });
  const seats = await seatsOf(errand.trx, game.id);
  const own = seats.find((seat) => seat.person_id === errand.person!.id);
  if (own && game.settings.solitaire !== true) return no(errand, 'in the game already', { game: game.ref });
  if (game.status === 'over' || game.status === 'cancelled') return no(errand, 'game is over', { game: game.ref });
  if (game.status !== 'forming') return takeover(errand);
  const open = seats.filter((seat) => seat.status === 'open' && (!wanted || seat.side === wanted));
  const free = await openTo(errand, game, open, errand.person);
  if (free.length === 0) {
    await addWaiting(errand.trx, {
      gameId: game.id,
      personId: errand.person.id,
      side: wanted ?? null,
      now: errand.now,
    });
    const waiting = await waitingFor(errand.trx, game.id);
    return yes(errand, 'on the waiting list', { game: game.ref, place: waiting.length });
  }
  const seat = await giveSeat(errand, game, free[0]!, errand.person);
  await putWords(errand, game.id, seat.side, errand.person.id);
  const side = scenario.sides.find((candidate) => candidate.id === seat.side)?.name ?? seat.side;
  const started = await startIfFull(errand, game);
  const said = yes(errand, started ? 'joined and started' : 'joined', { game: game.ref, title: game.title, side });
  return { ...said, paragraphs: [...said.paragraphs, ...(started ? [] : commitmentText(errand, game))] };
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

export async function leave(errand: Errand): Promise<Said> {
  const game = await gameByRef(errand.trx, errand.args.game ?? '');
  if (!game || !errand.person) return no(errand, 'no such game', { game: errand.args.game ?? '' });
  if (!errand.trusted) return confirmFirst(errand);
  if (await dropWaiting(errand.trx, game.id, errand.person.id)) return yes(errand, 'left the list', { game: game.ref });
  const seat = (await seatsOf(errand.trx, game.id)).find((row) => row.person_id === errand.person!.id);
  if (!seat) return no(errand, 'no seat there');
  if (game.status !== 'forming') return no(errand, 'resign instead', { game: game.ref });
  await endTenure(errand.trx, seat.id, 'all', 'left', errand.now);
  await emptySeat(errand.trx, seat.id, 'open');
  await dropWords(errand, game, seat.side);
  return yes(errand, 'left the game', { game: game.ref });
}

/** Observers get the public report and public press; monitors the public report alone. */
export async function observe(errand: Errand, role: 'observer' | 'monitor'): Promise<Said> {
  const game = await gameByRef(errand.trx, errand.args.game ?? '');
  if (!game) return no(errand, 'no such game', { game: errand.args.game ?? '' });
  if (!errand.person) return signup({ ...errand, args: {} }, { command: errand.text });
  if (!errand.trusted) return confirmFirst(errand);
  if (game.settings.observers === false) return no(errand, 'no observers', { game: game.ref });
  if ((await seatsOf(errand.trx, game.id)).some((seat) => seat.person_id === errand.person!.id))
    return no(errand, 'in the game already', { game: game.ref });
  await dropRoles(errand.trx, errand.person.id, game.id, ['observer', 'monitor']);
  const token = newToken(errand.service, ROLE_PURPOSE);
  await addRole(errand.trx, {
    gameId: game.id,
    personId: errand.person.id,
    role,
    tokenHash: token.hash,
    tokenSealed: token.sealed,
    now: errand.now,
  });
  return yes(errand, role, { game: game.ref, title: game.title });
}

export async function signoff(errand: Errand): Promise<Said> {
  if (!errand.person) return no(errand, 'not a member');
  const game = errand.args.game ? await gameByRef(errand.trx, errand.args.game) : undefined;
  if (errand.args.game && !game) return no(errand, 'no such game', { game: errand.args.game });
  if (!errand.trusted) return confirmFirst(errand);
  const gone = await dropRoles(errand.trx, errand.person.id, game?.id, ['observer', 'monitor']);
  return gone > 0 ? yes(errand, 'signed off', { count: gone }) : no(errand, 'nothing to sign off');
}

export async function takeover(errand: Errand): Promise<Said> {
  const game = await gameByRef(errand.trx, errand.args.game ?? '');
  if (!game) return no(errand, 'no such game', { game: errand.args.game ?? '' });
  if (!errand.person) return signup({ ...errand, args: {} }, { command: errand.text });
  if (!errand.trusted) return confirmFirst(errand);
  const { scenario } = errand.service.scenarios.open(game.scenario);
  const wanted = errand.args.side === undefined ? undefined : sideOf(scenario.sides, errand.args.side);
  const seats = await seatsOf(errand.trx, game.id);
  if (seats.some((seat) => seat.person_id === errand.person!.id) && game.settings.solitaire !== true)
    return no(errand, 'in the game already', { game: game.ref });
  const asked = seats.filter((seat) => !wanted || seat.side === wanted);
  const mine = await openTo(errand, game, asked, errand.person);
  if (game.status === 'over' || game.status === 'cancelled') return no(errand, 'game is over', { game: game.ref });
  if (mine.length === 0) return no(errand, 'has seen', { game: game.ref });
  const vacant = mine.filter((seat) => seat.status === 'vacant');
  if (vacant.length === 0) {
    await addWaiting(errand.trx, {
      gameId: game.id,
      personId: errand.person.id,
      side: wanted ?? null,
      now: errand.now,
    });
    return yes(errand, 'no vacant seat', { game: game.ref });
  }
  const side = scenario.sides.find((candidate) => candidate.id === vacant[0]!.side)?.name ?? vacant[0]!.side;
  const due = await giveVacantSeat(errand, game, vacant[0]!, errand.person);
  return yes(errand, 'taken over', { game: game.ref, side, due: moment(errand, due) });
}

/** Everything kept about a person, in words: for himself alone, at his registered address. */
export async function mydata(errand: Errand): Promise<Said> {
  if (!errand.person) return no(errand, 'nothing kept');
  const { person, trx } = errand;
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
  return { ok: true, paragraphs: [words(errand, 'mydata'), lines.join('\n')] };
}

/** Removal on request: always confirmed by a code, since it can't be taken back. */
export async function forget(errand: Errand): Promise<Said> {
  if (!errand.person) return no(errand, 'nothing kept');
  const code = await offerCode(errand, { kind: 'forget', address: errand.from, personId: errand.person.id, days: 2 });
  return { ok: true, subject: `CONFIRM ${code}`, paragraphs: [words(errand, 'forget', { code })] };
}

/** What the confirmed FORGET ME does: seats fall vacant, press is blanked, name and addresses go. */
export async function forgetNow(errand: Errand, personId: number): Promise<Said> {
  for (const seat of await seatsOfPerson(errand.trx, personId)) {
    if (seat.person_id !== personId) continue;
    const game = await gameById(errand.trx, seat.game_id);
    if (game.status !== 'over' && game.status !== 'cancelled') await vacate(errand, game, seat, 'forgotten');
  }
  for (const address of await addressesOf(errand.trx, personId)) await keepSeenOf(errand, personId, address);
  await blankPress(errand.trx, personId, errand.now);
  await erasePerson(errand.trx, personId, words(errand, 'former member'), errand.now);
  await logAction(errand.trx, {
    at: errand.now,
    gameId: null,
    who: `person ${personId}`,
    door: errand.door,
    what: 'forgotten',
  });
  return yes(errand, 'forgotten');
}

/** DESK: a link to sign in at the page, for whoever may. Worth as much as the mailbox it goes to, for a short time. */
export async function desk(errand: Errand): Promise<Said> {
  if (!errand.person) return no(errand, 'not a member');
  const refused = await maySendLink(errand, errand.person.id);
  if (refused) return refused;
  const code = await offerCode(errand, {
    kind: 'signin',
    address: errand.from,
    personId: errand.person.id,
    days: 1 / 48,
  });
  await logAction(errand.trx, {
    at: errand.now,
    gameId: null,
    who: actor(errand),
    door: errand.door,
    what: 'sign-in link',
  });
  const master = isOperator(errand.service, [errand.from]);
  return yes(errand, master ? 'desk link master' : 'desk link', {
    url: `${errand.service.config.baseUrl}/signin/${code}`,
  });
}

/** Is this person the master of any game, or the operator? */
export async function mastersSomething(service: Looking, personId: number): Promise<boolean> {
  if (isOperator(service, await addressesOf(service.db, personId))) return true;
  return (await gamesMastered(service.db, personId, 1)).length > 0;
}
