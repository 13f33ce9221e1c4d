/** The report of a phase as one side may hear it: the story of the turn, what it holds, what it knows, what comes next. */

import { joined } from '../../../kernel/joined.ts';
import type { Filed, Report, Text, Words } from '../../../kernel/types.ts';

import { pointsOf } from '../actions/victory.ts';
import type { Book } from '../content/opened.ts';
import {
  counterOf,
  enemyOf,
  faceOf,
  findUnit,
  isVehicle,
  knownFrom,
  moveValue,
  ownCode,
  tableCode,
} from '../counters/units.ts';
import { type NormandieSide, SIDES, type Value } from '../data.ts';
import type { NormandieEvent } from '../events.ts';
import { orderForm } from '../player/form.ts';
import { printOrder } from '../text/print.ts';
import { DIRECTIONS } from '../text/reader.ts';
import { tokensOf } from '../turn/tokens.ts';
import type { Known, Member, Normandie, NormandieStep, NormandieTable, NormandieUnit, SideView } from '../types.ts';
import { damageName, objectiveName, tell } from './tell.ts';

type Section = Report['sections'][number];

const words = (key: string, params: Words['params'] = {}): Words => ({ key: `normandie.${key}`, params });

/** The report for one viewer; events he may not hear are left out whole. */
export function report(book: Book, view: SideView, events: readonly NormandieEvent[], filed: Filed<Normandie>): Report {
  const known = knownFrom(view);
  const side = view.viewer === 'public' ? undefined : (view.viewer as NormandieSide);
  const heard = events.filter((event) => event.audience === 'all' || event.audience.includes(view.viewer));
  const plans = heard.filter((event) => event.type === 'planned');
  if (plans.length > 0 && heard.every(({ type }) => type === 'planned' || type === 'moved')) {
    const lines = plans.map((event) => tell(book, event).words);
    return { headline: headline(book, view), sections: [{ title: words('title forecast'), lines }], orderForm: [] };
  }
  const step = view.phase.step as NormandieStep;
  const sections: Section[] = [story(book, heard)];
  if (side) sections.push(trace(book, heard, side), holdings(book, known, side, step), ownUnits(book, known, side));
  for (const enemy of side ? [enemyOf(side)] : SIDES) sections.push(enemyUnits(book, known, enemy, step));
  sections.push(ground(book, known), standing(book, known));
  if (side && filed.standing.length > 0)
    sections.push({
      title: words('title doctrine'),
      lines: filed.standing.map((line) => words('doctrine line', { text: printOrder(line) })),
    });
  return {
    headline: headline(book, view),
    sections: sections.filter((section) => section.lines.length > 0),
    orderForm: side ? orderForm(book, view) : [],
  };
}

function headline(book: Book, view: SideView): Words {
  const { table, phase } = view;
  const points = pointsOf(book, view);
  if (table.ended) {
    const { winner, reason } = table.ended;
    return words('headline over', {
      winner: winner === null ? 'nobody' : winner.toUpperCase(),
      reason,
      ...points,
    });
  }
  return words(`headline ${phase.step}`, {
    turn: phase.turn,
    turns: table.turns,
    initiative: table.initiative.toUpperCase(),
    ...points,
  });
}

/** What only its owner is told: clauses taken and passed over, doctrine that spoke, what could not be done. */
const TRACES: readonly string[] = ['clause', 'considered', 'order-lost', 'own-tokens', 'drew-cards', 'identity'];

function story(book: Book, events: readonly NormandieEvent[]): Section {
  const told = events.filter((event) => !TRACES.includes(event.type)).map((event) => tell(book, event));
  return { title: words('title story'), lines: told.map((line) => line.words) };
}

function trace(book: Book, events: readonly NormandieEvent[], side: NormandieSide): Section {
  const own = events.filter((event) => TRACES.includes(event.type));
  return {
    title: words('title trace', { side: side.toUpperCase() }),
    lines: own.map((event) => tell(book, event).words),
  };
}

function holdings(book: Book, known: Known, side: NormandieSide, step: NormandieStep): Section {
  const hand = known.hands[side];
  const lines: Words[] = [];
  if (!hand) return { title: words('title hand'), lines };
  for (const [id, count] of counts(hand.cards)) {
    const card = book.cards.get(id);
    lines.push(
      words('card held', {
        card: id,
        name: card?.name ?? id,
        times: count > 1 ? count : '',
        text: card?.text ?? '',
        bonus: card ? `${card.bonus.type} +${card.bonus.value}` : '',
      }),
    );
  }
  const { cards, gear } = known.table;
  lines.push(words('deck', { ...cards[side], ...tokensNow(book, known, side, step) }));
  for (const marker of gear.filter((each) => each.side === side))
    lines.push(
      words('gear held', {
        option: marker.option,
        left: marker.left === null ? words('gear always') : words('gear left', { n: marker.left }),
        tile: book.tiles.get(known.table.tiles[marker.tile]?.tile ?? '')?.name ?? '',
      }),
    );
  return { title: words('title hand'), lines };
}

function counts(items: readonly string[]): [string, number][] {
  const count = new Map<string, number>();
  for (const item of items) count.set(item, (count.get(item) ?? 0) + 1);
  return [...count].sort(([a], [b]) => (a < b ? -1 : 1));
}

function ownUnits(book: Book, known: Known, side: NormandieSide): Section {
  const members = known.table.roster.filter((member) => member.side === side);
  return {
    title: words('title own', { side: side.toUpperCase() }),
    lines: members.map((member) => memberLine(book, known, member)),
  };
}

