/** Legality of a set of orders as far as their owner can know (3.10), by the same code that adjudication uses. */

import { error, warning } from '../../../kernel/orders.ts';
import type { Diagnostic } from '../../../kernel/types.ts';
import { actionRefusal, fireRefusal } from '../actions/legality.ts';
import { moveRefusal, needsOf, vainFor } from '../actions/plan.ts';
import { partRefusal, riderRefusal } from '../actions/riders.ts';
import type { Book } from '../content/opened.ts';
import { gearRefusal } from '../counters/gear.ts';
import { abilitiesOf, knownFrom, ownCode } from '../counters/units.ts';
import { weaponFor } from '../counters/weapons.ts';
import type { NormandieSide, TokenKind } from '../data.ts';
import { PLAIN_SHOT } from '../fight/attack.ts';
import { noBoost } from '../fight/bonus.ts';
import { unitNamed } from '../fight/odds.ts';
import type {
  CardOrder,
  Clause,
  DiscardOrder,
  FireAction,
  MoveAction,
  NormandieOrder,
  Part,
  Rider,
  ScriptOrder,
  SupplyOrder,
  TokenOrder,
} from '../language.ts';
import type { Refusal } from '../refusal.ts';
import { checkDeployment } from '../turn/deployment.ts';
import { playRefusal } from '../turn/phasecards.ts';
import { checkRecruitment } from '../turn/recruitment.ts';
import { concealRefusal, supplyMove, supplyRefusal } from '../turn/supply.ts';
import type { Known, Mode, NormandieStep, NormandieUnit, SideView } from '../types.ts';
import { checkPersonal, checkTokens } from './token-check.ts';
import { sameEnds, underFire } from './warnings.ts';

/** What may be filed in each phase. */
const VERBS: Record<NormandieStep, readonly NormandieOrder['verb'][]> = {
  recruit: ['RECRUIT'],
  setup: ['DEPLOY', 'FOXHOLE', 'SCOUT', 'CONCEAL', 'DISCARD'],
  tokens: ['TOKEN', 'PLAY'],
  orders: ['TOKEN', 'ON', 'CLAIM', 'PLAY', 'PAUSE'],
  pause: ['ON', 'CLAIM', 'PLAY'],
  supply: ['SUPPLY', 'CONCEAL', 'DISCARD', 'PLAY'],
};

function verbsOf(step: NormandieStep, mode: Mode): readonly NormandieOrder['verb'][] {
  const verbs = VERBS[step];
  if (step !== 'orders') return verbs;
  if (mode === 'one-mail') return [...verbs.filter((verb) => verb !== 'PAUSE'), ...VERBS.supply];
  if (mode === 'live') return verbs.filter((verb) => verb !== 'TOKEN' && verb !== 'PAUSE');
  return mode === 'sealed' ? verbs : verbs.filter((verb) => verb !== 'TOKEN');
}

interface Checking {
  book: Book;
  known: Known;
  side: NormandieSide;
  step: NormandieStep;
  orders: readonly NormandieOrder[];
  found: Diagnostic[];
}

/** Every complaint about the orders of one side; errors drop their line, a fault of the mail files nothing. */
export function check(book: Book, view: SideView, orders: readonly NormandieOrder[]): Diagnostic[] {
  if (view.viewer === 'public') return [];
  const known = knownFrom(view);
  const step = view.phase.step as NormandieStep;
  const all: Checking = { book, known, side: view.viewer as NormandieSide, step, orders, found: [] };
  const allowed = verbsOf(step, view.table.mode);
  for (const order of orders)
    if (!allowed.includes(order.verb))
      all.found.push(error('E01', order.line, { detail: `${order.verb} has no place in this phase` }));
  if (step === 'recruit') return [...all.found, ...checkRecruitment(book, view, orders)];
  if (step === 'setup') return [...all.found, ...checkDeployment(book, view, orders)];
  const tokens = tokensOrdered(all);
  if (allowed.includes('TOKEN')) {
    all.found.push(...checkTokens(known, all.side, tokens, book));
    all.found.push(...checkPersonal(book, known, all.side, tokens));
  }
  for (const order of orders) checkOrder(all, order, tokens);
  if (allowed.includes('ON')) warnOfGaps(all, tokens);
  all.found.push(...sameEnds(orders), ...underFire(book, known, all.side, orders));
  return all.found;
}

