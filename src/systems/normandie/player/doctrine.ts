/** Answers questions of the rules from doctrine lines, on the owner's view: only public facts and his own hand decide. */
import { valuesOf } from '../../../kernel/questions.ts';
import type { DecisionRequest, Filed } from '../../../kernel/types.ts';
import { holds, type Offer } from '../actions/conditions.ts';
import { type Book, placeOf } from '../content/opened.ts';
import { offeredCard } from '../counters/play.ts';
import { can, classOf, counterOf, findUnit, knownFrom, memberOf, tableCode, turnTowards } from '../counters/units.ts';
import type { NormandieSide } from '../data.ts';
import { oddsOf } from '../fight/odds.ts';
import { rangeOf } from '../ground/sightline.ts';
import type { AskWord, FireAction, QuestionKind, Rule, TargetClass } from '../language.ts';
import type { Known, Normandie, NormandieUnit, SideView } from '../types.ts';

type Kind<R extends Rule['rule']> = Extract<Rule, { rule: R }>;
/** Kinds of lines written for a unit, a tile or ALL. */
type KindForUnit = Extract<Rule, { who: string }>['rule'];

/** What a doctrine is looked at with. */
interface Case {
  book: Book;
  known: Known;
  view: SideView;
  side: NormandieSide;
  rules: Rule[];
  request: DecisionRequest<Normandie>;
  /** The values that may be chosen. */
  values: string[];
  /** Own code of the unit the question is about, if any. */
  unit: string;
}

const WINDOW: Partial<Record<QuestionKind, AskWord>> = {
  opfire: 'OPFIRE',
  reroll: 'REROLL',
  card: 'CARD',
  bonus: 'CARD',
  retreat: 'RETREAT',
  displace: 'RETREAT',
  bailout: 'RETREAT',
  damage: 'DAMAGE',
  target: 'TARGET',
};

/** What the side's doctrine says to a question; `undefined`: nothing, the fallback of 3.6 stands. */
export function answer(
  book: Book,
  view: SideView,
  filed: Filed<Normandie>,
  request: DecisionRequest<Normandie>,
  mayAsk: boolean,
): { chosen: string[]; by: 'order' | 'doctrine' } | 'ask' | undefined {
  const kind = request.kind as QuestionKind;
  const rules = filed.standing.filter((line) => !line.withdraw).flatMap((line) => line.rules);
  const window = WINDOW[kind];
  if (mayAsk && window && rules.some((rule) => rule.rule === 'ASK' && rule.windows.includes(window))) return 'ask';
  const values = valuesOf(request);
  const { unit } = request.about;
  const about: Case = {
    book,
    known: knownFrom(view),
    view,
    side: view.viewer as NormandieSide,
    rules,
    request,
    values,
    unit,
  };
  const chosen = decide(about, kind);
  return chosen !== undefined && values.includes(chosen) ? { chosen: [chosen], by: 'doctrine' } : undefined;
}

function decide(about: Case, kind: QuestionKind): string | undefined {
  switch (kind) {
    case 'opfire':
      return opportunityFire(about);
    case 'reroll':
      return reroll(about);
    case 'card':
      return reaction(about);
    case 'bonus':
      return bonus(about);
    case 'gear':
      return gear(about);
    case 'retreat':
    case 'displace':
    case 'bailout':
    case 'rubble':
      return wayOut(about);
    case 'damage':
      return firstFor(about, 'DAMAGE')?.prefer.find((part) => about.values.includes(part));
    case 'target':
      return target(about);
    case 'frighten': {
      const rule = firstFor(about, 'FRIGHTEN');
      return rule && (rule.use ? 'YES' : 'NO');
    }
    case 'aim':
      return firstFor(about, 'AIM')?.at.toUpperCase();
    case 'spotted':
      return firstFor(about, 'SPOTTED')?.do.toUpperCase();
    default:
      return undefined;
  }
}

/** How closely a rule is written for a unit: 3 the unit, 2 its tile, 1 ALL, 0 not at all. */
function closeness(about: Case, who: string, unit: string): number {
  if (who === 'ALL') return 1;
  if (who === unit) return 3;
  const member = memberOf(about.known.table, unit);
  const tile = member && about.known.table.tiles[member.tile]?.tile;
  return tile === who ? 2 : 0;
}

/** The rules of one kind for a unit, the more specific first, among equals as written. */
function rulesFor<R extends KindForUnit>(about: Case, kind: R, unit: string): Kind<R>[] {
  return about.rules
    .filter((rule) => rule.rule === kind)
    .map((rule) => ({ rule: rule as Kind<R>, close: 'who' in rule ? closeness(about, rule.who, unit) : 0 }))
    .filter(({ close }) => close > 0)
    .sort((a, b) => b.close - a.close)
    .map(({ rule }) => rule);
}

function firstFor<R extends KindForUnit>(about: Case, kind: R): Kind<R> | undefined {
  return rulesFor(about, kind, about.unit)[0];
}

interface Shot extends Offer {
  option: string;
  unit: string;
  fire: FireAction;
  target: string;
  chance: number;
  range: number;
}

