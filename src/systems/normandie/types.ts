/**
 * The state of a game of Heroes of Normandie, split into table, hands and cup. The content of a scenario is typed in data.ts,
 * orders and conditions in language.ts, events in events.ts.
 *
 * Two kinds of codes name a unit. Its **own code** (`US3`) is printed in its owner's list and used in his orders. On the
 * table an open unit carries its own code; a concealed one lies there as an anonymous counter (`GE?A`), and only the
 * owner's hand says which unit it is. Rules work on table codes; `tableCode` in units.ts translates.
 */

import type { GameState, GameTypes, Outcome, View } from '../../kernel/types.ts';
import type {
  ArmyTile,
  DamageKind,
  Direction,
  Face,
  NormandieSide,
  Objective,
  RollPurpose,
  TokenKind,
  Zone,
} from './data.ts';
import type { NormandieEvent } from './events.ts';
import type {
  CardOrder,
  ClaimOrder,
  Doctrine,
  FireAction,
  NormandieOrder,
  ScriptOrder,
  SupplyOrder,
  TokenOrder,
} from './language.ts';

// ---------------------------------------------------------------------------------------------------------------------
// The table: what everyone sees.

export type Mode = 'sealed' | 'one-mail' | 'placed' | 'live';
/** An Order Token as it lies: `back` until shown. */
type TokenSeen = 'back' | 'special' | 'bluff' | number;

/** A counter on the board (or aboard a vehicle). */
export interface NormandieUnit {
  code: string;
  side: NormandieSide;
  /** Counter type and face; null on an anonymous counter. */
  type: string | null;
  face: Face | null;
  /** What conceals an anonymous counter: its own Active Side (`ambush`) or a lettered Concealed marker. */
  concealed: 'ambush' | 'marker' | null;
  /** Square (front square of a two-square vehicle). While aboard: the vehicle's front square. */
  at: string;
  /** Rear square of a two-square vehicle. */
  rear: string | null;
  facing: Direction;
  /** Code of the vehicle it is in. */
  aboard: string | null;
  suppressed: number;
  activated: boolean;
  damage: DamageKind[];
  token: TokenSeen | null;
  /** Weapons fired this turn (1.3, damage 1). */
  fired: string[];
}

type Fate = 'unplaced' | 'in play' | 'lost' | 'exited';
/** A counter of an army, by own code; public, as the tiles are. A unit in play but not on the board is concealed. */
export interface Member {
  code: string;
  side: NormandieSide;
  type: string;
  /** Index of its tile in `Table.tiles`. */
  tile: number;
  /** The main counter of that tile (7.5-b). */
  main: boolean;
  fate: Fate;
}

/** A Recruitment Tile or Support Option in play. */
interface TileInPlay {
  side: NormandieSide;
  tile: string;
  /** Index of the tile whose slot it fills. */
  parent: number | null;
  slots: Record<string, string>;
  broken: boolean;
}

/** Markers of an option: gear, trait, customization. */
export interface Gear {
  side: NormandieSide;
  option: string;
  /** Index of the tile it belongs to. */
  tile: number;
  /** Markers left; null: no markers, can't run out. */
  left: number | null;
}

export interface Wreck {
  id: string;
  /** `wreck-1`, see `Data.overlays`. */
  kind: string;
  squares: string[];
  facing: Direction;
  points: number;
}

/** A charge stuck to a unit: goes off at the end of the Supply Phase (7.2-sticky-b). */
export interface Bomb {
  option: string;
  by: string;
  target: string;
}

/** Where the alternation of the Activation Phase stands; null outside it. */
export interface ActivationState {
  /** Whose reveal is next. */
  next: NormandieSide;
  /** Highest number shown or passed by each side. */
  shown: Record<NormandieSide, number>;
  /** Activations finished, for PAUSE AFTER and live games. */
  done: number;
  /** A side that played Initiative: it reveals instead of the other. */
  taken: NormandieSide | null;
}

export interface NormandieTable {
  mode: Mode;
  /** Set for the whole game; `ASK` windows wait this long. */
  askHours: number;
  turns: number;
  /** Army points of a points game, else null. */
  points: Record<NormandieSide, number> | null;
  initiative: NormandieSide;
  /** Deployment zones (drawn by die in a free battle). */
  zones: Record<NormandieSide, Zone>;
  units: NormandieUnit[];
  roster: Member[];
  tiles: TileInPlay[];
  gear: Gear[];
  wrecks: Wreck[];
  /** Destruction Points of buildings, by id. */
  destruction: Record<string, number>;
  /** Buildings turned to rubble. */
  rubble: string[];
  passages: string[];
  wire: string[];
  smoke: string[];
  foxholes: string[];
  foxholesLeft: Record<NormandieSide, number>;
  bombs: Bomb[];
  /** Sides whose units all have Assault +2 this turn (The Fury). */
  fury: NormandieSide[];
  objectives: Objective[];
  /** Who holds each objective, and what each side has scored for good. */
  held: Record<string, NormandieSide | null>;
  score: Record<NormandieSide, number>;
  /** Numbered tokens of each side this turn, and how many Special and Bluff tokens it may have. */
  tokens: Record<NormandieSide, { numbered: number; special: number; bluff: number }>;
  /** Tokens discarded unrevealed are told when their number comes up. */
  cards: Record<NormandieSide, { hand: number; deck: number; discarded: number; played: string[]; size: number }>;
  activation: ActivationState | null;
  /** What is happening right now, for windows and conditions; null between phases. */
  moment: Moment | null;
  ended: Outcome | null;
  /** Own codes of counters revealed this game, by the anonymous code they had: orders may still use it. */
  aliases: Record<string, string>;
  /** Units that moved this turn by own action, for the map. */
  nextWreck: number;
}

