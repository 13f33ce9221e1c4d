/** The nouns of Overlord: what lies on the table, what may be ordered, what can happen. */
import type { DecisionRequest, GameTypes, Order, Outcome, SideId, Standing } from '../../kernel/types.ts';

export type OverlordSide = 'german' | 'allied';
export const SIDES: readonly OverlordSide[] = ['german', 'allied'];
export const enemyOf = (side: OverlordSide): OverlordSide => (side === 'german' ? 'allied' : 'german');

export type HexTerrain = 'sea' | 'plain' | 'bocage' | 'hill' | 'hill+bocage' | 'swamp' | 'city';
export type UnitType = 'infantry' | 'armor' | 'armored-infantry' | 'recon' | 'paratroop' | 'sp-gun';
/** Whose landing beaches: U.S., or British for everybody else (OVL-AOB-26, 27). */
export type BeachNation = 'US' | 'British';
export type Weather = 'clear' | 'overcast' | 'storm';
export type OverlordEdge = 'S' | 'E' | 'W' | 'N';

/** One counter. */
export interface OverlordUnit {
  id: string;
  formation: string;
  side: OverlordSide;
  /** US BR CDN FR PL DE SS LW */
  nation: string;
  type: UnitType;
  /** Printed combat factor. */
  cf: number;
  /** Printed movement factor, in points. */
  mf: number;
  /** II III X */
  mark: string;
}

/** A division or an independent brigade. */
export interface Formation {
  id: string;
  name: string;
  side: OverlordSide;
  nation: string;
  size: 'division' | 'brigade';
  /** Turn of arrival; 1 = at start. */
  turn: number;
  /** German reinforcements: the road of entry. */
  road: number | null;
  /** Allied formations: the beaches where they may land. */
  beaches: BeachNation | null;
  units: string[];
}

/**
 * Where a unit is: a hex id, or `due` (its turn has not come), `off` (at sea or waiting at its road), `lost` (eliminated),
 * `exited` (Allied, off the board), `withdrawn` (German, off the board for good).
 */
export type Whereabouts = string;
export const OFF_MAP: readonly string[] = ['due', 'off', 'lost', 'exited', 'withdrawn'];

/** The game's options, as chosen at the start. */
export interface Options {
  tac: boolean;
  interdiction: boolean;
  naval: boolean;
  weather: boolean;
  tacPerTurn: number;
  /** `whole`: moves and attacks in one mail; `split`: moves, then attacks. */
  mode: 'whole' | 'split';
}

/** Can the beach be landed on? */
export interface BeachState {
  destroyed: boolean;
  /** First turn of landing again, once recaptured; null while it is not. */
  usableFrom: number | null;
}

/** An Allied unit that has left the board in supply. */
interface Exit {
  unit: string;
  hex: string;
  turn: number;
}

/** Everything lies face up in this game. */
export interface OverlordTable {
  options: Options;
  units: Record<string, Whereabouts>;
  /** Formations not released for movement on June 6. */
  held: string[];
  weather: Weather;
  /** Factors by road hex, until the end of the next German movement. */
  interdiction: Record<string, number>;
  beaches: Record<string, BeachState>;
  /** Who last had a ground unit in each beach and port hex. */
  control: Record<string, OverlordSide>;
  exits: Exit[];
  /** Combat factors the Germans must withdraw at the start of their next move, by exit hex. */
  owed: { hex: string; factors: number }[];
  over: Outcome | null;
}

/** `IF CLEAR hex`, `IF STANDS unit`. */
export interface MoveCondition {
  kind: 'CLEAR' | 'STANDS';
  /** A hex, or a unit. */
  what: string;
}

/** An ADVANCE or BREAKOUT clause. */
export interface UnitPath {
  unit: string;
  path: string[];
  /** The unit leaves the board over this edge at the end of the path. */
  edge: ExitEdge | null;
}
export type ExitEdge = 'SOUTH' | 'EAST';

interface MoveOrder extends Order {
  verb: 'MOVE';
  subject: string[];
  path: string[];
  when: MoveCondition[];
}
export interface EnterOrder extends Order {
  verb: 'ENTER';
  subject: string[];
  road: number | null;
  at: string | null;
  path: string[];
  when: MoveCondition[];
}
export interface LandOrder extends Order {
  verb: 'LAND' | 'REPLACE';
  subject: string[];
  at: string;
  path: string[];
  when: MoveCondition[];
}
export interface ExitOrder extends Order {
  verb: 'EXIT';
  subject: string[];
  path: string[];
  edge: ExitEdge | null;
  when: MoveCondition[];
}
export interface AttackOrder extends Order {
  verb: 'ATTACK';
  target: string;
  /** Chosen defenders of a selective attack; empty = everybody in the hex. */
  only: string[];
  with: string[];
  tac: number;
  naval: number;
  losses: string[];
  advance: UnitPath[];
  breakout: UnitPath[];
  when: MoveCondition[];
}
export interface InterdictOrder extends Order {
  verb: 'INTERDICT';
  hexes: { hex: string; factors: number }[];
}
interface HoldOrder extends Order {
  verb: 'HOLD';
  subject: string[];
}
export type OverlordOrder = MoveOrder | EnterOrder | LandOrder | ExitOrder | AttackOrder | InterdictOrder | HoldOrder;

