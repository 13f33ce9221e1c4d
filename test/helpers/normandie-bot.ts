/**
 * Players for whole games. `randomOrders` writes anything that might be legal, as data that is printed and read back like a
 * mail; `sensibleOrders` fires at what it can hit, else goes for the objectives. Both know only their own view.
 */

import { createHash } from 'node:crypto';
import { squaresBetween } from '../../src/board/square.ts';
import type { Rules } from '../../src/kernel/types.ts';
import { actionRefusal } from '../../src/systems/normandie/actions/legality.ts';
import { armyFaults } from '../../src/systems/normandie/content/lint.ts';
import { type Book, placeOf, standing } from '../../src/systems/normandie/content/opened.ts';
import { gearRefusal } from '../../src/systems/normandie/counters/gear.ts';
import { classOf, knownFrom, moveValue, ownCode, squaresOf } from '../../src/systems/normandie/counters/units.ts';
import { allWeapons, ownWeapons } from '../../src/systems/normandie/counters/weapons.ts';
import type { Direction, NormandieSide } from '../../src/systems/normandie/data.ts';
import { legalTargets } from '../../src/systems/normandie/fight/targets.ts';
import { startWalk, type Walk, type WalkRules, walkStep, walkStop } from '../../src/systems/normandie/ground/walk.ts';
import type {
  Action,
  Clause,
  Condition,
  FireAction,
  MoveStep,
  NormandieOrder,
  Part,
  Rider,
} from '../../src/systems/normandie/language.ts';
import { printAction } from '../../src/systems/normandie/text/print.ts';
import { supplyRefusal } from '../../src/systems/normandie/turn/supply.ts';
import { bearers, tokensOf } from '../../src/systems/normandie/turn/tokens.ts';
import type { Known, Normandie, NormandieUnit, SideView } from '../../src/systems/normandie/types.ts';
import { formOf } from './play.ts';

/** Chance from a word: the same word, the same run. */
export interface Chance {
  below(n: number): number;
  pick<T>(list: readonly T[]): T;
  often(percent: number): boolean;
  shuffled<T>(list: readonly T[]): T[];
}

export function chanceOf(seed: string): Chance {
  let block = 0;
  let bytes: number[] = [];
  const below = (n: number): number => {
    if (bytes.length < 2) bytes = [...createHash('sha256').update(`${seed}/${block++}`).digest()];
    return (bytes.pop()! * 256 + bytes.pop()!) % n;
  };
  const shuffled = <T>(list: readonly T[]): T[] => {
    const left = [...list];
    const out: T[] = [];
    while (left.length > 0) out.push(...left.splice(below(left.length), 1));
    return out;
  };
  return { below, pick: (list) => list[below(list.length)]!, often: (percent) => below(100) < percent, shuffled };
}

interface Player {
  book: Book;
  known: Known;
  side: NormandieSide;
  chance: Chance;
  view: SideView;
}

const enemies = (p: Player): NormandieUnit[] => p.known.table.units.filter((unit) => unit.side !== p.side);
const own = (p: Player): NormandieUnit[] => bearers(p.known, p.side);

/** An order block of random orders for the phase at hand. */
export function randomOrders(rules: Rules<Normandie>, book: Book, view: SideView, chance: Chance): string[] {
  const p: Player = { book, known: knownFrom(view), side: view.viewer as NormandieSide, chance, view };
  return [...ordersFor(p).map((order) => rules.print(order)), ...doctrineLines(p), 'FINAL', 'END'];
}

function ordersFor(p: Player): NormandieOrder[] {
  switch (p.view.phase.step) {
    case 'recruit':
      return recruiting(p);
    case 'setup':
      return settingUp(p);
    case 'tokens':
      return tokens(p);
    case 'orders': {
      const mode = p.view.table.mode;
      const placed = mode === 'sealed' || mode === 'one-mail' ? tokens(p) : [];
      return [...placed, ...scripts(p, placed), ...(mode === 'one-mail' ? supplying(p) : [])];
    }
    case 'pause':
      return scripts(p, []).filter(() => p.chance.often(50));
    default:
      return supplying(p);
  }
}

