/** A beaten defender's way out (6.3-win-inf; R8). */
import { holdsCard, playCard } from '../counters/hands.ts';
import { type Asking, ask, type Play, wantsAsking } from '../counters/play.ts';
import { printedMove } from '../counters/units.ts';
import { canBoard } from '../ground/transport.ts';
import type { NormandieUnit } from '../types.ts';
import { destroy, standDown } from './effects.ts';
import { forcedSquares, inOrder, opposite, putDown } from './forced.ts';

/**
 * A beaten defender retreats to one of the three squares opposite the launch square (R8), through a window with Surprise,
 * or into a transport beside it (6.6-transport-j). Without any it is destroyed.
 */
export function* retreat(play: Play, unit: NormandieUnit, from: string): Asking<void> {
  const { book, table } = play;
  standDown(play, unit);
  if (printedMove(book, play.known, unit) === 'X') {
    yield* destroy(play, unit, null, 'retreat');
    return;
  }
  const three = opposite(book, from, unit.at);
  const plain = forcedSquares(play, unit, three, false);
  const windows = forcedSquares(play, unit, three, true).filter((name) => !plain.includes(name));
  const byWindow = holdsCard(play, unit.side, 'surprise') ? windows : [];
  const rides = table.units
    .filter((vehicle) => vehicle.side === unit.side && canBoard(book, play.known, unit, vehicle) === undefined)
    .map((vehicle) => `IN ${vehicle.code}`);
  const options = [...inOrder(play, unit, plain, 'enemy'), ...rides, ...inOrder(play, unit, byWindow, 'enemy')];
  if (plain.length + rides.length === 0) options.unshift('LOST');
  const always = windows.length > 0 && wantsAsking(play, unit.side, 'RETREAT') && table.cards[unit.side].hand > 0;
  if (options.length === 1 && options[0] === 'LOST' && !always) {
    yield* destroy(play, unit, null, 'retreat');
    return;
  }
  const to = yield* ask(play, {
    id: `retreat ${unit.code} from ${unit.at}`,
    to: unit.side,
    kind: 'retreat',
    options,
    fallback: options[0]!,
    params: { unit: unit.code, from: unit.at },
    rule: '6.3-win-inf-a',
    always,
  });
  if (to === 'LOST') {
    yield* destroy(play, unit, null, 'retreat');
    return;
  }
  if (byWindow.includes(to)) playCard(play, unit.side, 'surprise', 'event', unit.code);
  putDown(play, unit, to, 'retreat');
}
