/** Assault: launch, dice, and what winner and loser do (6.3; windows W8 and W9). */
import { sectorOf } from '../../../board/square.ts';
import { known as must } from '../../../kernel/assert.ts';
import { floorDiv } from '../../../kernel/fraction.ts';
import { type Book, placeOf } from '../content/opened.ts';
import type { Asking, Play } from '../counters/play.ts';
import { reveal } from '../counters/states.ts';
import {
  abilitiesOf,
  assaultValues,
  centreOf,
  classOf,
  faceOf,
  findUnit,
  footprintOf,
  SUPPRESSED_PENALTY,
  squaresOf,
  unitsOn,
} from '../counters/units.ts';
import type { Sum, Term } from '../events.ts';
import { withDice } from '../fight/attack.ts';
import { type Boost, noBoost, plannedMove, playBonuses, useGear } from '../fight/bonus.ts';
import { rollDestruction, structureAt } from '../fight/destruction.ts';
import { onBoard, suppress } from '../fight/effects.ts';
import { type Rolled, rollDice } from '../fight/rolls.ts';
import { targetNamed } from '../fight/targets.ts';
import { coverOf } from '../ground/ground.ts';
import { stepRefusal } from '../ground/steps.ts';
import { neighbour } from '../ground/vehicles.ts';
import { legalPrefix, startWalk } from '../ground/walk.ts';
import type { AssaultAction, MoveAction, Rider } from '../language.ts';
import { never, type Refusal, refuse } from '../refusal.ts';
import type { Known, NormandieUnit, RollResult } from '../types.ts';
import { attackerWins, automatic, defenderWins, type Entry, takePlace } from './aftermath.ts';
import { finish, go, setOut, settle, type Travel, window } from './movement.ts';
import { flipped, moveRefusal, type Needs, needsOf, rulesFor } from './plan.ts';

/** Why a unit can't assault a target at all: ability, Combat Value (6.3-a, 6.3-d). */
function assaultRefusal(book: Book, known: Known, unit: NormandieUnit, target: NormandieUnit): Refusal | undefined {
  const params = { unit: unit.code, target: target.code };
  if (target.side === unit.side) return never('OWN UNIT', '6.3-a', params);
  if (target.aboard !== null) return refuse('ABOARD', '6.6-transport-d', params);
  if (unit.concealed !== null) return refuse('TURN OVER FIRST', '6.1-ambush-e', params);
  if (!('assault' in abilitiesOf(book, known, unit))) return never('NO ASSAULT', '6.3-a', params);
  const values = assaultValues(book, known, unit, true);
  if (!values || values[classOf(book, target)] === 'X') return never('CANNOT HARM', '6.3-d', params);
  return undefined;
}

/** Why the assault can't be launched from where the unit stands now (6.3-g, 6.3-h). */
function launchRefusal(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  target: NormandieUnit,
  left: number,
  windows: number,
): Refusal | undefined {
  const params = { unit: unit.code, target: target.code };
  const refused = assaultRefusal(book, known, unit, target);
  if (refused) return refused;
  if (left < 1) return refuse('NO MOVE LEFT', '6.3-h', params);
  if (unit.aboard !== null) {
    const vehicle = findUnit(known.table, unit.aboard);
    if (!vehicle || !('transport' in abilitiesOf(book, known, vehicle))) return refuse('ABOARD', '6.3-g', params);
  } else if (squaresOf(unit).some((name) => unitsOn(known.table, name).some((other) => other.code !== unit.code)))
    return refuse('OCCUPIED', '6.3-g', params);
  return entryOf(book, known, unit, target, windows) === undefined
    ? refuse('NOT ADJACENT', '6.3-g', params)
    : undefined;
}

/** Own square and enemy square between which the assault is made. A long vehicle drives straight on or back. */
export function entryOf(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  target: NormandieUnit,
  windows: number,
): { from: string; to: string } | undefined {
  for (const to of squaresOf(target)) {
    for (const from of footprintOf(known.table, unit)) {
      if (unit.rear !== null && !straightOn(book, unit, to)) continue;
      if (unit.rear !== null && from !== (neighbour(book, unit.at, unit.facing) === to ? unit.at : unit.rear)) continue;
      const ghost = { ...unit, at: from };
      const refusal = stepRefusal(book, known, ghost, from, to, { assault: true, window: windows > 0 });
      if (!refusal) return { from, to };
    }
  }
  return undefined;
}