function recruiting(p: Player): NormandieOrder[] {
  const { data } = p.book;
  const budget = p.view.table.points![p.side];
  const army: { tile: string; slots: Record<string, string> }[] = [];
  for (let tries = 0; tries < 12; tries++) {
    const tile = p.chance.pick(data.tiles.filter((each) => each.side === p.side && each.kind === 'tile'));
    const slots: Record<string, string> = {};
    for (const slot of tile.slots) {
      const ids = [...data.options, ...data.tiles].map((each) => each.id);
      const option = p.chance.pick(ids);
      if (
        p.chance.often(80) &&
        armyFaults(data, p.side, [{ tile: tile.id, slots: { [slot.id]: option } }], null).every(
          (fault) => fault.pick === undefined,
        )
      )
        slots[slot.id] = option;
    }
    const longer = [...army, { tile: tile.id, slots }];
    if (armyFaults(data, p.side, longer, budget).every((fault) => fault.what === 'INFANTRY TILES'))
      army.push(longer.at(-1)!);
  }
  return army.map((pick, i) => ({ verb: 'RECRUIT', line: i + 1, ...pick }));
}

function settingUp(p: Player): NormandieOrder[] {
  const zone = p.view.table.zones[p.side];
  const squares = standing(p.book).filter((place) => {
    const [x, y] = place.centre;
    return (
      (y + 1) >> 1 >= zone.rows[0] &&
      (y + 1) >> 1 <= zone.rows[1] &&
      (x + 1) >> 1 >= zone.columns[0] &&
      (x + 1) >> 1 <= zone.columns[1]
    );
  });
  const orders: NormandieOrder[] = [];
  for (const member of p.view.table.roster) {
    if (member.side !== p.side || p.chance.often(20)) continue;
    const counter = p.book.counters.get(member.type)!;
    const order: NormandieOrder = {
      verb: 'DEPLOY',
      line: orders.length + 1,
      unit: member.code,
      at: [p.chance.pick(squares).name],
    };
    if (p.chance.often(30)) order.facing = p.chance.below(8) as Direction;
    if (counter.faces.active && p.chance.often(50)) order.face = p.chance.pick(['active', 'inactive']);
    orders.push(order);
    if ('scout' in (counter.faces.active ?? counter.faces.full!).abilities && p.chance.often(60))
      orders.push({
        verb: 'SCOUT',
        line: orders.length + 1,
        move: { do: 'move', unit: member.code, steps: wander(p, order.at[0]!, 3) },
      });
  }
  return orders;
}

/** Any neighbours one after the other, legal or not. */
function wander(p: Player, from: string, most: number): MoveStep[] {
  const steps: MoveStep[] = [];
  let at = from;
  for (let i = 0; i < 1 + p.chance.below(most); i++) {
    const near = standing(p.book).filter((place) => squaresBetween(place.centre, placeOf(p.book, at).centre) === 1);
    at = p.chance.pick(near).name;
    steps.push({ step: 'to', square: at });
  }
  return steps;
}

function tokens(p: Player): NormandieOrder[] {
  const allowed = tokensOf(p.book, p.known, p.side, 0);
  const units = p.chance.shuffled(own(p));
  const orders: NormandieOrder[] = [];
  const put = (token: number | 'special' | 'bluff'): void => {
    const unit = units.shift();
    if (unit) orders.push({ verb: 'TOKEN', line: orders.length + 1, token, unit: ownCode(p.known, unit) });
  };
  const personal = own(p).filter(
    (unit) => p.book.counters.get(unit.type ?? '')?.faces.full?.abilities['personal-order'] !== undefined,
  );
  for (const unit of personal) units.unshift(...units.splice(units.indexOf(unit), 1));
  for (let n = 1; n <= allowed.numbered; n++) put(n);
  for (let n = 0; n < allowed.special; n++) put('special');
  if (p.chance.often(50)) put('bluff');
  return orders;
}

