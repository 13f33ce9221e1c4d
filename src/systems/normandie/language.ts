/**
 * The order language as data: what a mail says once it is read. orders.ts parses and prints it, conditions.ts evaluates
 * conditions on a side's own view, doctrine.ts answers questions with doctrine lines, the rules execute the rest.
 *
 * Unit names are kept as written by the player once matched: his own code (`US3`), an enemy's table code (`GE7`, `GE?A`).
 * Squares are `D9` or `CH.a`, interspaces `@D9`.
 */

import type { Standing } from '../../kernel/types.ts';
import type { BonusType, Direction, NormandieSide } from './data.ts';

// --- conditions (3.4) ------------------------------------------------------------------------------------------------

export type Compare = '>=' | '<=';

/** A place set. `within`: general distance of at most n squares from a unit or square. */
export type ZoneWords =
  | { zone: 'squares'; squares: string[] }
  /** `C3:F6`, both corners included. */
  | { zone: 'block'; from: string; to: string }
  | { zone: 'building'; id: string }
  | { zone: 'objective'; id: string }
  | { zone: 'within'; n: number; of: string };

/**
 * A condition. It is evaluated on its owner's view: an enemy it can't see makes `AT`, `LOS`, `CANFIRE`, `RANGE` and
 * `ODDS` false. A numeric test without a number means `>= 1`. Words after the rule are legal in doctrine lines only.
 */
export type Condition =
  | { is: 'and' | 'or'; of: Condition[] }
  | { is: 'not'; of: Condition }
  /** `ALIVE u`, `LOST u`, `SEEN u` (open on the board), `HIT u` (reduced or damaged), `WRECKED u`, `ACTIVATED u`, `MARKED u` (a token's back lies on it). */
  | { is: 'alive' | 'lost' | 'seen' | 'hit' | 'wrecked' | 'activated' | 'marked'; unit: string }
  | { is: 'at'; unit: string; zone: ZoneWords }
  /** `LOS u v`: a clear or obscured line between units or squares. */
  | { is: 'los'; from: string; to: string }
  | { is: 'canfire'; unit: string; target: string }
  /** Chance in per cent of a plain shot (`ODDS u v SUPPRESS >= 50`: of one Suppressed Marker). */
  | { is: 'odds'; unit: string; target: string; suppress: boolean; compare: Compare; value: number }
  | { is: 'range'; from: string; to: string; compare: Compare; value: number }
  | { is: 'suppressed'; unit: string; compare: Compare; value: number }
  | { is: 'free'; square: string }
  | { is: 'enemy' | 'friend'; zone: ZoneWords; compare: Compare; value: number }
  /** `SHOWN GE 2`: that number has been played. */
  | { is: 'shown'; side: NormandieSide; n: number }
  | { is: 'turn' | 'cards'; compare: Compare; value: number }
  | { is: 'hold'; objective: string }
  // Doctrine only: about the moment at hand.
  /** OPFIRE: chance and range of the shot offered; REROLL, CARD: `CHANCE` that the new roll or the bonus gives the result. */
  | { is: 'this-odds' | 'this-range' | 'chance'; compare: Compare; value: number }
  /** Own unplayed number of the unit that would fire. */
  | { is: 'token'; compare: Compare; value: number }
  /** OPFIRE: the enemy has just entered the zone; assaults that unit; the trigger is its fire. */
  | { is: 'enters'; zone: ZoneWords }
  | { is: 'assaults'; unit: string }
  | { is: 'afterfire' }
  /** REROLL tests: what the roll does as it lies. */
  | { is: 'failed' }
  | { is: 'hits' | 'suppresses' | 'loses-assault'; unit: string | 'ANY' }
  | { is: 'damages'; unit: string | 'ANY'; part: number }
  | { is: 'scattered' };

// --- actions ---------------------------------------------------------------------------------------------------------

export type MoveStep =
  | { step: 'to'; square: string }
  | { step: 'fwd' | 'back' }
  /** 45 degrees; `keep` says which end stays on a pivot on the spot (default the front). */
  | { step: 'pivot'; turn: 'L' | 'R'; keep?: 'front' | 'rear' }
  /** Board a vehicle (last step), leave it (first step). */
  | { step: 'in'; unit: string }
  | { step: 'out'; square: string }
  /** Push the wreck on that square (only step). */
  | { step: 'push'; square: string }
  /** `OFF`: leave the board by an exit of the scenario (last step). */
  | { step: 'off' };

export interface MoveAction {
  do: 'move';
  unit: string;
  steps: MoveStep[];
  face?: Direction;
  flip?: 'start' | 'end';
}