export interface DoctrineOrder extends Standing {
  verb: 'DOCTRINE';
  /** retreat, losses, advance, withdraw, naval */
  about: string;
  /** What was written after it: ROAD, EAST, hexes, units, MIN … in order. */
  values: string[];
  /** Naval factors at most a battle. */
  most: number | null;
}
interface AskOrder extends Standing {
  verb: 'ASK';
  about: string;
}
export type OverlordStanding = DoctrineOrder | AskOrder;

export type Result = 'A ELIM' | 'A BK 1' | 'EXCH' | 'D BK 1' | 'D BK 2' | 'D BK 3' | 'D ELIM';

/** One unit's share in a battle, in eighths of a combat factor. */
export interface Share {
  unit: string;
  hex: string;
  cf: number;
  worth: number;
  /** What changed its factor: river, swamp, isolated. */
  notes: string[];
}

/** The arithmetic of a battle, all values in eighths. */
export interface Odds {
  hex: string;
  terrain: HexTerrain;
  /** Multiplier of the defender's terrain. */
  terrainTimes: number;
  attackers: Share[];
  defenders: Share[];
  tac: number;
  naval: number;
  navalDefence: number;
  attack: number;
  defence: number;
  /** As players say it: `3-1`. */
  ratio: string;
  /** Column of the table, or null beyond 10-1 (automatic D ELIM). */
  column: string | null;
  /** June or July-August. */
  table: string;
}

interface Heard {
  audience: 'all' | SideId[];
  rule?: string;
}
/** Why units were eliminated. */
export type LossCause = 'exchange' | 'attack' | 'defence' | 'blocked' | 'too dear';
/** Everything that can happen. */
export type OverlordEvent = Heard &
  (
    | { type: 'rehearsal'; side: OverlordSide }
    | { type: 'turn-began'; turn: number; date: string; weather: Weather; die: number | null }
    | { type: 'arrived'; side: OverlordSide; units: string[]; road: number | null }
    | { type: 'release'; formation: string; die: number; released: boolean }
    | { type: 'no-orders'; side: OverlordSide }
    | { type: 'order-dropped'; line: number; code: string; params: Record<string, string | number | string[]> }
    | {
        type: 'moved';
        side: OverlordSide;
        units: string[];
        from: string;
        path: string[];
        costs: number[];
        allowances: number[];
        isolated: string[];
        stopped: string | null;
      }
    | { type: 'landed'; units: string[]; hex: string; how: 'landed' | 'replaced'; cost: number }
    | { type: 'entered'; units: string[]; hex: string; road: number; diverted: boolean; blocked: string | null }
    | { type: 'exited'; unit: string; hex: string; edge: OverlordEdge; count: number; cf: number }
    | {
        type: 'withdrawal';
        hex: string;
        factors: number;
        units: string[];
        removed: number;
        passedOver: string[];
        paths: Record<string, string[]>;
      }
    | { type: 'beach-destroyed'; hex: string; by: string }
    | { type: 'beach-recaptured'; hex: string; usableFrom: number }
    | { type: 'beach-repaired'; hex: string }
    | { type: 'port-taken'; hex: string; side: OverlordSide }
    | { type: 'interdicted'; hexes: { hex: string; factors: number }[] }
    | { type: 'interdiction-lifted' }
    | { type: 'forecast'; line: number; odds: Odds }
    | { type: 'battle-void'; line: number; hex: string; why: string; what: string }
    | { type: 'battle'; side: OverlordSide; odds: Odds; die: number | null; result: Result; house: boolean }
    | {
        type: 'lost';
        side: OverlordSide;
        units: string[];
        hexes: string[];
        cause: LossCause;
        due: number | null;
        factors: number;
      }
    | {
        type: 'retreated';
        side: OverlordSide;
        unit: string;
        from: string;
        path: string[];
        cost: number;
        mf: number;
        road: boolean;
      }
    | { type: 'breakout-roll'; hex: string; die: number; allowances: { unit: string; quarters: number }[] }
    | {
        type: 'advanced';
        side: OverlordSide;
        unit: string;
        from: string;
        path: string[];
        breakout: boolean;
        cost: number | null;
        stopped: string | null;
      }
    | {
        /** Units named to advance, break out or leave that stay or stop, and why. */
        type: 'advance-short';
        units: string[];
        hex: string;
        code: string;
        params: Record<string, string | number | string[]>;
      }
    | { type: 'isolation'; side: OverlordSide; units: string[] }
    | { type: 'victory'; winner: OverlordSide; count: number; reason: string }
  );

/** The JSON types of the system. */
export interface Overlord extends GameTypes {
  table: OverlordTable;
  hand: Record<string, never>;
  cup: Record<string, never>;
  order: OverlordOrder;
  standing: OverlordStanding;
  event: OverlordEvent;
  about: OverlordAbout;
}

/** What a question is about. `line` and `attack` are those of the ATTACK order; `ways` stand in the order of the choices. */
export type OverlordAbout =
  | { kind: 'retreat'; unit: string; from: string; ways: string[][] }
  | { kind: 'losses'; attack: string; target: string; line: number; eighths: number }
  | { kind: 'advance' | 'breakout'; attack: string; target: string; line: number; units: string[] }
  | { kind: 'first'; units: string[]; hexes: number }
  | { kind: 'withdraw'; hex: string; distance: number };

export type OverlordQuestion = DecisionRequest<Overlord>;
