/** Two players for tests: one who orders anything that might be legal, one who plays simply but sensibly. */
import { flood, pathTo } from '../../src/board/path.ts';
import type { View } from '../../src/kernel/types.ts';
import {
  arrive,
  arrow,
  awayFrom,
  beachesFor,
  deskOf,
  hexOf,
  nameOf,
  neighboursOf,
  type OverlordDesk,
  unitsWhere,
} from '../../src/systems/overlord/bot/playerdesk.ts';
import { oddsOf } from '../../src/systems/overlord/combat/odds.ts';
import type { Campaign } from '../../src/systems/overlord/content/campaign.ts';
import { heldBy, inZoneOf, mayStack, place, stackIn } from '../../src/systems/overlord/field/field.ts';
import { allowanceOf, stepCost } from '../../src/systems/overlord/field/movement.ts';
import { stepOf } from '../../src/systems/overlord/turn/phases.ts';
import { enemyOf, type Overlord } from '../../src/systems/overlord/types.ts';

/** A small generator with a seed: the same seed, the same game. */
export interface Chance {
  /** From 0 up to and without `n`. */
  below(n: number): number;
  pick<T>(items: readonly T[]): T;
  /** True once in `n`. */
  once(n: number): boolean;
}

export function chanceOf(seed: number): Chance {
  let at = seed >>> 0;
  const below = (n: number): number => {
    at = (at + 0x6d2b79f5) >>> 0;
    let x = Math.imul(at ^ (at >>> 15), at | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) % n;
  };
  return { below, pick: (items) => items[below(items.length)]!, once: (n) => below(n) === 0 };
}

// ---- the random player

/** Order lines that are mostly legal; what is not falls in the check, as a careless player's would. */
export function randomOrders(campaign: Campaign, view: View<Overlord>, chance: Chance): string[] {
  const desk = deskOf(campaign, view);
  const step = stepOf(view.table.options.mode, view.phase);
  if (!step || step.side !== desk.side) return chance.once(3) ? randomDoctrine(desk, chance) : [];
  if (step.name === 'set-up')
    return chance.once(2) ? [`INTERDICT ${randomRoad(desk, chance)} ${1 + chance.below(4)}`] : [];
  if (step.parts.includes('movement')) {
    randomArrivals(desk, chance);
    randomMoves(desk, chance);
  }
  if (step.parts.includes('combat')) {
    randomAttacks(desk, chance);
    if (desk.side === 'allied' && chance.once(2))
      desk.lines.push(`INTERDICT ${randomRoad(desk, chance)} ${1 + chance.below(4)}`);
  }
  if (chance.once(4)) desk.lines.push(...randomDoctrine(desk, chance));
  return desk.lines;
}

function randomRoad(desk: OverlordDesk, chance: Chance): string {
  const { board } = desk.campaign;
  return chance.pick(board.grid.ids.filter((_, cell) => board.onRoad[cell] === 1));
}

function randomDoctrine(desk: OverlordDesk, chance: Chance): string[] {
  const any = nameOf(desk, chance.pick(unitsWhere(desk, () => true)));
  const lines = [
    `DOCTRINE RETREAT ${chance.pick(['ROAD', 'EAST', 'SOUTH, WEST', 'NORTH', 'NONE', '2313'])}`,
    `DOCTRINE LOSSES ${chance.pick(['MIN', 'WEAK', `KEEP ${any}`, 'NONE'])}`,
    `DOCTRINE ADVANCE ${chance.pick(['ONE', 'ALL', 'NONE'])}`,
    `ASK ${chance.pick(['RETREAT', 'LOSSES', 'ADVANCE', 'BREAKOUT'])}${chance.once(2) ? ' OFF' : ''}`,
  ];
  if (desk.side === 'german') lines.push(`DOCTRINE WITHDRAW ${any}`, 'ASK WITHDRAW');
  else lines.push('DOCTRINE NAVAL 2009 2510 MAX 4');
  return [chance.pick(lines)];
}

function randomWay(desk: OverlordDesk, from: number, most: number, chance: Chance): number[] {
  const { board } = desk.campaign;
  const way: number[] = [];
  let at = from;
  for (let i = 0; i < most; i++) {
    const near = neighboursOf(desk, at).filter((cell) => board.sea[cell] === 0 && !way.includes(cell));
    if (near.length === 0) break;
    at = chance.pick(near);
    if (heldBy(desk.field, at, enemyOf(desk.side)) && !chance.once(20)) break;
    way.push(at);
  }
  return way;
}