/** The shots among the options, with what they promise on public facts. */
function shotsOf(about: Case): Shot[] {
  return Object.entries(about.request.about.of).flatMap(([option, offered]): Shot[] => {
    if (offered.is !== 'shot') return [];
    const { fire, target } = offered;
    const chance = oddsOf(about.book, about.known, about.side, fire, target) ?? 0;
    const [shooter, victim] = [counter(about, fire.unit), counter(about, target)];
    const range = shooter && victim ? rangeOf(about.book, about.known.table, shooter, victim) : 0;
    return [{ option, unit: fire.unit, fire, target, chance, range }];
  });
}

function counter(about: Case, code: string): NormandieUnit | undefined {
  return findUnit(about.known.table, tableCode(about.known, about.side, code) ?? code);
}

/** The first line that fits decides: NO, or the best shot it allows (2.4, O-02: the first trigger that meets the line). */
function opportunityFire(about: Case): string | undefined {
  const shots = shotsOf(about);
  const { moment } = about.known.table;
  const trigger = moment?.at === 'move' ? moment.trigger : 1;
  for (const unit of [...new Set(shots.map((shot) => shot.unit))]) {
    const own = shots.filter((shot) => shot.unit === unit);
    for (const rule of rulesFor(about, 'OPFIRE', unit)) {
      const fits = own.filter((shot) => !rule.when || holds(about.book, about.known, about.side, rule.when, shot));
      if (fits.length === 0) continue;
      if (!rule.fire) return 'NO';
      if (trigger <= rule.wait) continue;
      const best = bestShot(about, fits, rule.targets);
      if (best) return best.option;
    }
  }
  return undefined;
}

/** The shot at the target kind named first; among equals the best chance. An empty list takes any target. */
function bestShot(about: Case, shots: readonly Shot[], classes: readonly TargetClass[]): Shot | undefined {
  const ranked = shots
    .map((shot) => ({ shot, rank: rankOf(about, shot.target, classes) }))
    .filter(({ rank }) => rank >= 0);
  ranked.sort(
    (a, b) =>
      a.rank - b.rank ||
      (classes[a.rank] === 'NEAREST' ? a.shot.range - b.shot.range : 0) ||
      b.shot.chance - a.shot.chance ||
      (a.shot.option < b.shot.option ? -1 : 1),
  );
  return ranked[0]?.shot;
}

function rankOf(about: Case, code: string, classes: readonly TargetClass[]): number {
  if (classes.length === 0) return 0;
  return classes.findIndex((kind) => isOfClass(about, code, kind));
}

function isOfClass(about: Case, code: string, kind: TargetClass): boolean {
  const unit = findUnit(about.known.table, code);
  if (!unit) return false;
  const face = counterOf(about.book, about.known, unit);
  switch (kind) {
    case 'INF':
    case 'LIGHT':
    case 'HEAVY':
      return classOf(about.book, unit) === kind.toLowerCase();
    case 'OFFICER':
      return face?.counter.role === 'officer';
    case 'CHARACTER':
      return face?.counter.character === true;
    case 'HEAVY-WEAPON':
      return face?.counter.role === 'heavy-weapon';
    case 'TRANSPORT':
      return can(about.book, about.known, unit, 'transport');
    case 'ASSAULTER': {
      const { moment } = about.known.table;
      return (
        (moment?.at === 'move' && moment.unit === code && moment.assaults !== null) ||
        (moment?.at === 'assault' && moment.unit === code)
      );
    }
    case 'REDUCED':
      return unit.face === 'reduced';
    case 'SUPPRESSED':
      return unit.suppressed > 0;
    default:
      return true;
  }
}

/** Candidates of ANY, by the TARGET list; those of no kind named come last in the order given. */
function target(about: Case): string | undefined {
  const rule = firstFor(about, 'TARGET');
  if (!rule) return undefined;
  const ranked = about.values.map((option, place) => ({
    option,
    place,
    rank: rankOf(about, option, rule.classes),
    range: rangeTo(about, option),
  }));
  const last = rule.classes.length;
  const order = (rank: number): number => (rank < 0 ? last : rank);
  ranked.sort(
    (a, b) =>
      order(a.rank) - order(b.rank) ||
      (rule.classes[a.rank] === 'NEAREST' ? a.range - b.range : 0) ||
      a.place - b.place,
  );
  return ranked[0]?.option;
}

function rangeTo(about: Case, code: string): number {
  const [from, to] = [counter(about, about.unit), counter(about, code)];
  return from && to ? rangeOf(about.book, about.known.table, from, to) : 0;
}

/** Re-rolls by threshold: all facts (what the roll does, what a new one promises) are public in the window. */
function reroll(about: Case): string | undefined {
  const { moment } = about.known.table;
  if (moment?.at !== 'roll') return undefined;
  const whose = moment.side === about.side ? 'own' : 'enemy';
  const chance = whose === 'own' ? moment.chance : 100 - moment.chance;
  for (const rule of about.rules) {
    if (rule.rule !== 'REROLL' || rule.whose !== whose) continue;
    const option = rule.source.toUpperCase();
    if (!about.values.includes(option) || usedUp(about, `REROLL ${rule.source}`, rule.max)) continue;
    if (holds(about.book, about.known, about.side, rule.when, { chance })) return option;
  }
  return undefined;
}