function memberLine(book: Book, known: Known, member: Member): Words {
  const unit = findUnit(known.table, tableCode(known, member.side, member.code) ?? member.code);
  const name = book.counters.get(member.type)?.name ?? member.type;
  if (!unit) return words('unit away', { code: member.code, name, fate: member.fate });
  return unitLine(book, known, unit, member.code);
}

/** Code, name, square, values in view and every marker on it. */
function unitLine(book: Book, known: Known, unit: NormandieUnit, code: string): Words {
  const counter = counterOf(book, known, unit);
  if (!counter) return words('unit hidden', { code, at: unit.at, state: stateOf(known, unit) });
  const face = faceOf(book, known, unit);
  const weapons = face?.weapons?.map((weapon) =>
    words('weapon values', { slot: weapon.slot, values: values(weapon.cv) }),
  );
  const defense = face?.defense ?? 0;
  return words('unit', {
    code,
    name: counter.counter.name,
    face: counter.face,
    at: placeText(book, unit),
    fire: weapons ?? (face?.cv ? values(face.cv) : '-'),
    defense: typeof defense === 'number' ? `${defense}` : `${defense.front}/${defense.side}/${defense.rear}`,
    move: `${moveValue(book, known, unit)}`,
    state: stateOf(known, unit),
  });
}

function values(cv: Record<'inf' | 'light' | 'heavy', Value>): string {
  return `${cv.inf}/${cv.light}/${cv.heavy}`;
}

function placeText(book: Book, unit: NormandieUnit): Text {
  if (unit.aboard !== null) return words('place in', { unit: unit.aboard });
  const place = unit.rear === null ? unit.at : `${unit.at}/${unit.rear}`;
  const turned = isVehicle(book, unit) || unit.face === 'active';
  return turned ? words('place facing', { place, facing: DIRECTIONS[unit.facing]! }) : place;
}

function stateOf(known: Known, unit: NormandieUnit): Text {
  const token = known.hands[unit.side]?.tokens[unit.code] ?? unit.token;
  const parts: Words[] = [];
  if (unit.concealed !== null) parts.push(words('state concealed', { code: unit.code }));
  if (unit.suppressed > 0) parts.push(words('state suppressed', { n: unit.suppressed }));
  if (unit.damage.length > 0) parts.push(words('state damage', { parts: unit.damage.map(damageName) }));
  if (unit.activated) parts.push(words('state activated'));
  if (token !== null) parts.push(words('state token', { token }));
  return joined('normandie.states', ['', ...parts]);
}

/** Tokens that lie, or before they are laid those that a side will have (3.1). */
function tokensNow(
  book: Book,
  known: Known,
  side: NormandieSide,
  step: NormandieStep,
): NormandieTable['tokens'][NormandieSide] {
  const { mode, tokens } = known.table;
  const ahead = step === 'tokens' || (step === 'orders' && mode !== 'placed' && mode !== 'live');
  return ahead ? tokensOf(book, known, side, 0) : tokens[side];
}

function enemyUnits(book: Book, known: Known, side: NormandieSide, step: NormandieStep): Section {
  const lines = known.table.units
    .filter((unit) => unit.side === side)
    .map((unit) => unitLine(book, known, unit, ownCode(known, unit)));
  const lost = known.table.roster.filter((member) => member.side === side && member.fate === 'lost');
  if (lost.length > 0) lines.push(words('enemy lost', { units: lost.map((member) => member.code) }));
  const { cards } = known.table;
  const { numbered } = tokensNow(book, known, side, step);
  lines.push(words('enemy cards', { side: side.toUpperCase(), hand: cards[side].hand, numbered }));
  return { title: words('title enemy', { side: side.toUpperCase() }), lines };
}

/** What the ground has become: wrecks, rubble, smoke, wire, foxholes, charges about to go off. */
function ground(book: Book, known: Known): Section {
  const { table } = known;
  const lines: Words[] = [];
  for (const wreck of table.wrecks) lines.push(words('wreck', { kind: wreck.kind, squares: wreck.squares }));
  for (const [id, points] of Object.entries(table.destruction))
    if (points > 0 && !table.rubble.includes(id)) {
      const building = book.buildings.get(id);
      if (building) lines.push(words('points', { building: building.name, points, of: building.structure }));
    }
  for (const id of table.rubble) lines.push(words('in rubble', { building: book.buildings.get(id)?.name ?? id }));
  if (table.smoke.length > 0) lines.push(words('smoke lies', { squares: table.smoke }));
  if (table.wire.length > 0) lines.push(words('wire lies', { squares: table.wire }));
  if (table.foxholes.length > 0) lines.push(words('foxholes', { squares: table.foxholes }));
  for (const bomb of table.bombs) lines.push(words('charge', { option: bomb.option, target: bomb.target }));
  return { title: words('title ground'), lines };
}

/** Objectives, broken tiles and the score (victory points as ruled in the scenario). */
function standing(book: Book, known: Known): Section {
  const { table } = known;
  const lines = table.objectives.map((objective) => {
    const holder = table.held[objective.id] ?? null;
    return words(`objective ${objective.score}`, {
      objective: objectiveName(book, objective.id),
      holder: holder === null ? '-' : holder.toUpperCase(),
      points: objective.points,
    });
  });
  const broken = table.tiles.filter((tile) => tile.broken);
  for (const tile of broken)
    lines.push(
      words('tile broken', { side: tile.side.toUpperCase(), tile: book.tiles.get(tile.tile)?.name ?? tile.tile }),
    );
  lines.push(words('score', pointsOf(book, known)));
  return { title: words('title standing'), lines };
}