function straightOn(book: Book, unit: NormandieUnit, to: string): boolean {
  const back = ((unit.facing + 4) % 8) as NormandieUnit['facing'];
  return neighbour(book, unit.at, unit.facing) === to || neighbour(book, unit.rear!, back) === to;
}

/** Why the whole order can't be carried out as the board stands, for checks and scripts. */
export function assaultOrderRefusal(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  action: AssaultAction,
  riders: readonly Rider[] = [],
): Refusal | undefined {
  const target = targetNamed(known, action.at);
  if (!target) return refuse('TARGET GONE', '6.3-a', { target: action.at });
  let mover = unit;
  if (action.flip === 'start') {
    const turned = flipped(book, known, unit);
    if (!('at' in turned)) return turned;
    mover = turned;
  }
  const refused = assaultRefusal(book, known, mover, target);
  if (refused) return refused;
  const windows = riders.filter((rider) => rider.rider === 'card' && rider.card === 'surprise').length;
  const { budget } = rulesFor(book, known, mover, 'activation', plannedMove(book, known, unit, riders));
  if (action.via.length === 0) return launchRefusal(book, known, mover, target, budget, windows);
  const path = moveRefusal(book, known, unit, wayOf(action), 'activation', riders);
  if (path.steps < action.via.length || !path.end) return path.refusal ?? refuse('NOT ADJACENT', '6.3-g', {});
  if (path.end.halted) return refuse('MUST STOP', '5.1-diff-a', { at: path.end.at });
  const { at, rear, facing, aboard, spent } = path.end;
  const arrived = { ...path.mover, at, rear, facing, aboard };
  return launchRefusal(book, known, arrived, target, budget - spent, windows);
}

/** A Movement Action that ends in an assault. */
export function* assaultAction(
  play: Play,
  unit: NormandieUnit,
  action: AssaultAction,
  riders: readonly Rider[],
): Asking<void> {
  const named = targetNamed(play.known, action.at);
  const travel = yield* setOut(
    play,
    unit,
    action.flip,
    riders,
    'activation',
    true,
    assaultNeeds(play, unit, action, riders),
  );
  if (!travel) return finish(play);
  travel.assaults = named?.code ?? null;
  yield* go(play, travel, action.via);
  if (!onBoard(play, unit)) return finish(play);
  const target = targetNamed(play.known, action.at);
  if (target && !play.mover?.stopped && !travel.walk.halted)
    yield* launch(play, travel, target, action.via.length === 0);
  if (onBoard(play, unit)) yield* settle(play, travel);
  finish(play);
}

/** The way to the launch square, the step into the enemy's, and a window between them. */
function assaultNeeds(play: Play, unit: NormandieUnit, action: AssaultAction, riders: readonly Rider[]): Needs {
  const { book, known } = play;
  const move = wayOf(action);
  const way = needsOf(book, known, unit, move, 'activation', riders);
  const target = targetNamed(known, action.at);
  const rules = rulesFor(book, known, unit, 'activation', 0, riders);
  const far = { ...rules, budget: way.squares, windows: way.windows };
  const { end } = legalPrefix(book, known, unit, startWalk(unit, far), action.via, far);
  const there = { ...unit, at: end.at, rear: end.rear, facing: end.facing, aboard: end.aboard };
  const window =
    target !== undefined && !entryOf(book, known, there, target, 0) && entryOf(book, known, there, target, 1);
  return { squares: way.squares + 1, windows: way.windows + (window ? 1 : 0) };
}

function wayOf(action: AssaultAction): MoveAction {
  return { do: 'move', unit: action.unit, steps: action.via, ...(action.flip ? { flip: action.flip } : {}) };
}

