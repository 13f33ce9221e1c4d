/** The order form at the end of a report: a valid block ready to edit, with what each unit can do in comments. */
import type { Param, Text, Words } from '../../../kernel/types.ts';
import type { Book } from '../content/opened.ts';
import { counterOf, findUnit, knownFrom, moveValue, tableCode } from '../counters/units.ts';
import type { NormandieSide, Tile } from '../data.ts';
import { printOrder } from '../text/print.ts';
import { proposal } from '../turn/deployment.ts';
import { sampleArmy } from '../turn/recruitment.ts';
import { supplyRefusal } from '../turn/supply.ts';
import { isPersonal, tokensOf } from '../turn/tokens.ts';
import type { Known, Member, NormandieUnit, SideView } from '../types.ts';

/** The form for what the side owes now; empty when the game is over. */
export function orderForm(book: Book, view: SideView): Text[] {
  const side = view.viewer as NormandieSide;
  if (view.table.ended) return [];
  const known = knownFrom(view);
  const body: Record<string, () => Text[]> = {
    recruit: () => recruitForm(book, known, side),
    setup: () => setupForm(book, known, side),
    tokens: () => tokenForm(book, known, side),
    orders: () => [
      ...(known.table.mode === 'placed' || known.table.mode === 'live' ? [] : tokenForm(book, known, side)),
      ...scriptForm(known, side),
      ...(known.table.mode === 'one-mail'
        ? ['# this mail holds the Supply Phase of the turn, too', ...supplyForm(book, known, side)]
        : []),
    ],
    pause: () => scriptForm(known, side),
    supply: () => supplyForm(book, known, side),
  };
  const lines = body[view.phase.step]?.() ?? [];
  return [`TURN ${view.phase.turn} SIDE ${side.toUpperCase()}`, ...lines, 'FINAL', 'END'];
}

const say = (key: string, params: Record<string, Param> = {}): Words => ({ key: `normandie.form ${key}`, params });

/** Own units on the board by own code. */
function present(known: Known, side: NormandieSide): { member: Member; unit: NormandieUnit }[] {
  return known.table.roster
    .filter((member) => member.side === side)
    .flatMap((member) => {
      const unit = findUnit(known.table, tableCode(known, side, member.code) ?? member.code);
      return unit ? [{ member, unit }] : [];
    });
}

function describe(book: Book, known: Known, { member, unit }: { member: Member; unit: NormandieUnit }): Words {
  const counter = counterOf(book, known, unit);
  const name = counter?.counter.name ?? member.type;
  const where = unit.aboard === null ? unit.at : say('aboard', { unit: unit.aboard });
  return say('unit', { name, where, move: moveValue(book, known, unit) });
}

function recruitForm(book: Book, known: Known, side: NormandieSide): Text[] {
  const budget = known.table.points?.[side] ?? 0;
  const tiles = book.data.tiles.filter((tile) => tile.side === side);
  const listed = (tile: Tile): Words => {
    const slots = tile.slots.map((slot) => `${slot.id} (${slot.kinds.join('/')}: ${slot.stripes.join(' ')})`);
    return say(slots.length > 0 ? 'tile with slots' : 'tile', { id: tile.id, name: tile.name, cost: tile.cost, slots });
  };
  return [
    say('recruit', { points: budget }),
    ...tiles.map(listed),
    ...book.data.options
      .filter((option) => option.sides.includes(side))
      .map(({ id, kind, cost, stripes }) => say('option', { id, kind, cost, stripes: stripes.join(' ') })),
    ...sampleArmy(book.data, side, budget).map(({ tile, slots }) =>
      ['RECRUIT', tile, ...Object.entries(slots).map(([slot, option]) => `${slot}=${option}`)].join(' '),
    ),
  ];
}

function setupForm(book: Book, known: Known, side: NormandieSide): Text[] {
  const zone = known.table.zones[side];
  const columns = zone.columns.map((column) => String.fromCharCode(64 + column)).join('-');
  const waiting = known.table.roster.filter((member) => member.side === side && member.fate === 'unplaced');
  const proposed = new Map(proposal(book, known, side).map((order) => [order.unit, order]));
  const line = (member: Member): Text => {
    const order = proposed.get(member.code);
    const name = book.counters.get(member.type)?.name ?? '';
    return order ? `${printOrder(order)}   # ${name}` : say('deploy', { unit: member.code, name });
  };
  return [
    say('zone', { columns, rows: zone.rows.join('-') }),
    ...waiting.map(line),
    ...(known.table.foxholesLeft[side] > 0 ? [say('foxhole', { left: known.table.foxholesLeft[side] })] : []),
  ];
}

/** Numbers from 1 on the units that must have a token, then on the others. */
function tokenForm(book: Book, known: Known, side: NormandieSide): Text[] {
  const { numbered, special, bluff } = tokensOf(book, known, side, 0);
  const units = present(known, side);
  const must = units.filter(({ unit }) => isPersonal(book, known, unit));
  const lines: Text[] = [say('tokens', { numbered, special, bluff })];
  [...must, ...units.filter((each) => !must.includes(each))].forEach((each, i) => {
    const order = i < numbered ? `TOKEN ${i + 1} ${each.member.code}` : `# TOKEN n ${each.member.code}`;
    lines.push(say('noted', { order, note: describe(book, known, each) }));
  });
  return lines;
}

function scriptForm(known: Known, side: NormandieSide): Text[] {
  const first = known.table.roster.find((member) => member.side === side)?.code;
  return [say('script'), ...(first === undefined ? [] : [say('script example', { unit: first })])];
}

function supplyForm(book: Book, known: Known, side: NormandieSide): Text[] {
  const hand = known.hands[side];
  const lines: Text[] = present(known, side)
    .filter(({ unit }) => supplyRefusal(known, unit) === undefined)
    .map((each) => say('supply', { unit: each.member.code, note: describe(book, known, each) }));
  if (hand && hand.cards.length > 0) lines.push(say('discard', { cards: hand.cards.join(' ') }));
  return [...lines, 'KEEP ALL'];
}