function scripts(p: Player, placed: readonly NormandieOrder[]): NormandieOrder[] {
  const hand = p.known.hands[p.side]!;
  const marked = placed.flatMap((order) => (order.verb === 'TOKEN' ? [order.unit] : []));
  const orders: NormandieOrder[] = [];
  const add = (order: NormandieOrder): void => {
    orders.push({ ...order, line: orders.length + 100 });
  };
  for (const unit of own(p)) {
    const bears = marked.includes(ownCode(p.known, unit)) || unit.token === 'back';
    if (!bears || p.chance.often(10)) continue;
    add({ verb: 'ON', line: 0, on: { unit: ownCode(p.known, unit) }, clauses: clauses(p, unit) });
  }
  for (const card of hand.cards) {
    if (!p.chance.often(40)) continue;
    const unit = p.chance.pick(own(p));
    const name = unit ? ownCode(p.known, unit) : '';
    if (card === 'highcmd') add({ verb: 'PLAY', line: 0, card, at: 'order-start' });
    if (card === 'fury') add({ verb: 'PLAY', line: 0, card, at: 'order-end' });
    if (card === 'go' && unit)
      add({
        verb: 'PLAY',
        line: 0,
        card,
        on: name,
        path: path(p, unit)
          .flatMap((step) => (step.step === 'to' ? [step.square] : []))
          .slice(0, 2),
        at: 'order-end',
      });
    if ((card === 'smoke' || card === 'shells') && unit)
      add({
        verb: 'PLAY',
        line: 0,
        card,
        on: `@${unit.at.split('.')[0]!.length > 1 ? unit.at : 'C3'}`,
        at: 'order-end',
      });
    if (card === 'initiative') add({ verb: 'CLAIM', line: 0, what: 'initiative', when: condition(p, unit) });
  }
  add({ verb: 'CLAIM', line: 0, what: 'special', when: condition(p, own(p)[0]) });
  if (p.chance.often(25) && p.view.table.mode === 'sealed')
    add({ verb: 'PAUSE', line: 0, after: 1 + p.chance.below(4) });
  return orders;
}

function clauses(p: Player, unit: NormandieUnit): Clause[] {
  const made: Clause[] = [];
  for (let i = 0; i < 1 + p.chance.below(3); i++) {
    const part = bestOf(p, unit);
    made.push({ ...(p.chance.often(30) ? { when: condition(p, unit) } : {}), parts: [part] });
  }
  return made;
}

/** Tries a few actions for one that could begin now; a hopeless one is written now and then all the same. */
function bestOf(p: Player, unit: NormandieUnit): Part {
  let part: Part = { action: { do: 'hold' }, riders: [] };
  for (let tries = 0; tries < 6; tries++) {
    const action = anyAction(p, unit);
    part = { action, riders: riders(p, unit, action) };
    if (!actionRefusal(p.book, p.known, unit, action, part.riders)) return part;
  }
  return part;
}

function condition(p: Player, unit: NormandieUnit | undefined): Condition {
  const enemy = p.chance.pick(enemies(p))?.code ?? 'GE1';
  const me = unit ? ownCode(p.known, unit) : 'US1';
  const options: Condition[] = [
    { is: 'turn', compare: '>=', value: 1 + p.chance.below(3) },
    { is: 'alive', unit: enemy },
    { is: 'los', from: me, to: enemy },
    { is: 'odds', unit: me, target: enemy, suppress: false, compare: '>=', value: 30 },
    { is: 'suppressed', unit: enemy, compare: '>=', value: 1 },
    { is: 'range', from: me, to: enemy, compare: '<=', value: 6 },
    { is: 'not', of: { is: 'activated', unit: enemy } },
    { is: 'shown', side: p.side === 'us' ? 'ge' : 'us', n: 1 },
  ];
  return p.chance.pick(options);
}

function anyAction(p: Player, unit: NormandieUnit): Action {
  const code = ownCode(p.known, unit);
  const roll = p.chance.below(100);
  const targets = enemies(p);
  if (roll < 5) return { do: 'hold' };
  if (roll < 40) return firing(p, unit, code);
  if (roll < 62 && targets.length > 0) {
    const near = p.chance.often(60) ? nearest(p, unit, targets) : p.chance.pick(targets);
    return { do: 'assault', unit: code, via: p.chance.often(50) ? [] : path(p, unit).slice(0, 3), at: near.code };
  }
  const move: Action = { do: 'move', unit: code, steps: p.chance.often(10) ? [] : path(p, unit) };
  if (p.chance.often(15)) move.flip = p.chance.pick(['start', 'end']);
  if (unit.rear === null && p.chance.often(20)) move.face = p.chance.below(8) as Direction;
  return move;
}

function nearest(p: Player, unit: NormandieUnit, among: readonly NormandieUnit[]): NormandieUnit {
  const from = placeOf(p.book, unit.at).centre;
  return among.reduce((a, b) =>
    squaresBetween(placeOf(p.book, b.at).centre, from) < squaresBetween(placeOf(p.book, a.at).centre, from) ? b : a,
  );
}