/** Public facts of the step at hand: what a doctrine may look at besides the table. */
export type Moment =
  /** W6. `trigger` counts the windows of this action from 1. */
  | {
      at: 'move';
      unit: string;
      trigger: number;
      from: string;
      to: string;
      /** `fired`: right after fire on the move before leaving. */
      what: 'step' | 'state' | 'pivot' | 'fired';
      /** Known only from the launch square on. */
      assaults: string | null;
    }
  /** W2 and W7. `chance`: per cent that the shot has its effect, on public facts. */
  | {
      at: 'fire';
      stage: 'declared' | 'done';
      unit: string;
      weapon: string;
      suppress: boolean;
      targets: string[];
      chance: number;
    }
  /** W3: dice as they lie. `wins`: what the roll would do if it stood. */
  | {
      at: 'roll';
      side: NormandieSide;
      unit: string;
      target: string | null;
      purpose: RollPurpose;
      dice: number[];
      total: number;
      need: number;
      chance: number;
      result: RollResult;
    }
  /** W4, W5. */
  | { at: 'effect'; effect: 'suppressed' | 'hit' | 'removed'; unit: string; by: string | null }
  /** W8, W9. */
  | { at: 'assault'; stage: 'declared' | 'lost' | 'won'; unit: string; target: string; from: string; chance: number }
  | { at: 'phase'; window: 'order-start' | 'order-end' | 'supply-start' | 'supply-end' };

/** What a roll leads to as it lies: nothing, suppression, a hit, a damage part, a won or lost assault … */
export interface RollResult {
  effect:
    | 'none'
    | 'suppressed'
    | 'hit'
    | 'destroyed'
    | 'damage'
    | 'won'
    | 'lost'
    | 'tie'
    | 'scattered'
    | 'on target'
    | 'points';
  /** Suppressed Markers or Destruction Points. */
  n?: number;
  part?: DamageKind | '6';
}

// ---------------------------------------------------------------------------------------------------------------------
// Hands and cup.

/** Which unit an anonymous counter is. */
interface CounterIdentity {
  code: string;
  type: string;
  face: Face;
}

export interface NormandieHand {
  /** Card ids, one entry a card. */
  cards: string[];
  /** Face-down tokens by table code. */
  tokens: Record<string, TokenKind>;
  /** Numbers whose unit is lost or has fired out of turn: shown without effect when they come up (3.2-f). */
  voided: number[];
  /** By anonymous table code. */
  identities: Record<string, CounterIdentity>;
  /** Face-down discards. */
  discards: string[];
  /** What was filed for this turn and still stands through pauses. */
  plan: {
    tokens: TokenOrder[];
    scripts: ScriptOrder[];
    claims: ClaimOrder[];
    cards: CardOrder[];
    supply: SupplyOrder[];
    pauseAfter: number | null;
    discards: string[] | null;
  };
  /** How often doctrine has used a re-roll or card this turn, for its `MAX`. */
  used: { turn: number; times: Record<string, number> };
  /** Army list while it is sealed (points games). */
  draft: ArmyTile[] | null;
}

interface NormandieCup {
  decks: Record<NormandieSide, string[]>;
}

export interface Normandie extends GameTypes {
  table: NormandieTable;
  hand: NormandieHand;
  cup: NormandieCup;
  order: NormandieOrder;
  standing: Doctrine;
  event: NormandieEvent;
  about: About;
}

/** What a question is about: the unit, and for choices that are actions what each value stands for. */
interface About {
  unit: string;
  of: Record<string, Offered>;
}

/** What a choice of a window stands for. */
export type Offered =
  | { is: 'shot'; fire: FireAction; target: string }
  | { is: 'card'; card: string; use: 'event' | 'bonus'; at: string | null }
  | { is: 'gear'; option: string; n: number };

export type State = GameState<Normandie>;
export type SideView = View<Normandie>;
export type NormandieStep = 'recruit' | 'setup' | 'tokens' | 'orders' | 'pause' | 'supply';

/**
 * What a rule may look at: the table and the hands somebody is entitled to. The engine passes all hands, a check on a view
 * only the viewer's own; the same code serves both (`knownFrom` in units.ts).
 */
export interface Known {
  table: NormandieTable;
  hands: Partial<Record<NormandieSide, NormandieHand>>;
  turn: number;
}
