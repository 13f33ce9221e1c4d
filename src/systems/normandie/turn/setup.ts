/** The state before the first phase: armies mustered, decks shuffled, hands drawn (2.1, 4.2-a, 7.4-improvisation). */

import { squareName } from '../../../board/square.ts';
import { known as must } from '../../../kernel/assert.ts';
import type { Dice } from '../../../kernel/types.ts';
import type { Book } from '../content/opened.ts';
import { countCards } from '../counters/hands.ts';
import { type ArmyTile, type NormandieSide, type Objective, SIDES, type Zone } from '../data.ts';
import type { Mode, NormandieHand, NormandieTable, State } from '../types.ts';

const MODES: readonly Mode[] = ['sealed', 'one-mail', 'placed', 'live'];
const FREE_OBJECTIVES = 3;
const FREE_OBJECTIVE_POINTS = 2;
const ASK_HOURS = 24;

/** Opens a game: a fixed scenario begins with set-up, a points game with sealed recruitment. */
export function setup(book: Book, options: Record<string, unknown>, dice: Dice): State {
  const { scenario } = book.data;
  const mode = MODES.find((each) => each === options.mode) ?? 'sealed';
  const points = scenario.freeBattle ? Number(options.points ?? scenario.points.us) : null;
  const south = scenario.freeBattle && dice.roll('which side has the south edge: 1-3 US, 4-6 Germany', 1, 6)[0]! > 3;
  const zones: Record<NormandieSide, Zone> = south
    ? { us: scenario.deploy.ge, ge: scenario.deploy.us }
    : { us: scenario.deploy.us, ge: scenario.deploy.ge };
  const table: NormandieTable = {
    mode,
    askHours: Number(options.askHours ?? ASK_HOURS),
    turns: scenario.turns,
    points:
      scenario.recruitment === 'points' ? { us: points ?? scenario.points.us, ge: points ?? scenario.points.ge } : null,
    initiative:
      scenario.firstInitiative === 'dice'
        ? dice.roll('first Initiative: 1-3 US, 4-6 Germany', 1, 6)[0]! > 3
          ? 'ge'
          : 'us'
        : scenario.firstInitiative,
    zones,
    units: [],
    roster: [],
    tiles: [],
    gear: [],
    wrecks: [],
    destruction: {},
    rubble: [],
    passages: [],
    wire: [...book.data.board.wire],
    smoke: [],
    foxholes: [],
    foxholesLeft: { ...scenario.foxholes },
    bombs: [],
    fury: [],
    objectives: scenario.freeBattle ? drawObjectives(book, zones, dice) : scenario.objectives,
    held: {},
    score: { us: 0, ge: 0 },
    tokens: { us: noTokens(), ge: noTokens() },
    cards: { us: noCards(), ge: noCards() },
    activation: null,
    moment: null,
    ended: null,
    aliases: {},
    nextWreck: 1,
  };
  for (const objective of table.objectives) if (objective.kind !== 'exit') table.held[objective.id] = null;
  const draft: State = {
    phase: { n: 1, turn: 1, step: scenario.recruitment === 'points' ? 'recruit' : 'setup' },
    table,
    hands: { us: newHand(), ge: newHand() },
    cup: { decks: { us: [], ge: [] } },
  };
  if (scenario.recruitment === 'fixed') {
    for (const side of SIDES) muster(book, draft, side, scenario.armies[side]);
    dealCards(book, draft, dice);
  }
  return draft;
}

const noTokens = (): NormandieTable['tokens'][NormandieSide] => ({ numbered: 0, special: 0, bluff: 0 });
const noCards = (): NormandieTable['cards'][NormandieSide] => ({ hand: 0, deck: 0, discarded: 0, played: [], size: 0 });

/** Nothing filed yet. */
export function emptyPlan(): NormandieHand['plan'] {
  return { tokens: [], scripts: [], claims: [], cards: [], supply: [], pauseAfter: null, discards: null };
}

function newHand(): NormandieHand {
  return {
    cards: [],
    tokens: {},
    voided: [],
    identities: {},
    discards: [],
    plan: emptyPlan(),
    used: { turn: 0, times: {} },
    draft: null,
  };
}