function firing(p: Player, unit: NormandieUnit, code: string): FireAction {
  const uses = allWeapons(p.book, p.known, unit);
  const use = p.chance.pick(uses);
  const action: FireAction = { do: 'fire', unit: code, targets: [{ target: 'any', class: null }] };
  if (!use) return action;
  if (use.label !== 'main') action.weapon = use.gear ? use.label : use.label.toUpperCase();
  const enemy = p.chance.pick(enemies(p));
  if (enemy && ['howitzer', 'indirect', 'grenade'].includes(use.manner)) {
    const square = /^[A-Z]\d+$/.test(enemy.at) ? enemy.at : 'E5';
    action.targets = [
      { target: 'place', place: use.manner === 'grenade' && p.chance.often(30) ? enemy.at : `@${square}` },
    ];
  } else if (use.manner === 'flame') {
    action.targets = [];
    action.direction = p.chance.below(8) as Direction;
  } else if (enemy && p.chance.often(40))
    action.targets = [
      { target: 'unit', code: enemy.code },
      { target: 'any', class: null },
    ];
  if (use.abilities.destruction && p.chance.often(20) && p.book.data.board.buildings.length > 0)
    action.targets = [{ target: 'building', id: p.chance.pick(p.book.data.board.buildings).id }];
  if ('suppressive-fire' in use.abilities && use.manner === 'direct' && p.chance.often(40)) action.suppress = true;
  const close = legalTargets(p.book, p.known, unit, use, 'INF').slice(0, 2);
  if ('machine-gunner' in use.abilities && close.length === 2 && p.chance.often(30)) {
    action.targets = close.map((each) => ({ target: 'unit', code: each.unit.code }));
    action.split = [1, 2];
  }
  return action;
}

/** Legal steps as the board stands, with a wild one now and then. */
function path(p: Player, unit: NormandieUnit): MoveStep[] {
  const value = moveValue(p.book, p.known, unit);
  const rules = { budget: value === 'X' ? 3 : value, scout: false, windows: 0, cutters: 0 };
  let walk: Walk = startWalk(unit, rules);
  const steps: MoveStep[] = [];
  for (let i = 0; i < 1 + p.chance.below(5); i++) {
    const next = oneStep(p, unit, walk, rules);
    if (!next) break;
    const after = walkStep(p.book, p.known, unit, walk, next, rules);
    if ('code' in after) break;
    walk = after;
    steps.push(next);
  }
  if (p.chance.often(5)) steps.push(...wander(p, walk.at, 2));
  return steps;
}

/** A legal step: towards the nearest enemy more often than not. */
function oneStep(p: Player, unit: NormandieUnit, walk: Walk, rules: WalkRules): MoveStep | undefined {
  const legal = p.chance.shuffled(choices(p, unit, walk)).flatMap((step) => {
    const after = walkStep(p.book, p.known, unit, walk, step, rules);
    return 'code' in after ? [] : [{ step, at: after.at }];
  });
  const foes = enemies(p);
  if (foes.length === 0 || p.chance.often(35)) return legal[0]?.step;
  const distance = (at: string): number =>
    Math.min(...foes.map((foe) => squaresBetween(placeOf(p.book, foe.at).centre, placeOf(p.book, at).centre)));
  return legal.sort((a, b) => distance(a.at) - distance(b.at))[0]?.step;
}

function choices(p: Player, unit: NormandieUnit, walk: Walk): MoveStep[] {
  const near = standing(p.book).filter((place) => squaresBetween(place.centre, placeOf(p.book, walk.at).centre) <= 2);
  if (walk.aboard !== null) return near.map((place) => ({ step: 'out', square: place.name }));
  if (walk.rear !== null)
    return [
      { step: 'fwd' },
      { step: 'fwd' },
      { step: 'back' },
      { step: 'pivot', turn: 'L' },
      { step: 'pivot', turn: 'R' },
      ...near.map((place): MoveStep => ({ step: 'push', square: place.name })),
    ];
  const steps: MoveStep[] = near.map((place) => ({ step: 'to', square: place.name }));
  const rides = own(p).filter((each) => each.side === p.side && classOf(p.book, each) !== 'inf');
  if (classOf(p.book, unit) === 'inf' && p.chance.often(20))
    steps.unshift(...rides.map((each): MoveStep => ({ step: 'in', unit: each.code })));
  if (p.chance.often(20)) steps.push({ step: 'off' });
  return steps;
}

