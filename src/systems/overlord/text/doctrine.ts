/** What a side's own clauses and doctrine say to a question: clause first, then doctrine, then ASK. */

import { edgeHas } from '../../../board/edges.ts';
import { directionTo, hexDistance } from '../../../board/hex.ts';
import { valuesOf } from '../../../kernel/questions.ts';
import type { Filed, Param, View } from '../../../kernel/types.ts';
import { advanceText, attackName, pathsFor } from '../combat/advance.ts';
import { doctrinePayment } from '../combat/losses.ts';
import { type Campaign, indexOf, ROAD } from '../content/campaign.ts';
import { mayStack, openField } from '../field/field.ts';
import type {
  AttackOrder,
  DoctrineOrder,
  Overlord,
  OverlordAbout,
  OverlordQuestion,
  OverlordStanding,
  OverlordTable,
} from '../types.ts';

/** Is a standing order one for this side and this game? NAVAL needs its module and at most four factors (house). */
export function standingFault(
  campaign: Campaign,
  view: View<Overlord>,
  order: OverlordStanding,
): { code: string; params: Record<string, Param>; rule: string } | undefined {
  const { options } = view.table;
  const wrong = (side: string): { code: string; params: Record<string, Param>; rule: string } => ({
    code: 'WRONG SIDE',
    params: { verb: `${order.verb} ${order.about.toUpperCase()}`, side },
    rule: 'OVL-SEQ-01',
  });
  if (order.about === 'withdraw' && view.viewer === 'allied') return wrong('German');
  if (order.verb !== 'DOCTRINE') return undefined;
  if (order.about === 'naval') {
    if (view.viewer !== 'allied') return wrong('Allied');
    if (!options.naval && !order.withdraw)
      return { code: 'MODULE OFF', params: { module: 'NAVAL' }, rule: 'OVL-CLR-10' };
    const most = campaign.data.house.naval.mostPerBattle;
    if ((order.most ?? 0) > most)
      return { code: 'NAVAL OVER 4', params: { naval: order.most ?? 0, most }, rule: 'OVL-CLR-10' };
  }
  const foreign = order.values.find((name) => {
    const formation = campaign.formations.get(name.split('/')[0]!);
    return formation !== undefined && formation.side !== view.viewer;
  });
  return foreign === undefined ? undefined : { code: 'NOT YOURS', params: { unit: foreign }, rule: 'OVL-SEQ-01' };
}

type Said = { chosen: string[]; by: 'order' | 'doctrine' } | 'ask' | undefined;

/** Answers a question from what its owner has on file; `ask` puts it to the player, undefined leaves the fallback. */
export function settleQuestion(
  campaign: Campaign,
  table: OverlordTable,
  turn: number,
  filed: Filed<Overlord>,
  request: OverlordQuestion,
  mayAsk: boolean,
): Said {
  const asks =
    mayAsk && filed.standing.some((order) => order.verb === 'ASK' && order.about === request.kind && !order.withdraw);
  const order = orderOf(filed, request);
  if (order) {
    const said = clause(campaign, order, request);
    if (said) return { chosen: said, by: 'order' };
  }
  const rule = doctrineFor(filed.standing, request.kind === 'breakout' ? 'advance' : request.kind);
  const chosen = rule && byDoctrine(campaign, table, turn, rule, request);
  if (chosen) return { chosen, by: 'doctrine' };
  return asks ? 'ask' : undefined;
}

function doctrineFor(standing: readonly OverlordStanding[], about: string): DoctrineOrder | undefined {
  for (const order of standing) if (order.verb === 'DOCTRINE' && order.about === about && !order.withdraw) return order;
  return undefined;
}

/** The ATTACK line that a question is about. */
function orderOf(filed: Filed<Overlord>, { about }: OverlordQuestion): AttackOrder | undefined {
  if (!('line' in about)) return undefined;
  for (const order of filed.orders)
    if (order.verb === 'ATTACK' && order.line === about.line && attackName(order) === about.attack) return order;
  return undefined;
}