function* launch(play: Play, travel: Travel, target: NormandieUnit, fromStart: boolean): Asking<void> {
  const { unit } = travel;
  const left = (): number => travel.rules.budget - travel.walk.spent;
  const check = (): Refusal | undefined =>
    launchRefusal(play.book, play.known, unit, target, left(), travel.walk.windows);
  let refusal = check();
  if (!refusal && fromStart) {
    travel.assaults = target.code;
    yield* window(play, travel, unit.at, 'step', target.code);
    if (!onBoard(play, unit) || !onBoard(play, target) || play.mover?.stopped) return;
    refusal = check();
  }
  if (refusal) {
    play.emit({
      type: 'stopped',
      audience: [unit.side],
      unit: unit.code,
      at: unit.at,
      why: refusal.code,
      rule: refusal.rule,
    });
    return;
  }
  const entry = must(entryOf(play.book, play.known, unit, target, travel.walk.windows), 'no way in');
  yield* resolve(play, unit, target, entry, travel);
}

/** The combat itself (6.3-n to 6.3-v). */
function* resolve(play: Play, unit: NormandieUnit, target: NormandieUnit, entry: Entry, travel: Travel): Asking<void> {
  const { book, known } = play;
  reveal(play, target, 'assault');
  if (outOfArc(book, known, target, entry)) yield* suppress(play, target, 1, 'assaulted outside its arc');
  if (!onBoard(play, target)) return;
  const structure = structureAt(play, entry.to);
  const defends = assaultValues(book, known, target, false);
  if (!defends || defends[classOf(book, unit)] === 'X') {
    play.emit({
      type: 'assault',
      audience: 'all',
      unit: unit.code,
      target: target.code,
      from: entry.from,
      attack: null,
      defense: null,
      result: 'won',
      automatic: true,
      rule: '6.3-t',
    });
    yield* automatic(play, unit, target, entry);
  } else {
    const result = yield* fight(play, unit, target, entry, travel, defends[classOf(book, unit)] as number);
    if (result === 'won') yield* attackerWins(play, unit, target, entry);
    else if (result === 'lost') yield* defenderWins(play, unit, target, entry);
    else if (classOf(book, unit) !== 'inf' && classOf(book, target) === 'inf')
      yield* takePlace(play, unit, target, entry);
  }
  const dice = onBoard(play, unit) ? destructionOf(book, known, unit) : 0;
  if (dice > 0 && structure !== undefined)
    yield* rollDestruction(
      play,
      { side: unit.side, unit: unit.code },
      dice,
      structure,
      `${unit.code} assaults ${target.code}`,
    );
}

function destructionOf(book: Book, known: Known, unit: NormandieUnit): number {
  return abilitiesOf(book, known, unit).destruction ?? 0;
}

/** Has the defender a firing arc that the attacker is outside of (6.3-arc-a)? */
function outOfArc(book: Book, known: Known, target: NormandieUnit, entry: Entry): boolean {
  const face = faceOf(book, known, target);
  const arcs = face?.weapons ? face.weapons.map((weapon) => weapon.arc) : [face?.abilities['limited-fire-arc'] ?? 360];
  if (!arcs.every((arc) => arc < 360)) return false;
  return sectorOf(target.facing, centreOf(book, known.table, target), placeOf(book, entry.from).centre) === 'outside';
}

function* fight(
  play: Play,
  unit: NormandieUnit,
  target: NormandieUnit,
  entry: Entry,
  { riders, boost }: Pick<Travel, 'riders' | 'boost'>,
  defends: number,
): Asking<'won' | 'lost' | 'tie'> {
  const { book, known } = play;
  const attacks = assaultValues(book, known, unit, true)![classOf(book, target)] as number;
  play.table.moment = {
    at: 'assault',
    stage: 'declared',
    unit: unit.code,
    target: target.code,
    from: entry.from,
    chance: winChance(book, known, unit, target, entry),
  };
  // One type of Alternate Bonus for the whole action, the way to the launch square included (4.2-j).
  const attacker: Boost = { ...noBoost(), type: boost.type };
  const boosts = [attacker, noBoost()] as const;
  play.boosted.delete(target.code);
  if (boost.type !== null) play.boosted.set(unit.code, boost.type);
  yield* useGear(play, unit, 'assault', riders, boosts[0], false);
  yield* playBonuses(play, unit, 'assault', riders, boosts[0], target.code);
  yield* useGear(play, target, 'assault', [], boosts[1], false);
  yield* playBonuses(play, target, 'assault', [], boosts[1], unit.code);
  const attackTerms = [...sideTerms(book, known, unit, attacks), ...boosts[0].terms];
  const defenseTerms = [
    ...sideTerms(book, known, target, defends),
    ...coverTerms(book, known, target, entry),
    ...boosts[1].terms,
  ];
  const attacked = yield* assaultRoll(play, unit, target, 2, attackTerms, null);
  const attack = withDice(attacked.dice, [...attackTerms, ...attacked.more], []);
  const count = 'assault' in abilitiesOf(book, known, target) ? 2 : 1;
  const defended = yield* assaultRoll(play, target, unit, count, defenseTerms, attack.total);
  const defense = withDice(defended.dice, [...defenseTerms, ...defended.more], []);
  const result = attack.total > defense.total ? 'won' : attack.total < defense.total ? 'lost' : 'tie';
  tellAssault(play, unit, target, entry, attack, defense, result);
  return result;
}