function riders(p: Player, unit: NormandieUnit, action: Action): Rider[] {
  const made: Rider[] = [];
  const { cards } = p.known.hands[p.side]!;
  if (action.do === 'hold') return made;
  const serves = cards.filter((card) => {
    const type = p.book.cards.get(card)!.bonus.type;
    return type === action.do || (type === 'any' && action.do !== 'move');
  });
  if (serves.length > 0 && p.chance.often(35)) made.push({ rider: 'card', card: p.chance.pick(serves), as: 'bonus' });
  for (const card of ['burst', 'surprise', 'aim'])
    if (cards.includes(card) && p.chance.often(30)) made.push({ rider: 'card', card, as: 'event' });
  if (action.do === 'fire' && p.chance.often(25) && !gearRefusal(p.book, p.known, unit, 'ammo', 1))
    made.push({ rider: 'use', option: 'ammo', n: 1 });
  const rolling = ownWeapons(p.book, p.known, unit).find((use) => use.onTheMove !== null && use.manner === 'direct');
  if (action.do === 'move' && rolling && p.chance.often(60)) {
    const steps = action.steps.flatMap((step) => (step.step === 'to' ? [step.square] : []));
    made.push({
      rider: 'fom',
      at: p.chance.pick([unit.at, ...steps, ...squaresOf(unit)]),
      fire: {
        do: 'fire',
        unit: action.unit,
        ...(rolling.label === 'main' ? {} : { weapon: rolling.label.toUpperCase() }),
        targets: [{ target: 'any', class: null }],
      },
    });
  }
  if (action.do === 'move' && p.chance.often(10)) made.push({ rider: 'stop', when: condition(p, unit) });
  return made.slice(0, 3);
}

function supplying(p: Player): NormandieOrder[] {
  const orders: NormandieOrder[] = [];
  for (const unit of own(p)) {
    if (!p.chance.often(60)) continue;
    orders.push({
      verb: 'SUPPLY',
      line: orders.length + 200,
      move: { do: 'move', unit: ownCode(p.known, unit), steps: path(p, unit) },
    });
  }
  const hand = p.known.hands[p.side]!;
  const thrown = hand.cards.filter(() => p.chance.often(30));
  if (thrown.length > 0) orders.push({ verb: 'DISCARD', line: 300, cards: thrown });
  const unit = p.chance.pick(own(p));
  if (unit && p.chance.often(40))
    orders.push({ verb: 'CONCEAL', line: 301, unit: ownCode(p.known, unit), letter: p.chance.pick(['A', 'B']) });
  for (const card of hand.cards)
    if (card === 'medic' && unit)
      orders.push({ verb: 'PLAY', line: 302, card, on: ownCode(p.known, unit), at: 'supply-start' });
  return orders;
}

function doctrineLines(p: Player): string[] {
  const lines = [
    'DOCTRINE RETREAT ALL TOWARD N, E',
    'DOCTRINE OPFIRE ALL YES IF ODDS >= 20',
    'DOCTRINE REROLL veteran OWN IF FAILED',
    'DOCTRINE TARGET ALL OFFICER, NEAREST',
  ];
  return p.view.phase.step === 'orders' ? lines.filter(() => p.chance.often(40)) : [];
}

// --- a sensible player -----------------------------------------------------------------------------------------------

/** Orders of somebody who knows the game: fire where it pays, storm what is suppressed, else go for the objectives. */
export function sensibleOrders(rules: Rules<Normandie>, book: Book, view: SideView): string[] {
  const p: Player = {
    book,
    known: knownFrom(view),
    side: view.viewer as NormandieSide,
    chance: chanceOf('sensible'),
    view,
  };
  const form = formOf(rules.report(view, [], { orders: [], standing: [] }));
  const { step } = view.phase;
  if (step === 'recruit' || step === 'setup') return form;
  if (step === 'supply') {
    const moves = own(p).flatMap((unit) => march(p, unit, 'SUPPLY'));
    return [...moves, 'KEEP ALL', 'FINAL', 'END'];
  }
  const marked = usefulFirst(p).slice(0, tokensOf(book, p.known, p.side, 0).numbered);
  const lines = marked.flatMap((unit, i) => [`TOKEN ${i + 1} ${ownCode(p.known, unit)}`, script(p, unit, i + 1)]);
  return [...lines, 'DOCTRINE OPFIRE ALL YES IF ODDS >= 40', 'DOCTRINE RETREAT ALL TOWARD S, N', 'FINAL', 'END'];
}