/** `MAX n` counts the uses of this turn, kept in the owner's hand. */
function usedUp(about: Case, what: string, max: number | null): boolean {
  const used = about.known.hands[about.side]?.used;
  return max !== null && used?.turn === about.known.turn && (used.times[what] ?? 0) >= max;
}

/** A card as an event of the window at hand. */
function reaction(about: Case): string | undefined {
  for (const rule of about.rules) {
    if (rule.rule !== 'CARD' || rule.bonus) continue;
    const options = about.values.filter((option) => offeredCard(about.request.about.of, option) === rule.card);
    if (options.length === 0 || !inWindow(about, rule) || !mayPlay(about, rule)) continue;
    if (rule.when && !holds(about.book, about.known, about.side, rule.when)) continue;
    const wished = rule.path.map((place) => `${rule.card} ${place}`).find((option) => options.includes(option));
    return wished ?? options[0];
  }
  return undefined;
}

function mayPlay(about: Case, rule: Kind<'CARD'>): boolean {
  const cards = about.known.hands[about.side]?.cards.length ?? 0;
  return cards > rule.keep && !usedUp(about, `CARD ${rule.card}`, rule.max);
}

function inWindow(about: Case, rule: Kind<'CARD'>): boolean {
  const { moment } = about.known.table;
  const same = (codes: readonly (string | null)[]): boolean =>
    rule.unit === null || codes.includes(counter(about, rule.unit)?.code ?? rule.unit);
  if (rule.window === null) return true;
  if (!moment) return false;
  switch (rule.window) {
    case 'TARGETED':
      return moment.at === 'fire' && moment.stage === 'declared' && same(moment.targets);
    case 'GRENADED':
      return moment.at === 'fire' && moment.weapon.includes('grenade') && same(moment.targets);
    case 'SUPPRESSED':
      return moment.at === 'effect' && moment.effect === 'suppressed' && same([moment.unit]);
    case 'REMOVED':
      return moment.at === 'effect' && moment.effect === 'removed' && same([moment.unit]);
    case 'LOST-ASSAULT':
      return moment.at === 'assault' && moment.stage === 'lost' && same([moment.unit]);
    case 'OPFIRED':
      return moment.at === 'fire' && same(moment.targets);
    default:
      return moment.at === 'move' && same([moment.unit]);
  }
}

/** A card's alternate bonus for the action or roll at hand; ON ANY serves whatever comes first. */
function bonus(about: Case): string | undefined {
  const { moment } = about.known.table;
  const kind = about.request.words?.params?.action;
  const chance = moment && 'chance' in moment ? { chance: moment.chance } : {};
  for (const rule of about.rules) {
    if (rule.rule !== 'CARD' || !rule.bonus) continue;
    const option = `${rule.card} BONUS`;
    if (!about.values.includes(option)) continue;
    if (rule.bonus.type !== 'any' && rule.bonus.type !== kind) continue;
    if (rule.bonus.unit !== null && rule.bonus.unit !== about.unit) continue;
    if (!mayPlay(about, rule)) continue;
    if (!rule.when || holds(about.book, about.known, about.side, rule.when, chance)) return option;
  }
  return undefined;
}

/** Gear markers: as many as the line says, fewer if there are not so many. */
function gear(about: Case): string | undefined {
  const { moment } = about.known.table;
  const place = moment?.at === 'assault' ? 'assault' : 'fire';
  for (const rule of rulesFor(about, 'GEAR', about.unit)) {
    if (rule.in !== null && rule.in !== place) continue;
    const fitting = Object.entries(about.request.about.of).filter(
      ([, offered]) => offered.is === 'gear' && offered.option === rule.option && offered.n <= rule.count,
    );
    const best = fitting.at(-1);
    if (best && (!rule.when || holds(about.book, about.known, about.side, rule.when))) return best[0];
  }
  return undefined;
}

/** The square that lies most in the first wished direction; with COVER the best cover among those. */
function wayOut(about: Case): string | undefined {
  const rule = firstFor(about, 'RETREAT');
  const unit = counter(about, about.unit);
  if (!rule || !unit) return undefined;
  const from = placeOf(about.book, unit.at).centre;
  const squares = about.values.filter((option) => about.book.places.has(option));
  const heading = (square: string) => turnTowards(from, placeOf(about.book, square).centre);
  for (const turn of [0, 1, 7]) {
    for (const toward of rule.toward) {
      const fitting = squares.filter((square) => heading(square) === (toward + turn) % 8);
      if (fitting.length === 0) continue;
      if (rule.cover) fitting.sort((a, b) => coverOf(about.book, b) - coverOf(about.book, a));
      return fitting[0];
    }
  }
  return undefined;
}

function coverOf(book: Book, square: string): number {
  return placeOf(book, square).symbols.reduce(
    (best, symbol) => (symbol.is === 'defense' && symbol.class === 'inf' ? Math.max(best, symbol.value) : best),
    0,
  );
}