function randomArrivals(desk: OverlordDesk, chance: Chance): void {
  for (const unit of unitsWhere(desk, (_, where) => where === 'off')) {
    if (chance.once(6)) continue;
    const name = nameOf(desk, unit);
    if (desk.side === 'german') desk.lines.push(`ENTER ${name}${chance.once(3) ? ' ROAD 5 AT 4215' : ''}`);
    else {
      const beaches = beachesFor(desk, unit);
      if (beaches.length === 0) continue;
      const beach = chance.pick(beaches);
      desk.lines.push(
        `LAND ${name} AT ${hexOf(desk, beach)}${arrow(desk, randomWay(desk, beach, chance.below(3), chance))}`,
      );
    }
  }
  if (desk.side === 'german') return;
  for (const unit of unitsWhere(desk, (_, where) => where === 'lost'))
    if (chance.once(8)) desk.lines.push(`REPLACE ${nameOf(desk, unit)} AT ${chance.pick(['2009', '2410', '0703'])}`);
}

function randomMoves(desk: OverlordDesk, chance: Chance): void {
  const { board } = desk.campaign;
  const enemies = board.grid.ids.map((_, cell) => cell).filter((cell) => heldBy(desk.field, cell, enemyOf(desk.side)));
  const goals = [
    awayFrom(desk, enemies),
    awayFrom(
      desk,
      board.exitEdges.flatMap((edge) => board.edgeCells[edge]),
    ),
  ];
  const there = awayFrom(desk, [...board.beaches.keys()]);
  for (const unit of unitsWhere(desk, (index) => desk.field.at[index]! >= 0)) {
    if (chance.once(4)) continue;
    const at = desk.field.at[unit]!;
    if (!desk.field.table.held.includes(desk.campaign.units[unit]!.formation) && !chance.once(3)) {
      goNearer(desk, unit, chance.once(2) ? there : chance.pick(goals));
      if (desk.field.at[unit] !== at) continue;
    }
    const way = randomWay(desk, at, 1 + chance.below(6), chance);
    const end = way.at(-1) ?? at;
    const onEdge = board.exitEdges.some((edge) => board.edgeCells[edge].includes(end));
    if (desk.side === 'allied' && onEdge) desk.lines.push(`EXIT ${nameOf(desk, unit)}${arrow(desk, way)}`);
    else if (way.length > 0) desk.lines.push(`MOVE ${nameOf(desk, unit)}${arrow(desk, way)}`);
    // The desk follows roughly, so that attacks are written from where units will be.
    if (way.length > 0 && mayStack(desk.field, unit, way[0]!) && !heldBy(desk.field, way[0]!, enemyOf(desk.side)))
      place(desk.field, unit, chance.once(2) ? way[0]! : at);
  }
}

function randomAttacks(desk: OverlordDesk, chance: Chance): void {
  const { board } = desk.campaign;
  const free = new Set(unitsWhere(desk, (index) => desk.field.at[index]! >= 0));
  for (let cell = 0; cell < board.grid.size; cell++) {
    if (!heldBy(desk.field, cell, enemyOf(desk.side)) || chance.once(3)) continue;
    const near = neighboursOf(desk, cell).flatMap((beside) =>
      stackIn(desk.field, beside).filter((unit) => free.has(unit)),
    );
    const attackers = near.filter(() => !chance.once(4));
    if (attackers.length === 0) continue;
    for (const unit of attackers) free.delete(unit);
    const names = attackers.map((unit) => nameOf(desk, unit));
    const target = hexOf(desk, cell);
    const foes = stackIn(desk.field, cell).map((unit) => nameOf(desk, unit));
    const more = [
      desk.side === 'allied' && chance.once(2) ? ` SUPPORT TAC ${1 + chance.below(4)}` : '',
      chance.once(3) ? ` LOSSES ${chance.pick(names)}` : '',
      chance.once(2) ? ` ADVANCE ${chance.pick(names)} -> ${target}` : '',
      chance.once(2)
        ? ` BREAKOUT ${chance.pick(names)}${arrow(desk, [cell, ...randomWay(desk, cell, 4, chance)])}`
        : '',
      chance.once(8) ? ` IF CLEAR ${hexOf(desk, chance.pick(neighboursOf(desk, cell)))}` : '',
      chance.once(8) ? ` IF STANDS ${chance.pick(foes)}` : '',
    ].join('');
    if (foes.length > 1 && names.length > 1 && chance.once(3)) {
      desk.lines.push(
        `ATTACK ${target} ONLY ${foes[0]} WITH ${names[0]}${more.replace(/ (LOSSES|ADVANCE|BREAKOUT).*/, '')}`,
      );
      desk.lines.push(`ATTACK ${target} ONLY ${foes.slice(1).join(' ')} WITH ${names.slice(1).join(' ')}`);
    } else desk.lines.push(`ATTACK ${target} WITH ${names.join(' ')}${more}`);
  }
}

// ---- the sensible player

const GOOD_ODDS = 2;

