/** The order form at the end of a report: a valid block ready to edit, with what each unit can do in comments. */
import type { Book } from '../content/opened.ts';
import { counterOf, findUnit, knownFrom, moveValue, tableCode } from '../counters/units.ts';
import type { Side, Tile } from '../data.ts';
import { printOrder } from '../text/print.ts';
import { proposal } from '../turn/deployment.ts';
import { sampleArmy } from '../turn/recruitment.ts';
import { supplyRefusal } from '../turn/supply.ts';
import { isPersonal, tokensOf } from '../turn/tokens.ts';
import type { Known, Member, SideView, Unit } from '../types.ts';

/** The form for what the side owes now; empty when the game is over. */
export function orderForm(book: Book, view: SideView): string[] {
  const side = view.viewer as Side;
  if (view.table.ended) return [];
  const known = knownFrom(view);
  const body: Record<string, () => string[]> = {
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

/** Own units on the board by own code. */
function present(known: Known, side: Side): { member: Member; unit: Unit }[] {
  return known.table.roster
    .filter((member) => member.side === side)
    .flatMap((member) => {
      const unit = findUnit(known.table, tableCode(known, side, member.code) ?? member.code);
      return unit ? [{ member, unit }] : [];
    });
}

function describe(book: Book, known: Known, { member, unit }: { member: Member; unit: Unit }): string {
  const counter = counterOf(book, known, unit);
  const name = counter?.counter.name ?? member.type;
  const where = unit.aboard === null ? unit.at : `in ${unit.aboard}`;
  return `${name}, ${where}, move ${moveValue(book, known, unit)}`;
}

function recruitForm(book: Book, known: Known, side: Side): string[] {
  const budget = known.table.points?.[side] ?? 0;
  const tiles = book.data.tiles.filter((tile) => tile.side === side);
  const listed = (tile: Tile): string => {
    const slots = tile.slots.map((slot) => `${slot.id} (${slot.kinds.join('/')}: ${slot.stripes.join(' ')})`);
    return `# ${tile.id}: ${tile.name}, ${tile.cost} points${slots.length > 0 ? `; slots ${slots.join(', ')}` : ''}`;
  };
  return [
    `# ${budget} points; a list that costs more or breaks a limit is not taken. A sample list stands below.`,
    ...tiles.map(listed),
    ...book.data.options
      .filter((option) => option.sides.includes(side))
      .map((option) => `# ${option.id}: ${option.kind}, ${option.cost} points, stripes ${option.stripes.join(' ')}`),
    ...sampleArmy(book.data, side, budget).map(({ tile, slots }) =>
      ['RECRUIT', tile, ...Object.entries(slots).map(([slot, option]) => `${slot}=${option}`)].join(' '),
    ),
  ];
}

function setupForm(book: Book, known: Known, side: Side): string[] {
  const zone = known.table.zones[side];
  const columns = zone.columns.map((column) => String.fromCharCode(64 + column)).join('-');
  const waiting = known.table.roster.filter((member) => member.side === side && member.fate === 'unplaced');
  const proposed = new Map(proposal(book, known, side).map((order) => [order.unit, order]));
  const line = (member: Member): string => {
    const order = proposed.get(member.code);
    const name = book.counters.get(member.type)?.name ?? '';
    return `${order ? printOrder(order) : `# DEPLOY ${member.code} AT square`}   # ${name}`;
  };
  return [
    `# your zone: columns ${columns}, rows ${zone.rows.join('-')}; units not placed are placed for you`,
    ...waiting.map(line),
    ...(known.table.foxholesLeft[side] > 0 ? [`# FOXHOLE square   # ${known.table.foxholesLeft[side]} left`] : []),
  ];
}

/** Numbers from 1 on the units that must have a token, then on the others. */
function tokenForm(book: Book, known: Known, side: Side): string[] {
  const { numbered, special, bluff } = tokensOf(book, known, side, 0);
  const units = present(known, side);
  const must = units.filter(({ unit }) => isPersonal(book, known, unit));
  const lines = [`# ${numbered} numbered, ${special} special, ${bluff} bluff; one token a unit`];
  [...must, ...units.filter((each) => !must.includes(each))].forEach((each, i) => {
    const order = i < numbered ? `TOKEN ${i + 1} ${each.member.code}` : `# TOKEN n ${each.member.code}`;
    lines.push(`${order}   # ${describe(book, known, each)}`);
  });
  return lines;
}

function scriptForm(known: Known, side: Side): string[] {
  const first = known.table.roster.find((member) => member.side === side)?.code ?? 'unit';
  return [
    '# ON n: the script of token n; without one the unit fires where the chance is 50 per cent or more',
    `# ON 1: IF CANFIRE ${first} enemy: FIRE ${first} AT enemy | ELSE: MOVE ${first} -> square square`,
  ];
}

function supplyForm(book: Book, known: Known, side: Side): string[] {
  const hand = known.hands[side];
  const lines = present(known, side)
    .filter(({ unit }) => supplyRefusal(known, unit) === undefined)
    .map((each) => `# SUPPLY MOVE ${each.member.code} -> square   # ${describe(book, known, each)}`);
  if (hand && hand.cards.length > 0) lines.push(`# DISCARD card   # you hold ${hand.cards.join(' ')}`);
  return [...lines, 'KEEP ALL'];
}
