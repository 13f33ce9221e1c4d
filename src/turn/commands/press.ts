/**
 * Press: what players write to each other through the service. Kept as written but for what could be more than words:
 * control characters, marks that turn text round, and lines that a mail program or our own intake could take for orders.
 * A press mail never carries an address, a header or a token of the one who wrote it.
 */
import { addPress, pressSince, rolesIn } from '../../store/club.ts';
import { gameById, seatsOf } from '../../store/games.ts';
import type { GameRow } from '../../store/schema.ts';
import { type Errand, gameMeant, mayMaster, no, type Said, seatMeant, words, yes } from '../errand.ts';
import { peopleOf, tellMaster, tellPerson } from '../post/notices.ts';
import { sideOf } from './anyone.ts';
import { sideName } from './signup.ts';

const PRESS_CHARS_MAX = 8000;
const PRESS_LINES_MAX = 300;
const PRESS_PER_DAY_MAX = 60;

/** Words that are safe to pass on: line breaks kept, no control or direction marks, no more than the limits. */
export function cleanPress(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffc]/g, '')
    .split('\n')
    .slice(0, PRESS_LINES_MAX)
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, PRESS_CHARS_MAX);
}

/** As it stands in a mail: every line marked, so that no line of it begins like an order, a command or a header. */
function markPress(text: string): string {
  return text
    .split('\n')
    .map((line) => `| ${line}`.trimEnd())
    .join('\n');
}

/** The addresses named after PRESS TO: sides, `all`, `gm`. */
function addressees(errand: Errand, game: GameRow, written: string): { to: string[] } | { unknown: string } {
  const { scenario } = errand.service.scenarios.open(game.scenario);
  const to: string[] = [];
  for (const name of written.split(',').map((part) => part.trim())) {
    const upper = name.toUpperCase();
    if (upper === 'ALL' || upper === 'BROADCAST') return { to: ['all'] };
    const side = upper === 'GM' || upper === 'MASTER' ? 'gm' : sideOf(scenario.sides, name);
    if (side === undefined) return { unknown: name };
    if (!to.includes(side)) to.push(side);
  }
  return { to };
}

/** `PRESS TO …`: from a seat, or from the game master. */
export async function press(errand: Errand): Promise<Said> {
  const named = await gameMeant(errand);
  const master = named !== undefined && errand.trusted && (await mayMaster(errand, named));
  const meant = await seatMeant(errand);
  const asMaster = master && ('said' in meant || (errand.role?.role === 'master' && !errand.seat));
  if ('said' in meant && !asMaster) return meant.said;
  const game = asMaster ? named : 'said' in meant ? named! : meant.game;
  const fromSide = asMaster || 'said' in meant ? 'gm' : meant.seat.side;
  if (!asMaster && !errand.trusted) return no(errand, 'press untrusted');
  if (game.status === 'forming') return no(errand, 'press too early', { game: game.ref });
  if (game.settings.press === 'none' && fromSide !== 'gm') return no(errand, 'press none', { game: game.ref });
  const anonymous = errand.args.anon !== undefined;
  if (anonymous && game.settings.press === 'signed') return no(errand, 'press signed only', { game: game.ref });
  const found = addressees(errand, game, errand.args.to ?? 'all');
  if ('unknown' in found) {
    const sides = errand.service.scenarios.open(game.scenario).scenario.sides.map((side) => side.name);
    return no(errand, 'no such side', { side: found.unknown, sides: [...sides, 'ALL', 'GM'] });
  }
  const body = cleanPress(errand.press ?? '');
  if (body === '') return no(errand, 'press empty');
  if ((await writtenToday(errand, game.id, fromSide)) >= PRESS_PER_DAY_MAX) return no(errand, 'press too much');
  const to = found.to.filter((side) => side !== fromSide);
  if (to.length === 0) return no(errand, 'press to oneself');
  await addPress(errand.trx, {
    gameId: game.id,
    phaseId: game.phase_id,
    fromSide,
    personId: errand.person?.id ?? null,
    anonymous,
    to,
    body,
    now: errand.now,
  });
  await deliver(errand, game, { fromSide, to, anonymous, body });
  return yes(errand, 'press sent', {
    to: to.map((side) => nameOfSide(errand, game, side)),
    lines: body.split('\n').length,
  });
}

function nameOfSide(errand: Pick<Errand, 'service'>, game: GameRow, side: string): string {
  if (side === 'all') return words(errand, 'everybody');
  return side === 'gm' ? words(errand, 'the game master') : sideName(errand.service, game, side);
}

function writtenToday(errand: Errand, gameId: number, fromSide: string): Promise<number> {
  return pressSince(errand.trx, gameId, fromSide, new Date(errand.now.getTime() - 86_400_000));
}

/** Sends press to whoever it is for; public press also to observers. The writer's own seat gets no copy. */
async function deliver(
  errand: Pick<Errand, 'service' | 'trx'>,
  given: GameRow,
  message: { fromSide: string; to: string[]; anonymous: boolean; body: string },
): Promise<void> {
  const { service, trx } = errand;
  const game = await gameById(trx, given.id);
  const from = message.anonymous ? words(errand, 'somebody') : nameOfSide(errand, game, message.fromSide);
  const all = message.to.includes('all');
  const told = message.to.map((side) => nameOfSide(errand, game, side));
  const params = { game: game.ref, title: game.title, from, to: told };
  const notice = {
    key: 'press',
    kind: 'press' as const,
    params,
    paragraphs: [words(errand, 'press', params), markPress(message.body), words(errand, 'press answer')],
  };
  const people = new Set<number>();
  for (const seat of await seatsOf(trx, game.id)) {
    if (seat.side === message.fromSide || (!all && !message.to.includes(seat.side))) continue;
    for (const person of await peopleOf(trx, seat)) {
      if (people.has(person)) continue;
      people.add(person);
      await tellPerson(service, trx, person, notice, { game, seat });
    }
  }
  if (all)
    for (const role of await rolesIn(trx, game.id))
      if (role.role === 'observer' && !people.has(role.person_id)) {
        people.add(role.person_id);
        await tellPerson(service, trx, role.person_id, { ...notice, optional: 'observer' }, { game });
      }
  if (message.to.includes('gm')) await tellMaster(service, trx, game, notice);
}