/** Comes on, goes where it matters, attacks at good odds with what air support there is, leaves the board when it can. */
export function sensibleOrders(campaign: Campaign, view: View<Overlord>): string[] {
  const desk = deskOf(campaign, view);
  const step = stepOf(view.table.options.mode, view.phase);
  if (!step || step.side !== desk.side) return [];
  if (step.name === 'set-up')
    return view.table.options.interdiction ? ['INTERDICT 2814 4, 2714 4', 'DOCTRINE ADVANCE ONE'] : [];
  if (step.parts.includes('movement')) {
    arrive(desk);
    march(desk);
  }
  if (step.parts.includes('combat')) strike(desk);
  return desk.lines;
}

/** Allies head for the south and east edges, Germans for the Allies; both stand where the ground helps. */
function march(desk: OverlordDesk): void {
  const { board } = desk.campaign;
  const enemy = enemyOf(desk.side);
  const enemies = board.grid.ids.map((_, cell) => cell).filter((cell) => heldBy(desk.field, cell, enemy));
  const exits = board.exitEdges.flatMap((edge) => board.edgeCells[edge]);
  const goals = desk.side === 'allied' ? exits : enemies;
  if (goals.length === 0) return;
  const away = awayFrom(desk, goals);
  const order = unitsWhere(desk, (index) => desk.field.at[index]! >= 0);
  order.sort((a, b) => away[desk.field.at[a]!]! - away[desk.field.at[b]!]! || a - b);
  for (const unit of order) {
    const counter = desk.campaign.units[unit]!;
    if (desk.field.table.held.includes(counter.id) || desk.field.table.held.includes(counter.formation)) continue;
    if (desk.side === 'allied' && exits.includes(desk.field.at[unit]!)) desk.lines.push(`EXIT ${counter.id}`);
    else goNearer(desk, unit, away);
  }
}

function goNearer(desk: OverlordDesk, unit: number, away: Int32Array): void {
  const { board, units } = desk.campaign;
  const counter = units[unit]!;
  const enemy = enemyOf(desk.side);
  const at = desk.field.at[unit]!;
  const reached = flood(board.grid, [at], allowanceOf(desk.field, unit), (from, to, dir) => {
    if (board.sea[to] === 1 || heldBy(desk.field, to, enemy)) return -1;
    if (from !== at && inZoneOf(desk.field, from, enemy)) return -1;
    return stepCost(desk.field, counter, from, to, dir);
  });
  const worth = (cell: number): number =>
    away[cell]! - board.defence[cell]! * 2 - (inZoneOf(desk.field, cell, enemy) ? 8 : 0);
  let best = at;
  for (let cell = 0; cell < board.grid.size; cell++)
    if (reached.cost[cell]! >= 0 && away[cell]! >= 0 && mayStack(desk.field, unit, cell) && worth(cell) < worth(best))
      best = cell;
  if (best === at) return;
  desk.lines.push(`MOVE ${counter.id}${arrow(desk, pathTo(reached, best)!.slice(1))}`);
  place(desk.field, unit, best);
}

function strike(desk: OverlordDesk): void {
  const { board } = desk.campaign;
  const free = new Set(unitsWhere(desk, (index) => desk.field.at[index]! >= 0));
  let tac = desk.side === 'allied' && desk.field.table.options.tac ? desk.field.table.options.tacPerTurn : 0;
  if (desk.field.table.weather !== 'clear') tac = 0;
  for (let cell = 0; cell < board.grid.size; cell++) {
    if (!heldBy(desk.field, cell, enemyOf(desk.side))) continue;
    const attackers = neighboursOf(desk, cell).flatMap((near) =>
      stackIn(desk.field, near).filter((unit) => free.has(unit)),
    );
    if (attackers.length === 0) continue;
    const support = { tac: 0, naval: 0, navalDefence: 0 };
    const strength = attackers.reduce((sum, unit) => sum + desk.campaign.units[unit]!.cf, 0);
    support.tac = Math.min(tac, 6, strength);
    const odds = oddsOf(desk.field, cell, attackers, [...stackIn(desk.field, cell)], support);
    if (!/^(\d+)-1$/.test(odds.ratio) || Number(odds.ratio.split('-')[0]) < GOOD_ODDS) continue;
    tac -= support.tac;
    for (const unit of attackers) free.delete(unit);
    const names = attackers.map((unit) => nameOf(desk, unit));
    const hex = hexOf(desk, cell);
    const air = support.tac > 0 ? ` SUPPORT TAC ${support.tac}` : '';
    desk.lines.push(
      `ATTACK ${hex} WITH ${names.join(' ')}${air} ADVANCE ${names[0]} -> ${hex} BREAKOUT ${names[0]} -> ${hex}`,
    );
  }
  const roads = board.grid.ids.filter((_, cell) => board.onRoad[cell] === 1 && inZoneOf(desk.field, cell, 'german'));
  const { weather, options } = desk.field.table;
  if (desk.side === 'allied' && tac > 0 && options.interdiction && weather === 'clear' && roads.length > 0)
    desk.lines.push(`INTERDICT ${roads[0]} ${Math.min(4, tac)}`);
}