function tokensOrdered(all: Checking): TokenOrder[] {
  return all.orders.filter((order): order is TokenOrder => order.verb === 'TOKEN');
}

function checkOrder(all: Checking, order: NormandieOrder, tokens: readonly TokenOrder[]): void {
  switch (order.verb) {
    case 'ON':
      checkScript(all, order, tokens);
      return;
    case 'PLAY':
      checkCard(all, order);
      return;
    case 'SUPPLY':
      checkSupply(all, order);
      return;
    case 'DISCARD':
      checkDiscard(all, order);
      return;
    case 'CONCEAL': {
      const refusal = concealRefusal(all.book, all.known, all.side, order.unit, order.letter);
      if (refusal) all.found.push(asError(refusal, order.line));
      return;
    }
    case 'CLAIM':
      if (typeof order.what === 'object') {
        const unit = unitNamed(all.known, all.side, order.what.unit);
        if (!unit || !('autonomous' in abilitiesOf(all.book, all.known, unit)))
          all.found.push(error('NOT AUTONOMOUS', order.line, { unit: order.what.unit }, '6.5-auto-a'));
      } else if (order.what === 'initiative' && !hand(all).cards.includes('initiative'))
        all.found.push(error('CARD NOT IN HAND', order.line, { card: 'initiative' }, '4.2-initiative'));
      return;
    default:
      return;
  }
}

function hand(all: Checking) {
  return all.known.hands[all.side]!;
}

/** What a script may belong to, which unit acts, and whether its clauses can begin. */
function checkScript(all: Checking, order: ScriptOrder, tokens: readonly TokenOrder[]): void {
  const unit = scriptUnit(all, order, tokens);
  if (unit === undefined) {
    all.found.push(error('E10', order.line, { on: nameOf(order) }, '3.1-a'));
    return;
  }
  const early = 'n' in order.on && order.on.n === 1 && all.known.table.initiative === all.side;
  order.clauses.forEach((clause, i) => {
    // Each part finds what the parts before it have fired.
    let shooter = unit;
    for (const [k, part] of clause.parts.entries()) {
      const refused = partRefusal(clause.parts, k, ownCode(all.known, unit));
      if (refused) {
        all.found.push(asError(refused, order.line, i + 1));
        continue;
      }
      checkPart(all, order.line, clause, part, shooter, i + 1, early && i === 0);
      if (part.action.do === 'fire') shooter = havingFired(all, shooter, part.action);
    }
  });
  if (order.clauses.at(-1)?.when) all.found.push(warning('W03', order.line, { on: nameOf(order) }));
}

function nameOf(order: ScriptOrder): string {
  return 'n' in order.on ? `${order.on.n}` : 'special' in order.on ? `SPECIAL ${order.on.special}` : order.on.unit;
}

/** The unit a script is for, by the tokens of this mail or those that lie already. */
function scriptUnit(all: Checking, order: ScriptOrder, tokens: readonly TokenOrder[]): NormandieUnit | undefined {
  const { known, side } = all;
  const lying = Object.entries(hand(all).tokens).map(([code, token]) => ({ unit: code, token }));
  const placed: { unit: string; token: TokenKind }[] = tokens.length > 0 ? [...tokens] : lying;
  const { on } = order;
  if ('n' in on) {
    const token = placed.find((each) => each.token === on.n);
    return token && unitNamed(known, side, token.unit);
  }
  if ('special' in on) {
    const specials = placed.filter((each) => each.token === 'special');
    const named = order.clauses.flatMap((clause) =>
      clause.parts.flatMap((part) => ('unit' in part.action ? part.action.unit : [])),
    );
    const units = specials.flatMap((each) => unitNamed(known, side, each.unit) ?? []);
    return units.find((unit) => named.includes(ownCode(known, unit))) ?? units[on.special - 1];
  }
  const unit = unitNamed(known, side, on.unit);
  if (!unit || unit.side !== side) return undefined;
  const marked = placed.some((each) => unitNamed(known, side, each.unit) === unit);
  return marked || 'autonomous' in abilitiesOf(all.book, known, unit) ? unit : undefined;
}

/** The unit as it is once it has fired: what it may fire after that (3.2.3). */
function havingFired({ book, known }: Checking, unit: NormandieUnit, action: FireAction): NormandieUnit {
  const use = weaponFor(book, known, unit, action.weapon);
  return 'code' in use ? unit : { ...unit, fired: [...unit.fired, use.slot] };
}