export interface AssaultAction {
  do: 'assault';
  unit: string;
  via: MoveStep[];
  /** Table code of the target. */
  at: string;
  flip?: 'start';
}

export type WeaponWord = 'PRIMARY' | 'SECONDARY' | 'HOWITZER' | 'INDIRECT' | 'SNIPER' | 'FLAME';
/** Kinds of targets for ANY and TARGET lists. `ASSAULTER`: the unit assaulting; `NEAREST` orders by range. */
export type TargetClass =
  | 'INF'
  | 'LIGHT'
  | 'HEAVY'
  | 'OFFICER'
  | 'CHARACTER'
  | 'HEAVY-WEAPON'
  | 'TRANSPORT'
  | 'ASSAULTER'
  | 'REDUCED'
  | 'SUPPRESSED'
  | 'NEAREST'
  | 'BEST'
  | 'ANY';

export type FireTarget =
  | { target: 'unit'; code: string }
  /** Interspace `@D9` or a square (grenade or flame into a position). */
  | { target: 'place'; place: string }
  | { target: 'building'; id: string }
  /** Any legal target of the class, best chance first unless TARGET doctrine says otherwise. */
  | { target: 'any'; class: TargetClass | null };

export interface FireAction {
  do: 'fire';
  unit: string;
  /** A weapon word or an option id (`grenades`); absent: the unit's normal fire (all weapons of a vehicle one after another need one action each). */
  weapon?: WeaponWord | string;
  /** Direction of a flame. */
  direction?: Direction;
  /** The first legal one is fired at; with `split` all at once (Machine Gunner). */
  targets: FireTarget[];
  suppress?: true;
  split?: number[];
}

export type Action = MoveAction | AssaultAction | FireAction | { do: 'hold' };

export type Rider =
  /** Fire on the move at that square of the path (the start square: before leaving). */
  | { rider: 'fom'; at: string; fire: FireAction }
  /** Gear markers. */
  | { rider: 'use'; option: string; n: number }
  | { rider: 'card'; card: string; as: 'event' | 'bonus'; target?: string; path?: string[] }
  | { rider: 'stop'; when: Condition };

/** Actions after the first are further weapons of the same vehicle. Riders belong to the action before them. */
export interface Part {
  action: Action;
  riders: Rider[];
}

/** `when` absent: ELSE. */
export interface Clause {
  when?: Condition;
  parts: Part[];
}

// --- orders ----------------------------------------------------------------------------------------------------------

/** What a script belongs to: a token number, the k-th Special token, a unit (Autonomous, or the default of a marked one). */
export type ScriptKey = { n: number } | { special: number } | { unit: string };

export interface TokenOrder {
  verb: 'TOKEN';
  line: number;
  token: number | 'special' | 'bluff';
  unit: string;
}
export interface ScriptOrder {
  verb: 'ON';
  line: number;
  on: ScriptKey;
  clauses: Clause[];
}
export interface ClaimOrder {
  verb: 'CLAIM';
  line: number;
  /** A Special token, an Autonomous unit, the Initiative card. */
  what: 'special' | 'initiative' | { unit: string };
  when: Condition;
}
export type PlayTime = 'order-start' | 'order-end' | 'supply-start' | 'supply';
export interface CardOrder {
  verb: 'PLAY';
  line: number;
  card: string;
  /** Unit code, square or interspace. */
  on?: string;
  /** Path of a move that the card grants. */
  path?: string[];
  at: PlayTime;
}
export interface SupplyOrder {
  verb: 'SUPPLY';
  line: number;
  when?: Condition;
  move: MoveAction;
  /** Taken when the condition fails or the first path is not legal. */
  otherwise?: MoveStep[];
  /** Movement bonuses of cards (4.2-n). */
  riders?: Rider[];
}
export interface ConcealOrder {
  verb: 'CONCEAL';
  line: number;
  unit: string;
  letter: string;
}
/** No cards: `KEEP ALL`. */
export interface DiscardOrder {
  verb: 'DISCARD';
  line: number;
  cards: string[];
}
interface PauseOrder {
  verb: 'PAUSE';
  line: number;
  after: number;
}
export interface DeployOrder {
  verb: 'DEPLOY';
  line: number;
  unit: string;
  /** Front square, then rear square of a long vehicle. */
  at: string[];
  in?: string;
  facing?: Direction;
  face?: 'active' | 'inactive';
}
/** A foxhole token of the scenario: `FOXHOLE square`. */
export interface FoxholeOrder {
  verb: 'FOXHOLE';
  line: number;
  square: string;
}
export interface ScoutOrder {
  verb: 'SCOUT';
  line: number;
  move: MoveAction;
}
export interface RecruitOrder {
  verb: 'RECRUIT';
  line: number;
  tile: string;
  slots: Record<string, string>;
}