function tellAssault(
  play: Play,
  unit: NormandieUnit,
  target: NormandieUnit,
  entry: Entry,
  attack: Sum,
  defense: Sum,
  result: 'won' | 'lost' | 'tie',
): void {
  play.emit({
    type: 'assault',
    audience: 'all',
    unit: unit.code,
    target: target.code,
    from: entry.from,
    attack,
    defense,
    result,
    automatic: false,
    rule: '6.3-u',
  });
}

/** Combat Value, the number beside Assault, Suppressed Markers (6.3-b, 6.3-supp-a). */
function sideTerms(book: Book, known: Known, unit: NormandieUnit, value: number): Term[] {
  const terms: Term[] = [{ what: 'value', n: value, rule: '6.3-n' }];
  const number = abilitiesOf(book, known, unit).assault ?? 0;
  if (number > 0) terms.push({ what: 'assault', n: number, rule: '6.3-b' });
  if (unit.suppressed > 0)
    terms.push({ what: 'suppressed', n: -SUPPRESSED_PENALTY * unit.suppressed, rule: '6.3-supp-a' });
  return terms;
}

/** The defender's terrain, unless both are in the same room or position (6.3-p, R15). */
function coverTerms(book: Book, known: Known, target: NormandieUnit, entry: Entry): Term[] {
  const cover = coverOf(book, known.table, target, classOf(book, target), [placeOf(book, entry.from)], 'room');
  return cover.value > 0 ? [{ what: cover.what, n: cover.value, of: cover.place, rule: '6.3-p' }] : [];
}

function* assaultRoll(
  play: Play,
  roller: NormandieUnit,
  enemy: NormandieUnit,
  count: number,
  terms: readonly Term[],
  against: number | null,
): Asking<Rolled> {
  const role = against === null ? 'assaults' : 'defends against';
  return yield* rollDice(play, {
    side: roller.side,
    unit: roller.code,
    target: enemy.code,
    purpose: 'assault',
    context: `${roller.code} ${role} ${enemy.code}`,
    count,
    judge: (dice, more) => {
      const { total } = withDice(dice, [...terms, ...more], []);
      const effect: RollResult['effect'] =
        against === null ? 'none' : total > against ? 'won' : total < against ? 'lost' : 'tie';
      return { total, need: against ?? 0, result: { effect } };
    },
    chance: 50,
    declared: true,
  });
}

/** Per cent that the attacker's total is higher, on public facts and without cards; also for ODDS of an assault. */
export function winChance(book: Book, known: Known, unit: NormandieUnit, target: NormandieUnit, entry: Entry): number {
  const attacks = assaultValues(book, known, unit, true)?.[classOf(book, target)];
  const defends = assaultValues(book, known, target, false)?.[classOf(book, unit)];
  if (attacks === undefined || attacks === 'X') return 0;
  if (defends === undefined || defends === 'X') return 100;
  const sum = (terms: readonly Term[]): number => terms.reduce((total, term) => total + term.n, 0);
  const plus = sum(sideTerms(book, known, unit, attacks));
  const minus = sum([...sideTerms(book, known, target, defends), ...coverTerms(book, known, target, entry)]);
  const best = (dice: number, top: number): number => top ** dice - (top - 1) ** dice;
  const count = 'assault' in abilitiesOf(book, known, target) ? 2 : 1;
  let wins = 0;
  for (let a = 1; a <= 6; a++)
    for (let d = 1; d <= 6; d++) if (a + plus > d + minus) wins += best(2, a) * best(count, d);
  return floorDiv(100 * wins, 36 * 6 ** count);
}
