/** Objectives, points, the end of the game (3-b, 2.1-i, 3.2.3-break, analysis 4). */
import { known as must } from '../../../kernel/assert.ts';
import { armyCost } from '../content/lint.ts';
import type { Book } from '../content/opened.ts';
import type { Play } from '../counters/play.ts';
import { classOf, enemyOf, squaresOf } from '../counters/units.ts';
import { type NormandieSide, type Objective, SIDES } from '../data.ts';
import type { Known, NormandieTable } from '../types.ts';

/** Squares of an objective that stands. */
function squaresOfObjective(book: Book, table: NormandieTable, objective: Objective): string[] {
  if (objective.kind !== 'building') return objective.squares;
  if (table.rubble.includes(objective.building ?? '')) return [];
  return [...book.places.values()].filter((place) => place.building === objective.building).map((place) => place.name);
}

/** A side alone on an objective holds it until the other is alone there; vehicles do not hold buildings. */
export function updateHolders(play: Play): void {
  const { table, book } = play;
  for (const objective of table.objectives) {
    if (objective.kind === 'exit') continue;
    const squares = squaresOfObjective(book, table, objective);
    const there = table.units.filter(
      (unit) =>
        unit.aboard === null &&
        squaresOf(unit).some((name) => squares.includes(name)) &&
        (objective.kind !== 'building' || classOf(book, unit) === 'inf'),
    );
    const sides = new Set(there.map((unit) => unit.side));
    if (sides.size !== 1) continue;
    const [side] = sides;
    if (table.held[objective.id] === side) continue;
    table.held[objective.id] = side!;
    play.emit({ type: 'objective', audience: 'all', objective: objective.id, side: side!, points: 0 });
  }
}

/** Points scored for good at the end of a turn: objectives of that kind held now. */
export function scoreTurn(play: Play): void {
  const { table } = play;
  for (const objective of table.objectives) {
    if (objective.score !== 'each-turn' || play.draft.phase.turn < objective.from) continue;
    const side = table.held[objective.id];
    if (!side) continue;
    table.score[side] += objective.points;
    play.emit({ type: 'objective', audience: 'all', objective: objective.id, side, points: objective.points });
  }
}

/** Victory points now: scored for good, broken enemy tiles, objectives held at the end, destroyed characters. */
export function pointsOf(book: Book, known: Pick<Known, 'table'>): Record<NormandieSide, number> {
  const { table } = known;
  const points: Record<NormandieSide, number> = { us: table.score.us, ge: table.score.ge };
  for (const holder of table.tiles)
    if (holder.broken) points[enemyOf(holder.side)] += must(book.tiles.get(holder.tile), 'no tile').victoryPoints;
  for (const objective of table.objectives) {
    const side = table.held[objective.id];
    const stands = objective.kind !== 'building' || !table.rubble.includes(objective.building ?? '');
    if (objective.score === 'end' && side && stands) points[side] += objective.points;
  }
  for (const member of table.roster)
    if (member.fate === 'lost' && book.counters.get(member.type)?.character)
      points[enemyOf(member.side)] += book.data.scenario.characterPoints;
  return points;
}

/** Ends the game if it is decided: annihilation (not on turn 1), or points at the turn limit (3-b). */
export function checkEnd(play: Play): void {
  const { table, book } = play;
  const { turn } = play.draft.phase;
  const score = pointsOf(book, play.known);
  if (book.data.scenario.annihilation && turn > 1) {
    const gone = SIDES.filter((side) => !table.roster.some((member) => member.side === side && member.fate !== 'lost'));
    if (gone.length > 0) {
      end(play, gone.length === 2 ? 'draw' : enemyOf(gone[0]!), 'annihilation', score);
      return;
    }
  }
  if (turn < table.turns) return;
  end(play, winnerBy(book, table, score), 'points', score);
}

function winnerBy(book: Book, table: NormandieTable, score: Record<NormandieSide, number>): NormandieSide | 'draw' {
  if (score.us !== score.ge) return score.us > score.ge ? 'us' : 'ge';
  const { tie } = book.data.scenario;
  if (tie !== 'lower-cost') return tie;
  const cost = (side: NormandieSide): number =>
    armyCost(
      book.data,
      table.tiles
        .filter((each) => each.side === side && each.parent === null)
        .map((each) => ({ tile: each.tile, slots: each.slots })),
    );
  return cost('us') === cost('ge') ? 'draw' : cost('us') < cost('ge') ? 'us' : 'ge';
}

/** Sudden Death: no token to assign (3.1-i); both at once is a draw. */
export function endBySuddenDeath(play: Play, sides: readonly NormandieSide[]): void {
  play.emit({ type: 'sudden-death', audience: 'all', sides: [...sides], rule: '3.1-i' });
  end(play, sides.length === 2 ? 'draw' : enemyOf(sides[0]!), 'sudden death', pointsOf(play.book, play.known));
}

function end(play: Play, winner: NormandieSide | 'draw', reason: string, score: Record<NormandieSide, number>): void {
  play.table.ended = { winner, reason, score };
  play.emit({ type: 'outcome', audience: 'all', winner, reason, score });
}