/** One action with its riders: what can never be is an error, what may still come true a warning (3.10). */
function checkPart(
  all: Checking,
  line: number,
  clause: Clause,
  part: Part,
  unit: NormandieUnit,
  n: number,
  early: boolean,
): void {
  const { book, known } = all;
  const { action, riders } = part;
  if (action.do !== 'hold' && unitNamed(known, all.side, action.unit)?.code !== unit.code) {
    all.found.push(error('OTHER UNIT', line, { unit: action.unit, clause: n, acts: ownCode(known, unit) }, '3.1-e'));
    return;
  }
  const refusal =
    action.do === 'move'
      ? moveRefusal(book, known, unit, action, 'activation', riders).refusal
      : actionRefusal(book, known, unit, action, riders);
  if (refusal) {
    const spent = refusal.code === 'FIRED ALREADY' && clause.parts.length > 1;
    const firm = refusal.lasting || spent || refusal.code.startsWith('SPLIT') || (early && clause.when === undefined);
    all.found.push(firm ? asError(refusal, line, n) : asWarning(refusal, line, n));
  }
  let mover = unit;
  for (const [k, rider] of riders.entries()) {
    const before = all.found.length;
    checkRider(all, line, rider, mover, n, riders);
    const vain = riderRefusal(book, known, unit, action, rider, riders.slice(0, k));
    if (vain && all.found.length === before) all.found.push(asError(vain, line, n));
    if (vain) continue;
    if (rider.rider === 'fom') mover = havingFired(all, mover, rider.fire);
  }
  const good = riders.filter((rider, k) => !riderRefusal(book, known, unit, action, rider, riders.slice(0, k)));
  checkBonuses(all, line, good, n);
  if (action.do === 'move') checkNeeds(all, line, unit, action, 'activation', good, n);
}

/** W06: squares or windows that the way does not need, as it is now; the card is kept then. */
function checkNeeds(
  all: Checking,
  line: number,
  unit: NormandieUnit,
  move: MoveAction,
  kind: 'activation' | 'supply',
  riders: readonly Rider[],
  clause: number,
): void {
  const { book, known } = all;
  const { mover, refusal } = moveRefusal(book, known, unit, move, kind, riders);
  if (refusal) return;
  const vain = vainFor(book, known, mover, kind, riders, needsOf(book, known, unit, move, kind, riders));
  const boost = noBoost();
  for (const rider of riders) {
    if (rider.rider !== 'card' || !hand(all).cards.includes(rider.card)) continue;
    if (vain(rider.card, rider.as, boost)) all.found.push(warning('W06', line, { card: rider.card, clause }, '4.2-i'));
    else if (rider.as === 'event') boost.events.push(rider.card);
    else boost.terms.push({ what: 'card', n: book.cards.get(rider.card)?.bonus.value ?? 0 });
  }
}

function checkRider(
  all: Checking,
  line: number,
  rider: Rider,
  unit: NormandieUnit,
  clause: number,
  riders: readonly Rider[],
): void {
  const { book, known } = all;
  if (rider.rider === 'use') {
    const refusal = gearRefusal(book, known, unit, rider.option, rider.n);
    if (refusal)
      all.found.push(
        refusal.lasting || refusal.code === 'NOT ITS GEAR'
          ? asError(refusal, line, clause)
          : asWarning(refusal, line, clause),
      );
  }
  if (rider.rider === 'card' && !hand(all).cards.includes(rider.card))
    all.found.push(error('CARD NOT IN HAND', line, { card: rider.card, clause }, '4.2-i'));
  if (rider.rider === 'fom') {
    const burst = riders.some((each) => each.rider === 'card' && each.card === 'burst' && each.as === 'event');
    const refusal = fireRefusal(book, known, unit, rider.fire, { ...PLAIN_SHOT, moving: true, burst });
    const firm = refusal?.lasting || refusal?.code === 'FIRED ALREADY';
    if (refusal) all.found.push(firm ? asError(refusal, line, clause) : asWarning(refusal, line, clause));
  }
}