/** Three squares of the middle rows, road or building, by the open die. */
function drawObjectives(book: Book, zones: Record<NormandieSide, Zone>, dice: Dice): Objective[] {
  const from = Math.min(zones.us.rows[1], zones.ge.rows[1]) + 1;
  const to = Math.max(zones.us.rows[0], zones.ge.rows[0]) - 1;
  const candidates: string[] = [];
  for (let row = from; row <= to; row++) {
    for (let column = 1; column <= book.data.board.columns; column++) {
      const place = book.places.get(squareName(column - 1, row - 1));
      if (place && !place.incomplete && (place.building !== null || place.terrain === '=')) candidates.push(place.name);
    }
  }
  const objectives: Objective[] = [];
  for (let i = 1; i <= FREE_OBJECTIVES && candidates.length > 1; i++) {
    const [die] = dice.roll(`objective ${i} of ${candidates.length} squares`, 1, candidates.length);
    const [square] = candidates.splice(die! - 1, 1);
    objectives.push({
      id: `obj${i}`,
      kind: 'square',
      squares: [square!],
      score: 'end',
      from: 1,
      points: FREE_OBJECTIVE_POINTS,
    });
  }
  return objectives;
}

/** Brings an army into the roster: codes US1, US2 … in the order of its tiles, each followed by its support options. */
export function muster(book: Book, draft: State, side: NormandieSide, army: readonly ArmyTile[]): void {
  const { table } = draft;
  const prefix = side.toUpperCase();
  let next = 1 + table.roster.filter((member) => member.side === side).length;
  const add = (tileId: string, parent: number | null, slots: Record<string, string>): number => {
    const tile = must(book.tiles.get(tileId), `no tile ${tileId}`);
    const index = table.tiles.push({ side, tile: tileId, parent, slots, broken: false }) - 1;
    for (const type of tile.units) {
      const main = type === tile.mainCharacter && tile.kind === 'tile';
      table.roster.push({ code: `${prefix}${next++}`, side, type, tile: index, main, fate: 'unplaced' });
    }
    return index;
  };
  for (const pick of army) {
    const index = add(pick.tile, null, pick.slots);
    const tile = must(book.tiles.get(pick.tile), `no tile ${pick.tile}`);
    for (const slot of tile.slots) {
      const filled = pick.slots[slot.id];
      if (filled === undefined) continue;
      const holder = book.tiles.has(filled) ? add(filled, index, {}) : index;
      const option = book.options.get(filled);
      if (option && option.kind !== 'order')
        table.gear.push({ side, option: filled, tile: index, left: option.markers });
      if (slot.unlock && slot.unlock.what !== 'order')
        table.gear.push({ side, option: slot.unlock.what, tile: holder, left: slot.unlock.n });
    }
  }
}

/** Does any tile of the side hold that Orders option, and how often (7.4-b)? Broken tiles keep their options. */
export function ordersOptions(table: NormandieTable, side: NormandieSide, option: string): number {
  return table.tiles
    .filter((tile) => tile.side === side)
    .reduce((sum, tile) => sum + Object.values(tile.slots).filter((each) => each === option).length, 0);
}

/** Shuffles both decks from the secret chain and draws the starting hands, one card more with Improvisation. */
export function dealCards(book: Book, draft: State, dice: Pick<Dice, 'shuffle'>): void {
  const { scenario } = book.data;
  for (const side of SIDES) {
    const deck = book.data.cards.flatMap((card) =>
      card.sides.includes(side) && !scenario.removedCards.includes(card.id)
        ? Array<string>(card.copies).fill(card.id)
        : [],
    );
    draft.cup.decks[side] = dice.shuffle(`${side.toUpperCase()} deck`, deck);
    const extra = ordersOptions(draft.table, side, 'improvisation') > 0 ? 1 : 0;
    draft.table.cards[side].size = scenario.hand;
    draft.hands[side]!.cards = draft.cup.decks[side].splice(0, scenario.hand + extra);
    countCards(draft, side);
  }
}