export type NormandieOrder =
  | TokenOrder
  | ScriptOrder
  | ClaimOrder
  | CardOrder
  | SupplyOrder
  | ConcealOrder
  | DiscardOrder
  | PauseOrder
  | DeployOrder
  | FoxholeOrder
  | ScoutOrder
  | RecruitOrder;

// --- doctrine --------------------------------------------------------------------------------------------------------

/** Windows a player may want to answer himself. */
export type AskWord = 'OPFIRE' | 'REROLL' | 'CARD' | 'RETREAT' | 'DAMAGE' | 'TARGET';

/**
 * A doctrine line. `who`: own code, tile id or ALL; a more specific line wins over ALL, among equals the first.
 * Several lines of one kind and `who` are kept (each has its own `key`, numbered); a new line of the same text replaces.
 */
export type Rule =
  | { rule: 'OPFIRE'; who: string; fire: boolean; when?: Condition; targets: TargetClass[]; wait: number }
  | {
      rule: 'REROLL';
      source: 'veteran' | 'second';
      whose: 'own' | 'enemy';
      when: Condition;
      max: number | null;
    }
  | {
      rule: 'CARD';
      card: string;
      /** `bonus` of that kind of action of a unit, else the event. */
      bonus: { type: BonusType; unit: string | null } | null;
      /** Event of the window: TARGETED, GRENADED, SUPPRESSED, REMOVED, OPFIRED, ENTERS, MOVES, LOST-ASSAULT; `unit` null: any. */
      window: string | null;
      unit: string | null;
      when?: Condition;
      /** Path or square of the effect. */
      path: string[];
      max: number | null;
      keep: number;
    }
  | { rule: 'GEAR'; option: string; who: string; when?: Condition; in: 'fire' | 'assault' | null; count: number }
  | { rule: 'RETREAT'; who: string; toward: Direction[]; cover: boolean }
  | { rule: 'DAMAGE'; who: string; prefer: string[] }
  | { rule: 'TARGET'; who: string; classes: TargetClass[] }
  | { rule: 'SPOTTED'; who: string; do: 'hold' | 'fire' | 'go on' }
  | { rule: 'AIM'; who: string; at: 'unit' | 'building' }
  | { rule: 'FRIGHTEN'; who: string; use: boolean }
  | { rule: 'ASK'; windows: AskWord[] };

/** All rules of one kind for one unit (or card, option …), in the order written: one key, replaced as a whole. */
export interface Doctrine extends Standing {
  verb: 'DOCTRINE';
  rules: Rule[];
}

// --- questions ---------------------------------------------------------------------------------------------------------

/**
 * Kinds of questions the rules ask (`DecisionRequest.kind`) and the form of their options. The facts stand in
 * `view.table.moment` and `about`: the unit, and what a choice stands for.
 *
 * | kind | options | fallback |
 * |---|---|---|
 * | opfire | NO, and each legal shot as `FIRE US7 AT GE3 [SUPPRESS]` or `FIRE US7 WITH x AT …` | 3.6 |
 * | reroll | PASS, VETERAN, SECOND | PASS |
 * | card | PASS, and each playable card: `nerves`, `fallback F9`, `dig US3`, `return @F9`, `mine` | PASS |
 * | bonus | PASS, and each playable card as `aim BONUS` or `aim EVENT`; asked again until PASS | PASS |
 * | gear | NONE, `option n` | NONE |
 * | retreat, displace, bailout, rubble | squares (`IN US9`: into a transport) | 3.6 |
 * | damage | parts 1 2 3-4 5 6 | 3.6 |
 * | target | candidates of ANY, codes | best chance |
 * | frighten | YES, NO | YES |
 * | aim | UNIT, BUILDING | UNIT |
 * | interspace | @squares | G-21 |
 * | spotted | HOLD, GO ON, FIRE | GO ON |
 * | dynamic | PASS and codes of the unit that takes the token | PASS |
 * | weapon | weapons of a vehicle with a crew damaged | first |
 */
export type QuestionKind =
  | 'opfire'
  | 'reroll'
  | 'card'
  | 'bonus'
  | 'gear'
  | 'retreat'
  | 'displace'
  | 'bailout'
  | 'rubble'
  | 'damage'
  | 'target'
  | 'frighten'
  | 'aim'
  | 'interspace'
  | 'spotted'
  | 'dynamic';