/** The clause of the order that answers, as the choices of the request; undefined when there is none. */
function clause(campaign: Campaign, order: AttackOrder, request: OverlordQuestion): string[] | undefined {
  const unitsOf = (name: string): string[] => campaign.formations.get(name)?.units ?? [name];
  const { about } = request;
  if (about.kind === 'losses') {
    const wished = order.losses.flatMap(unitsOf).filter((unit) => valuesOf(request).includes(unit));
    return wished.length > 0 ? [...new Set(wished)] : undefined;
  }
  if (about.kind !== 'advance' && about.kind !== 'breakout') return undefined;
  const paths = pathsFor(order, about.kind === 'breakout');
  if (paths.length === 0) return undefined;
  const open = new Set(about.units);
  return paths.flatMap(({ unit, path, edge }) =>
    unitsOf(unit)
      .filter((name) => open.has(name))
      .map((name) => advanceText({ unit: name, path, edge })),
  );
}

function byDoctrine(
  campaign: Campaign,
  table: OverlordTable,
  turn: number,
  rule: DoctrineOrder,
  request: OverlordQuestion,
): string[] | undefined {
  const { about } = request;
  switch (about.kind) {
    case 'retreat':
      return retreatBy(campaign, rule.values, about);
    case 'losses': {
      const units = valuesOf(request).map((name) => indexOf(campaign, name));
      return doctrinePayment(campaign, units, about.eighths, rule.values).map((unit) => campaign.units[unit]!.id);
    }
    case 'first':
    case 'withdraw': {
      const wished = rule.values.flatMap((name) => campaign.formations.get(name)?.units ?? [name]);
      const chosen = wished.filter((name) => valuesOf(request).includes(name));
      return chosen.length > 0 ? chosen : undefined;
    }
    case 'advance':
    case 'breakout':
      return advanceBy(campaign, table, turn, rule.values, about);
  }
}

/** RETREAT ROAD, EAST, 2313: each wish in turn narrows the equally cheap ways; undefined when none of them does. */
function retreatBy(
  campaign: Campaign,
  values: readonly string[],
  about: Extract<OverlordAbout, { kind: 'retreat' }>,
): string[] | undefined {
  const { grid, marks } = campaign.board;
  const from = grid.index.get(about.from)!;
  let ways = about.ways.map((way) => way.map((hex) => grid.index.get(hex)!));
  const before = ways.length;
  const keepLeast = (rank: (way: number[]) => number): void => {
    const least = Math.min(...ways.map(rank));
    ways = ways.filter((way) => rank(way) === least);
  };
  const offRoad = (way: number[]): number =>
    way.reduce((count, cell, i) => {
      const at = i === 0 ? from : way[i - 1]!;
      return count + (edgeHas(marks, at, directionTo(grid, at, cell), ROAD) ? 0 : 1);
    }, 0);
  // Rows of even columns lie half a hex lower.
  const south = (cell: number): number => grid.rows[cell]! * 2 + (grid.columns[cell]! % 2 === 0 ? 1 : 0);
  for (const value of values) {
    if (value === 'ROAD') keepLeast(offRoad);
    else if (value === 'EAST') keepLeast((way) => -grid.columns[way.at(-1)!]!);
    else if (value === 'WEST') keepLeast((way) => grid.columns[way.at(-1)!]!);
    else if (value === 'SOUTH') keepLeast((way) => -south(way.at(-1)!));
    else if (value === 'NORTH') keepLeast((way) => south(way.at(-1)!));
    else keepLeast((way) => hexDistance(grid, way.at(-1)!, grid.index.get(value)!));
  }
  if (ways.length === before) return undefined;
  return [ways[0]!.map((cell) => grid.ids[cell]!).join(' ')];
}

/** ADVANCE ONE or ALL: into the vacated hex, as many as may stack there, in the order listed. */
function advanceBy(
  campaign: Campaign,
  table: OverlordTable,
  turn: number,
  values: readonly string[],
  about: Extract<OverlordAbout, { line: number; units: string[] }>,
): string[] {
  const field = openField(campaign, structuredClone(table), turn);
  const chosen: string[] = [];
  const { units, target: hex } = about;
  const wanted = values.includes('ALL') ? units : units.slice(0, 1);
  let room = 0;
  const formations = new Set<string>();
  for (const name of wanted) {
    const unit = indexOf(campaign, name);
    const target = campaign.board.grid.index.get(hex)!;
    if (!mayStack(field, unit, target)) continue;
    formations.add(campaign.units[unit]!.formation);
    room += 1;
    if (room > 3 && formations.size > 1) break;
    chosen.push(advanceText({ unit: name, path: [hex], edge: null }));
  }
  return chosen;
}
