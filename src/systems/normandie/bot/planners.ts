/**
 * Two players by rule of Heroes of Normandie. Both give tokens to whoever can hurt the enemy most, send the others to the
 * objectives in the Supply Phase and leave questions to doctrine; the bold one takes worse chances and stands nearer.
 */
import { type Chance, type Planner, TEMPERS, type Temper } from '../../../kernel/planner.ts';
import { valuesOf } from '../../../kernel/questions.ts';
import type { Scenario } from '../../../kernel/types.ts';
import { actionRefusal } from '../actions/legality.ts';
import { moveRefusal } from '../actions/plan.ts';
import { armyFaults } from '../content/lint.ts';
import { openBook, standing } from '../content/opened.ts';
import { counterOf, enemyOf, ownCode } from '../counters/units.ts';
import type { ArmyTile, Data } from '../data.ts';
import { coverOf } from '../ground/ground.ts';
import type { DeployOrder, NormandieOrder } from '../language.ts';
import { printOrder } from '../text/print.ts';
import { placement, proposal } from '../turn/deployment.ts';
import { sampleArmy } from '../turn/recruitment.ts';
import { supplyRefusal } from '../turn/supply.ts';
import { isPersonal, tokensOf } from '../turn/tokens.ts';
import type { Known, Normandie, NormandieUnit, SideView } from '../types.ts';
import { type Blow, blowsOf, scriptOf } from './fighting.ts';
import { aimsOf, type UnitAim } from './goals.ts';
import { deskOf, FAR, type HeroesDesk, type Ways, waysTo } from './playerdesk.ts';
import { isMounted, planMove, seenFrom } from './walking.ts';

/** The two planners for a scenario. */
export function normandiePlanners(scenario: Scenario): Planner<Normandie>[] {
  const book = openBook(scenario.data as Data);
  const ways: Ways = new Map();
  return TEMPERS.map((temper) => ({
    temper,
    orders: (view: SideView, chance: Chance) => ordersOf(deskOf(book, view, temper, chance, ways)),
    answer: (_view, request) => (request.options.length === 0 ? [] : [valuesOf(request)[0]!]),
  }));
}

function ordersOf(desk: HeroesDesk): string[] {
  switch (desk.view.phase.step) {
    case 'recruit':
      return recruits(desk).map(printOrder);
    case 'setup':
      return deployments(desk).map(printOrder);
    case 'supply':
      return [...plansOf(desk, []).map(printOrder), 'KEEP ALL'];
    case 'tokens':
      return tokenOrders(desk, ranked(desk)).map(printOrder);
    default:
      return turnOrders(desk);
  }
}

/** The sample of the scenario; in a free battle its tiles with an option drawn for every slot that the points can fill. */
function recruits(desk: HeroesDesk): NormandieOrder[] {
  const { data } = desk.book;
  const budget = desk.view.table.points?.[desk.side] ?? 0;
  let army: ArmyTile[] = sampleArmy(data, desk.side, budget);
  if (data.scenario.armies[desk.side].length === 0) {
    const ids = [...data.options, ...data.tiles].map(({ id }) => id);
    const filled = (n: number, slot: string, id: string): ArmyTile[] =>
      army.map((each, i) => (i === n ? { ...each, slots: { ...each.slots, [slot]: id } } : each));
    for (const [n, { tile }] of army.entries()) {
      for (const slot of desk.book.tiles.get(tile)?.slots ?? []) {
        const options = ids.filter((id) => armyFaults(data, desk.side, filled(n, slot.id, id), budget).length === 0);
        if (options.length > 0) army = filled(n, slot.id, desk.chance.pick(options));
      }
    }
  }
  return army.map(({ tile, slots }, i) => ({ verb: 'RECRUIT', line: i + 1, tile, slots }));
}

/** From so many steps on a weapon is brought up packed. */
const FAR_OFF = 9;

/** Units stand as near to the objectives as the zone allows, in cover; mounted weapons where they see them. */
function deployments(desk: HeroesDesk): NormandieOrder[] {
  const { book, known, side } = desk;
  const scratch = { ...known, table: structuredClone(known.table) };
  const goals = known.table.objectives.flatMap((objective) =>
    objective.kind === 'building'
      ? [...book.places.values()].filter((place) => place.building === objective.building).map(({ name }) => name)
      : objective.squares,
  );
  const away = waysTo(desk, goals, 'inf');
  const proposed = new Map(proposal(book, known, side).map((order) => [order.unit, order]));
  const orders: NormandieOrder[] = [];
  for (const member of known.table.roster) {
    if (member.side !== side || member.fate !== 'unplaced') continue;
    const form = proposed.get(member.code);
    const start = form && placement(book, scratch, side, form);
    const infantry = book.counters.get(member.type)!.class === 'inf';
    const placed =
      infantry && goals.length > 0 ? bestPlace(desk, scratch, member.code, { goals, away }) : start && { unit: start };
    if (!placed || 'lasting' in placed.unit) continue;
    const { unit } = placed;
    scratch.table.units.push(unit);
    const order: DeployOrder = { verb: 'DEPLOY', line: orders.length + 1, unit: member.code, at: [unit.at] };
    if (unit.rear !== null) order.at.push(unit.rear);
    if (placed.face) order.face = placed.face;
    orders.push(order);
  }
  return orders;
}

type Placed = { unit: ReturnType<typeof placement>; face?: 'active' | 'inactive' };