/** One type of Alternate Bonus in one action (4.2-j), each card no more often than it is in the hand. */
function checkBonuses(all: Checking, line: number, riders: readonly Rider[], clause: number): void {
  const left = [...hand(all).cards];
  for (const rider of riders) {
    if (rider.rider !== 'card' || !hand(all).cards.includes(rider.card)) continue;
    const at = left.indexOf(rider.card);
    if (at < 0) all.found.push(error('CARD NOT IN HAND', line, { card: rider.card, clause }, '4.2-d'));
    else left.splice(at, 1);
  }
  const types = new Set<string>();
  for (const rider of riders) {
    if (rider.rider !== 'card' || rider.as !== 'bonus') continue;
    const type = all.book.cards.get(rider.card)?.bonus.type;
    if (!type) continue;
    types.add(type);
  }
  if (types.size > 1) all.found.push(error('BONUS TYPES MIXED', line, { clause }, '4.2-j'));
}

function checkCard(all: Checking, order: CardOrder): void {
  const card = all.book.cards.get(order.card);
  if (!card || !hand(all).cards.includes(order.card))
    all.found.push(error('CARD NOT IN HAND', order.line, { card: order.card }, '4.2-e'));
  else if (!card.windows.includes(order.at))
    all.found.push(error('WRONG WINDOW', order.line, { card: order.card, at: order.at }, '4.2-e'));
  else {
    const why = playRefusal(all.book, all.known, all.side, order);
    // What is played after others have moved may still come into reach.
    const later =
      why === 'OUT OF RANGE' && (order.at === 'supply' || (order.at === 'supply-start' && all.step !== 'supply'));
    const params = { card: order.card, on: order.on ?? '', why: why ?? '' };
    if (why) all.found.push((later ? warning : error)('CARD FOR NOTHING', order.line, params, '4.2-e'));
  }
}

function checkDiscard(all: Checking, order: DiscardOrder): void {
  const left = [...hand(all).cards];
  for (const card of order.cards) {
    const at = left.indexOf(card);
    if (at < 0) all.found.push(error('CARD NOT IN HAND', order.line, { card }, '3.3-k'));
    else left.splice(at, 1);
  }
}

function checkSupply(all: Checking, order: SupplyOrder): void {
  const { book, known, side } = all;
  const unit = unitNamed(known, side, order.move.unit);
  if (!unit || unit.side !== side) {
    all.found.push(error('E07', order.line, { unit: order.move.unit }, '3.3-a'));
    return;
  }
  const riders = order.riders ?? [];
  for (const [k, rider] of riders.entries()) {
    const before = all.found.length;
    checkRider(all, order.line, rider, unit, 0, riders);
    const vain = riderRefusal(book, known, unit, order.move, rider, riders.slice(0, k));
    if (vain && all.found.length === before) all.found.push(asError(vain, order.line));
  }
  checkBonuses(all, order.line, riders, 0);
  if (all.step !== 'supply') return;
  const refused = supplyRefusal(known, unit);
  if (refused) {
    all.found.push(asError(refused, order.line));
    return;
  }
  const whole = moveRefusal(book, known, unit, order.move, 'supply', riders).refusal;
  const { move } = supplyMove(book, known, side, unit, order);
  const refusal = whole && !move ? whole : whole && !order.otherwise ? whole : undefined;
  if (!refusal) {
    if (!order.otherwise) checkNeeds(all, order.line, unit, order.move, 'supply', riders, 0);
    return;
  }
  const first = known.table.initiative === side && !order.when;
  all.found.push(
    refusal.lasting || (first && tooFar(refusal)) ? asError(refusal, order.line) : asWarning(refusal, order.line),
  );
}

/** Its length and its difficult ground won't change before the first player moves. */
function tooFar(refusal: Refusal): boolean {
  return refusal.code === 'TOO FAR' || refusal.code === 'MUST STOP';
}

/** W02: a number without a script acts by the standard default. */
function warnOfGaps(all: Checking, tokens: readonly TokenOrder[]): void {
  const scripts = all.orders.filter((order): order is ScriptOrder => order.verb === 'ON');
  for (const token of tokens) {
    if (typeof token.token !== 'number') continue;
    const has = scripts.some((script) =>
      'n' in script.on ? script.on.n === token.token : 'unit' in script.on && script.on.unit === token.unit,
    );
    if (!has) all.found.push(warning('W02', token.line, { token: token.token, unit: token.unit }, '3.2-h'));
  }
}

function asError(refusal: Refusal, line: number, clause = 0): Diagnostic {
  return error(refusal.code, line, { ...refusal.params, clause }, refusal.rule);
}

function asWarning(refusal: Refusal, line: number, clause = 0): Diagnostic {
  return warning('W01', line, { why: refusal.code, clause, unit: String(refusal.params.unit ?? '') }, refusal.rule);
}
