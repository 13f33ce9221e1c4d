/** The German withdrawal after a breakthrough (Victory Conditions, OVR-32). */

import { hexDistance } from '../../../board/hex.ts';
import { flood, pathTo } from '../../../board/path.ts';
import { asWritten } from '../../../kernel/questions.ts';
import type { Decision } from '../../../kernel/types.ts';
import { leastCover } from '../combat/losses.ts';
import { FACTOR } from '../combat/odds.ts';
import { type Field, heldBy, place } from '../field/field.ts';
import type { Emit } from '../field/ground.ts';
import { stepCost } from '../field/movement.ts';
import type { OverlordQuestion } from '../types.ts';

/** Longest way off the board that is looked for, in quarters. */
const WAY_MAX = 4000;

/**
 * At the start of the German move, for each hex over which Allies left: German units nearest to it are taken off until their
 * printed factors reach those that left (OVL-VIC-03 to 06). Ties by distance are the owner's, else the lowest factor goes
 * first. A unit with no enemy-free way to an edge is passed over.
 */
export function* withdraw(field: Field, emit: Emit): Generator<OverlordQuestion[], void, Decision[]> {
  const { owed } = field.table;
  field.table.owed = [];
  // What one exit hex took beyond its due counts for the next: together as many factors as left, not more than need be.
  let credit = 0;
  for (const { hex, factors } of owed) {
    const due = factors - credit;
    credit = due > 0 ? Math.max(0, (yield* withdrawFor(field, hex, due, emit)) - due) : -due;
  }
}

/** The withdrawal as it would go with what is known of the owner's wishes: for checks, previews and the report. */
export function rehearseWithdrawal(
  field: Field,
  emit: Emit,
  choose: (request: OverlordQuestion) => string[] = ({ fallback }) => fallback,
): void {
  const run = withdraw(field, emit);
  let step = run.next();
  while (!step.done) {
    step = run.next(
      step.value.map((request) => ({ id: request.id, chosen: choose(request), by: 'doctrine' as const })),
    );
  }
}

interface Candidate {
  unit: number;
  distance: number;
  way: number[];
}

function* withdrawFor(
  field: Field,
  hex: string,
  factors: number,
  emit: Emit,
): Generator<OverlordQuestion[], number, Decision[]> {
  const { campaign } = field;
  const name = (unit: number): string => campaign.units[unit]!.id;
  const { candidates, passedOver } = candidatesFor(field, hex);
  const taken: Candidate[] = [];
  let removed = 0;
  while (removed < factors && candidates.length > 0) {
    const distance = candidates[0]!.distance;
    const tied = candidates.filter((candidate) => candidate.distance === distance);
    candidates.splice(0, tied.length);
    const total = tied.reduce((sum, { unit }) => sum + campaign.units[unit]!.cf, 0);
    const choice = removed + total > factors && tied.length > 1;
    const going = choice ? yield* chooseTied(field, hex, tied, factors - removed) : tied;
    taken.push(...going);
    removed += going.reduce((sum, { unit }) => sum + campaign.units[unit]!.cf, 0);
  }
  const paths: Record<string, string[]> = {};
  for (const { unit, way } of taken) {
    paths[name(unit)] = way.map((cell) => campaign.board.grid.ids[cell]!);
    place(field, unit, 'withdrawn');
  }
  emit({
    type: 'withdrawal',
    audience: 'all',
    rule: 'OVL-VIC-03',
    hex,
    factors,
    units: taken.map(({ unit }) => name(unit)),
    removed,
    passedOver: passedOver.map(name),
    paths,
  });
  return removed;
}

/** Germans on the map by distance from the exit hex, then lowest factor, with their quickest way off (OVL-VIC-04, 05). */
function candidatesFor(field: Field, hex: string): { candidates: Candidate[]; passedOver: number[] } {
  const { campaign } = field;
  const { board } = campaign;
  const exit = board.grid.index.get(hex)!;
  const candidates: Candidate[] = [];
  const passedOver: number[] = [];
  campaign.units.forEach((counter, unit) => {
    const at = field.at[unit]!;
    if (counter.side !== 'german' || at < 0) return;
    const way = wayOff(field, unit);
    if (way) candidates.push({ unit, distance: hexDistance(board.grid, exit, at), way });
    else passedOver.push(unit);
  });
  const cf = (unit: number): number => campaign.units[unit]!.cf;
  candidates.sort((a, b) => a.distance - b.distance || cf(a.unit) - cf(b.unit) || a.unit - b.unit);
  return { candidates, passedOver };
}

/** The quickest way of a unit to an edge of its own without entering Allied units; undefined when there is none. */
function wayOff(field: Field, unit: number): number[] | undefined {
  const { board, units } = field.campaign;
  const counter = units[unit]!;
  const found = flood(board.grid, [field.at[unit]!], WAY_MAX, (from, to, dir) =>
    board.sea[to] === 1 || heldBy(field, to, 'allied') ? -1 : stepCost(field, counter, from, to, dir),
  );
  let best: number | undefined;
  for (const cell of board.germanSources) {
    const cost = found.cost[cell]!;
    if (cost >= 0 && (best === undefined || cost < found.cost[best]!)) best = cell;
  }
  return best === undefined ? undefined : pathTo(found, best);
}

/**
 * Not all units at one distance are needed: the owner says which go first. Without a wish, and for what his wish leaves
 * due, those go that come nearest to the number due, then the lowest factors (OVL-VIC-03, OVR-32).
 */
function* chooseTied(
  field: Field,
  hex: string,
  tied: readonly Candidate[],
  due: number,
): Generator<OverlordQuestion[], Candidate[], Decision[]> {
  const { campaign } = field;
  const names = tied.map(({ unit }) => campaign.units[unit]!.id);
  const units = tied.map(({ unit }) => unit);
  const { distance } = tied[0]!;
  const least = (from: readonly number[], owing: number): number[] => leastCover(campaign, from, owing * FACTOR);
  const [decision] = yield [
    {
      id: `withdrawal for ${hex} at distance ${distance}`,
      to: 'german',
      kind: 'withdraw',
      about: { kind: 'withdraw', hex, distance },
      options: asWritten(names),
      min: 1,
      max: names.length,
      fallback: least(units, due).map((unit) => campaign.units[unit]!.id),
      words: { key: 'overlord.ask withdraw', params: { hex, distance } },
      rule: 'OVL-VIC-05',
    },
  ];
  const going: number[] = [];
  let owing = due;
  for (const name of new Set(decision?.chosen ?? [])) {
    if (owing <= 0 || !names.includes(name)) continue;
    going.push(units[names.indexOf(name)]!);
    owing -= campaign.units[going.at(-1)!]!.cf;
  }
  const rest = units.filter((unit) => !going.includes(unit));
  if (owing > 0) going.push(...least(rest, owing));
  return going.map((unit) => tied[units.indexOf(unit)]!);
}
