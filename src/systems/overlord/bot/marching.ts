/** Movement: Allies go for the edges where they may leave, Germans for the Allies or for the line that bars their way. */
import { flood, pathTo } from '../../../board/path.ts';
import { best, type Temper } from '../../../kernel/planner.ts';
import { exitCost } from '../field/exit.ts';
import { heldBy, inZoneOf, isIsolated, mayStack, place, stackIn } from '../field/field.ts';
import { allowanceOf, stepCost } from '../field/movement.ts';
import { enemyOf } from '../types.ts';
import { arrow, neighboursOf, type OverlordDesk, unitsWhere } from './playerdesk.ts';

/** Enemies and their zones on the way to the goal, in quarters. */
const THROUGH_ENEMY = 40;
const THROUGH_ZONE = 10;
const WAY_COST_MAX = 2000;
/** Where no way leads. */
const NOWHERE = 10_000;

const cells = (desk: OverlordDesk, wanted: (cell: number) => boolean): number[] =>
  desk.campaign.board.grid.ids.map((_, cell) => cell).filter(wanted);

/** How far every land hex lies from the edges where the Allies leave, round the enemy rather than through him. */
export function awayFromExits(desk: OverlordDesk): Int32Array {
  const { board } = desk.campaign;
  const goals = board.exitEdges.flatMap((edge) => board.edgeCells[edge]);
  return flood(board.grid, goals, WAY_COST_MAX, (_, to) => {
    if (board.sea[to] === 1) return -1;
    const enemy = heldBy(desk.field, to, 'german') ? THROUGH_ENEMY : 0;
    return board.enter[to]! + enemy + (inZoneOf(desk.field, to, 'german') ? THROUGH_ZONE : 0);
  }).cost;
}

/** How far every land hex lies from the nearest enemy. */
function awayFromEnemies(desk: OverlordDesk): Int32Array {
  const { board } = desk.campaign;
  const enemies = cells(desk, (cell) => heldBy(desk.field, cell, enemyOf(desk.side)));
  const step = (_: number, to: number): number => (board.sea[to] === 1 ? -1 : Math.max(2, board.enter[to]!));
  return flood(board.grid, enemies, WAY_COST_MAX, step).cost;
}

/** Combat factors of the enemy next to a cell. */
function threat(desk: OverlordDesk, cell: number): number {
  return neighboursOf(desk, cell)
    .filter((near) => heldBy(desk.field, near, enemyOf(desk.side)))
    .flatMap((near) => stackIn(desk.field, near))
    .reduce((sum, unit) => sum + desk.campaign.units[unit]!.cf, 0);
}

/** What stands in a cell with one more unit, with the ground's help. */
function strength(desk: OverlordDesk, unit: number, cell: number): number {
  const there = stackIn(desk.field, cell).filter((other) => other !== unit);
  const { units, board } = desk.campaign;
  return [...there, unit].reduce((sum, each) => sum + units[each]!.cf, 0) * board.defence[cell]!;
}

/** How much the enemy near a cell outweighs what would stand there: 0 while it can't attack at two to one. */
function risk(desk: OverlordDesk, unit: number, cell: number): number {
  return Math.max(0, threat(desk, cell) - 2 * strength(desk, unit, cell));
}

function reachOf(desk: OverlordDesk, unit: number) {
  const { board, units } = desk.campaign;
  const enemy = enemyOf(desk.side);
  const at = desk.field.at[unit]!;
  return flood(board.grid, [at], allowanceOf(desk.field, unit), (from, to, dir) => {
    if (board.sea[to] === 1 || heldBy(desk.field, to, enemy)) return -1;
    if (from !== at && inZoneOf(desk.field, from, enemy)) return -1;
    return stepCost(desk.field, units[unit]!, from, to, dir);
  });
}

/** Units that may move, the nearest to the goal first. */
function movers(desk: OverlordDesk, away: Int32Array): number[] {
  const { held } = desk.field.table;
  const free = unitsWhere(desk, (unit) => desk.field.at[unit]! >= 0).filter((unit) => {
    const counter = desk.campaign.units[unit]!;
    return !held.includes(counter.id) && !held.includes(counter.formation);
  });
  return free.sort((a, b) => away[desk.field.at[a]!]! - away[desk.field.at[b]!]! || a - b);
}