/** Personal Orders must have a token; then whoever can hurt somebody, then whoever is nearest to the goal. */
function usefulFirst(p: Player): NormandieUnit[] {
  const worth = (unit: NormandieUnit): number => {
    const face = p.book.counters.get(unit.type ?? '')?.faces.full;
    if (face && 'personal-order' in face.abilities) return 1000;
    const best = Math.max(
      0,
      ...ownWeapons(p.book, p.known, unit).flatMap((use) =>
        legalTargets(p.book, p.known, unit, use, null).map((each) => each.chance),
      ),
    );
    return best * 2 - goalDistance(p, unit.at);
  };
  return [...own(p)].sort((a, b) => worth(b) - worth(a));
}

function goals(p: Player): string[] {
  const squares = p.known.table.objectives.flatMap((objective) =>
    objective.kind === 'building'
      ? (p.book.buildings.get(objective.building ?? '')?.openings ?? []).map((opening) => opening.inside)
      : objective.squares,
  );
  return squares.length > 0 ? squares : enemies(p).map((unit) => unit.at);
}

function goalDistance(p: Player, at: string): number {
  const from = placeOf(p.book, at).centre;
  return Math.min(99, ...goals(p).map((goal) => squaresBetween(placeOf(p.book, goal).centre, from)));
}

function script(p: Player, unit: NormandieUnit, n: number): string {
  const code = ownCode(p.known, unit);
  const clauses: string[] = [];
  const uses = ownWeapons(p.book, p.known, unit).filter((use) => use.manner === 'direct');
  for (const use of uses) {
    const [best] = legalTargets(p.book, p.known, unit, use, null);
    if (!best) continue;
    const weapon = use.label === 'main' ? '' : ` WITH ${use.label.toUpperCase()}`;
    clauses.push(`IF ODDS ${code} ${best.unit.code} >= 40: FIRE ${code}${weapon} AT ${best.unit.code}, ANY`);
  }
  const foe = enemies(p).find(
    (each) =>
      each.suppressed > 0 &&
      !actionRefusal(p.book, p.known, unit, { do: 'assault', unit: code, via: [], at: each.code }, []),
  );
  if (foe) clauses.unshift(`ELSE: ASSAULT ${code} AT ${foe.code}`);
  const [walk] = march(p, unit, 'ON');
  if (walk) clauses.push(`ELSE: ${walk}`);
  return `ON ${n}: ${[...clauses.slice(0, 3), 'ELSE: HOLD'].join(' | ')}`;
}

/** The legal steps that bring a unit nearer to the goal, one after the other. */
function march(p: Player, unit: NormandieUnit, use: 'ON' | 'SUPPLY'): string[] {
  const value = moveValue(p.book, p.known, unit);
  const rules: WalkRules = { budget: value === 'X' ? 0 : value, scout: false, windows: 0, cutters: 0 };
  if (use === 'SUPPLY' && supplyRefusal(p.known, unit)) return [];
  let walk: Walk = startWalk(unit, rules);
  const taken: MoveStep[] = [];
  for (let i = 0; i < rules.budget; i++) {
    const legal = choices(p, unit, walk).flatMap((step) => {
      if (step.step === 'in' || step.step === 'off' || step.step === 'push') return [];
      const after = walkStep(p.book, p.known, unit, walk, step, rules);
      return 'code' in after || walkStop(p.book, p.known, unit, after) ? [] : [{ step, after }];
    });
    const [best] = legal.sort((a, b) => goalDistance(p, a.after.at) - goalDistance(p, b.after.at));
    if (!best || goalDistance(p, best.after.at) >= goalDistance(p, walk.at)) break;
    taken.push(best.step);
    walk = best.after;
  }
  if (taken.length === 0) return [];
  const action = printAction({ do: 'move', unit: ownCode(p.known, unit), steps: taken });
  return [use === 'SUPPLY' ? `SUPPLY ${action}` : action];
}