function bestPlace(
  desk: HeroesDesk,
  scratch: Known,
  code: string,
  { goals, away }: { goals: readonly string[]; away: ReadonlyMap<string, number> },
): Placed | undefined {
  const { book, side, temper } = desk;
  let chosen: Placed | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const place of standing(book)) {
    const plain: DeployOrder = { verb: 'DEPLOY', line: 0, unit: code, at: [place.name] };
    const unit = placement(book, scratch, side, plain);
    if ('lasting' in unit) continue;
    const cover = coverOf(book, scratch.table, unit, 'inf', [], 'building').value;
    const distance = away.get(place.name) ?? FAR;
    const mounted = isMounted(desk, unit);
    const sees = mounted ? seenFrom(desk, place.name, goals) : 0;
    const worth = cover * (temper === 'careful' ? 3 : 2) + sees * 2 - distance * (mounted && sees > 0 ? 1 : 2);
    if (worth <= most) continue;
    most = worth;
    chosen = mounted && sees === 0 && distance >= FAR_OFF ? { unit, face: 'inactive' } : { unit };
  }
  return chosen;
}

/** A unit with what it would do if its order were shown now. */
interface Candidate {
  unit: NormandieUnit;
  blows: Blow[];
  aim: UnitAim;
  gain: number;
}

/** Units by what an order brings them, those that must have one first. */
function ranked(desk: HeroesDesk): Candidate[] {
  const aims = aimsOf(desk);
  const candidates = desk.own.map((unit): Candidate => {
    const blows = blowsOf(desk, unit);
    const aim = aims.get(unit) ?? { away: new Map<string, number>(), goals: [], leaves: false, worth: 0 };
    // Whoever has still far to go walks in the Supply Phase, where nobody fires.
    const hurry = aim.away.get(unit.at) ? Math.min(6, aim.away.get(unit.at) ?? 0) * aim.worth * 10 : 0;
    const bound = isPersonal(desk.book, desk.known, unit) ? 1_000_000 : 0;
    return { unit, blows, aim, gain: (blows[0]?.gain ?? 0) - hurry + bound };
  });
  return candidates.sort((a, b) => b.gain - a.gain);
}

function tokenOrders(desk: HeroesDesk, candidates: readonly Candidate[]): NormandieOrder[] {
  const { numbered } = tokensOf(desk.book, desk.known, desk.side, 0);
  return candidates
    .slice(0, numbered)
    .map(({ unit }, i) => ({ verb: 'TOKEN', line: i + 1, token: i + 1, unit: ownCode(desk.known, unit) }));
}

const DOCTRINE: Record<Temper, string> = {
  bold: 'DOCTRINE OPFIRE ALL YES IF ODDS >= 25',
  careful: 'DOCTRINE OPFIRE ALL YES IF ODDS >= 35',
};

/** Re-rolls, gear and the bonuses of cards are used where the roll is not sure; retreats go home. */
function doctrineOf(desk: HeroesDesk): string[] {
  const { book, known, side, temper } = desk;
  const home = known.table.zones[side].rows[0] > known.table.zones[enemyOf(side)].rows[0] ? 'S, N' : 'N, S';
  const has = (option: string): boolean =>
    known.table.gear.some((gear) => gear.side === side && gear.option === option);
  const lines = [DOCTRINE[temper], `DOCTRINE RETREAT ALL TOWARD ${home}`];
  if (has('veteran')) lines.push('DOCTRINE REROLL veteran OWN IF FAILED');
  if (has('ammo')) lines.push('DOCTRINE GEAR ammo ALL ALWAYS IN FIRE');
  if (has('knife')) lines.push('DOCTRINE GEAR knife ALL ALWAYS IN ASSAULT');
  for (const card of new Set(known.hands[side]?.cards ?? [])) {
    const { type } = book.cards.get(card)!.bonus;
    if (type !== 'move') lines.push(`DOCTRINE CARD ${card} AS BONUS ON ${type.toUpperCase()} IF CHANCE <= 70`);
  }
  return lines;
}

function turnOrders(desk: HeroesDesk): string[] {
  const { mode } = desk.view.table;
  const sealed = mode === 'sealed' || mode === 'one-mail';
  const candidates = ranked(desk);
  const tokens = sealed ? tokenOrders(desk, candidates) : [];
  const bears = candidates.filter(({ unit }, i) => (sealed ? i < tokens.length : unit.token === 'back'));
  const taken = new Set<string>();
  const scripts = bears.map(({ unit, blows, aim }): NormandieOrder => {
    const plan = planMove(desk, unit, aim, taken);
    const move = plan && !actionRefusal(desk.book, desk.known, unit, plan.move, []) ? plan.move : undefined;
    if (move && plan) taken.add(plan.at);
    const clauses = scriptOf(desk, unit, blows, move);
    return { verb: 'ON', line: 0, on: { unit: ownCode(desk.known, unit) }, clauses };
  });
  const moves =
    mode === 'one-mail'
      ? plansOf(
          desk,
          bears.map(({ unit }) => unit),
          taken,
        )
      : [];
  const keeps = mode === 'one-mail' ? ['KEEP ALL'] : [];
  return [...[...tokens, ...scripts, ...moves].map(printOrder), ...keeps, ...doctrineOf(desk)];
}

/** Moves of the Supply Phase for everybody but those who have a token. */
function plansOf(desk: HeroesDesk, bears: readonly NormandieUnit[], taken: Set<string> = new Set()): NormandieOrder[] {
  const aims = aimsOf(desk);
  const orders: NormandieOrder[] = [];
  for (const unit of desk.own) {
    const aim = aims.get(unit);
    if (!aim || bears.includes(unit) || supplyRefusal(desk.known, unit) || !counterOf(desk.book, desk.known, unit))
      continue;
    const plan = planMove(desk, unit, aim, taken);
    if (!plan) continue;
    const { move } = plan;
    if (moveRefusal(desk.book, desk.known, unit, move, 'supply').refusal) continue;
    taken.add(plan.at);
    orders.push({ verb: 'SUPPLY', line: orders.length + 200, move });
  }
  return orders;
}
