/** The sequence of play: how a race begins, one turn of it, and how it ends. */
import { asWritten } from '../../kernel/questions.ts';
import type { Decision, DecisionRequest, Dice, GameState, Outcome, Ruling, SideId } from '../../kernel/types.ts';
import { other, SIDES, type Tiny } from './types.ts';

/** The state before the first phase. */
export function startOf(squares: number, dice: Dice): GameState<Tiny> {
  return {
    phase: { n: 1, turn: 1, step: 'run' },
    table: { squares, places: { red: 0, blue: 0 }, weather: 'dry' },
    hands: { red: { jumps: 1 }, blue: { jumps: 1 } },
    cup: dice.shuffle('weather deck', ['dry', 'dry', 'mud']),
  };
}

/** TINY-04: whoever is home wins; both at once is a draw. */
export function outcomeOf({ table }: Pick<GameState<Tiny>, 'table'>): Outcome | undefined {
  const home = SIDES.filter((side) => table.places[side]! >= table.squares);
  if (home.length === 0) return undefined;
  return { winner: home.length === 2 ? 'draw' : home[0]!, reason: 'reached the last square' };
}

/**
 * One turn: the weather turns (TINY-01), both run (TINY-02), whoever caught up with the other is asked about it (TINY-03).
 */
export function* runRace(
  draft: GameState<Tiny>,
  orders: Record<SideId, Tiny['order'][]>,
  ruling: Ruling<Tiny>,
): Generator<DecisionRequest<Tiny>[], void, Decision[]> {
  const { places } = draft.table;
  const before = { ...places };
  draft.table.weather = draft.cup.shift() ?? 'dry';
  draft.cup.push(draft.table.weather);
  for (const side of SIDES) {
    const doctrine = ruling.standing[side]?.find((order) => order.key === 'RUN')?.value;
    const way = orders[side]?.at(-1)?.way ?? doctrine;
    let steps = way === 'steady' ? 1 : 0;
    if (way === 'fast') steps = ruling.dice.roll(`${side} runs fast`, 1, 6)[0]! > 2 ? 2 : 0;
    if (way === 'jump' && draft.hands[side]!.jumps > 0) {
      draft.hands[side]!.jumps--;
      steps = 3;
    }
    if (draft.table.weather === 'mud' && steps > 1) steps--;
    places[side] = Math.min(draft.table.squares, before[side]! + steps);
    ruling.emit({ type: 'ran', audience: 'all', side, place: places[side]! });
  }
  const place = places.red!;
  const behind = SIDES.find((side) => before[side]! < before[other(side)]!);
  if (behind && place === places.blue && place > 0 && place < draft.table.squares) {
    const [decision] = yield [
      {
        id: `capture at ${place}`,
        to: behind,
        kind: 'capture',
        about: { place },
        options: asWritten(['CAPTURE', 'PASS']),
        min: 1,
        max: 1,
        fallback: ['PASS'],
      },
    ];
    if (decision?.chosen[0] === 'CAPTURE') places[other(behind)] = 0;
    ruling.emit({ type: 'caught', audience: 'all', side: behind, place: places[other(behind)]! });
  }
  draft.phase = { n: draft.phase.n + 1, turn: draft.phase.turn + 1, step: 'run' };
}