/** Sends a unit to the cell in reach that is worth most, if that beats where it stands. */
function goBest(desk: OverlordDesk, unit: number, worth: (cell: number) => number): void {
  const { units } = desk.campaign;
  const at = desk.field.at[unit]!;
  const reached = reachOf(desk, unit);
  const open = cells(desk, (cell) => reached.cost[cell]! >= 0 && mayStack(desk.field, unit, cell));
  const chosen = best([at, ...open], worth);
  if (chosen === undefined || chosen === at) return;
  desk.lines.push(`MOVE ${units[unit]!.id}${arrow(desk, pathTo(reached, chosen)!.slice(1))}`);
  place(desk.field, unit, chosen);
}

/** Leaves the board where it can this turn, in supply. */
function leaves(desk: OverlordDesk, unit: number): boolean {
  const { board, units } = desk.campaign;
  const at = desk.field.at[unit]!;
  const reached = reachOf(desk, unit);
  const left = allowanceOf(desk.field, unit);
  const exits = board.exitEdges
    .flatMap((edge) => board.edgeCells[edge])
    .filter((cell) => {
      const cost = reached.cost[cell]!;
      if (cost < 0) return false;
      return cell === at || (cost + exitCost(desk.field, cell) <= left && !inZoneOf(desk.field, cell, 'german'));
    });
  for (const cell of exits.sort((a, b) => reached.cost[a]! - reached.cost[b]!)) {
    place(desk.field, unit, cell);
    if (!isIsolated(desk.field, unit)) {
      desk.lines.push(`EXIT ${units[unit]!.id}${arrow(desk, pathTo(reached, cell)!.slice(1))}`);
      place(desk.field, unit, 'exited');
      return true;
    }
    place(desk.field, unit, at);
  }
  return false;
}

/** The Allies: whoever can leaves; the others go nearer to the edges, the careful ones only where they can stand. */
export function marchOut(desk: OverlordDesk, temper: Temper, away: Int32Array): void {
  const { board } = desk.campaign;
  let left = desk.campaign.data.house.unitsForVictory - desk.field.table.exits.length;
  for (const unit of movers(desk, away)) {
    if (left <= 0) return;
    if (leaves(desk, unit)) {
      left -= 1;
      continue;
    }
    goBest(desk, unit, (cell) => {
      if (away[cell]! < 0) return -NOWHERE;
      const near = inZoneOf(desk.field, cell, 'german') ? 8 : 0;
      const cautious = temper === 'careful' ? risk(desk, unit, cell) * 3 : 0;
      return near + board.defence[cell]! * (temper === 'careful' ? 4 : 2) - away[cell]! - cautious;
    });
  }
}

/** Bold Germans: at the Allies wherever they are. */
function goAtThem(desk: OverlordDesk): void {
  const { board } = desk.campaign;
  const away = awayFromEnemies(desk);
  for (const unit of movers(desk, away))
    goBest(desk, unit, (cell) => {
      if (away[cell]! < 0) return -NOWHERE;
      const near = inZoneOf(desk.field, cell, 'allied') ? 8 : 0;
      return near + board.defence[cell]! * 2 - away[cell]! - risk(desk, unit, cell);
    });
}

/** Careful Germans: a line of zones before the Allies, in ground that helps, on the side of the edges. */
function holdLine(desk: OverlordDesk): void {
  const { board } = desk.campaign;
  const away = awayFromEnemies(desk);
  const exits = awayFromExits(desk);
  for (const unit of movers(desk, away)) {
    // Without itself: what the others bar already.
    const from = desk.field.at[unit]!;
    const own = new Set([from, ...neighboursOf(desk, from)]);
    const barred = (cell: number): boolean => desk.field.zones.german[cell]! > (own.has(cell) && cell !== from ? 1 : 0);
    goBest(desk, unit, (cell) => {
      if (away[cell]! < 0 || exits[cell]! < 0) return -NOWHERE;
      const fresh = [cell, ...neighboursOf(desk, cell)].filter((near) => board.sea[near] === 0 && !barred(near)).length;
      const forward = Math.min(60, away[cell]!);
      const mates = stackIn(desk.field, cell).filter((other) => other !== unit).length;
      const support = inZoneOf(desk.field, cell, 'allied') ? mates * 6 : -mates * 2;
      return fresh * 3 + board.defence[cell]! * 6 + support - forward - exits[cell]! * 0.1 - risk(desk, unit, cell) * 2;
    });
  }
}

/** The Germans march. */
export function marchAgainst(desk: OverlordDesk, temper: Temper): void {
  if (temper === 'bold') goAtThem(desk);
  else holdLine(desk);
}
