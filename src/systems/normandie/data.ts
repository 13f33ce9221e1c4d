/**
 * The content a scenario is opened with: counters, tiles, options, cards, terrain, board. All of it is data in
 * scenarios/normandie; code holds mechanisms only.
 */

export type NormandieSide = 'us' | 'ge';

export type DamageKind = '1' | '2' | '3-4' | '5';

export type RollPurpose = 'fire' | 'suppress' | 'sniper' | 'assault' | 'damage' | 'scatter' | 'destruction' | 'mine';

export type TokenKind = 'special' | 'bluff' | number;

export const SIDES = ['us', 'ge'] as const;
/** Colour of a Defense Value: yellow, purple, grey. */
export type Class = 'inf' | 'light' | 'heavy';
/** N NE E SE S SW W NW as 0 to 7. */
export type Direction = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
export type Value = number | 'X';
/** Combat Values by colour of the target. */
export type CombatValues = Record<Class, Value>;
/** `full`/`reduced` of a normal counter, `active`/`inactive` of one that changes state. */
export type Face = 'full' | 'reduced' | 'active' | 'inactive';

export type AbilityName =
  | 'ambush'
  | 'amphibious'
  | 'anti-aircraft'
  | 'artillery-spotter'
  | 'assault'
  | 'autonomous'
  | 'crew'
  | 'destruction'
  | 'dual-weapon'
  | 'fire-on-the-move'
  | 'flamethrower'
  | 'frightening-shot'
  | 'howitzer'
  | 'indirect-fire'
  | 'limited-fire-arc'
  | 'limited-range'
  | 'limited-range-ignores-obstacles'
  | 'machine-gunner'
  | 'opportunity-fire'
  | 'order'
  | 'personal-order'
  | 'piercing'
  | 'positive-waves'
  | 'scout'
  | 'sniper'
  | 'suppressive-fire'
  | 'transport'
  | 'transport-symbol'
  | 'tripod';
/** Abilities in view with the number printed beside each, 0 where none is printed. */
export type Abilities = Partial<Record<AbilityName, number>>;

export interface Weapon {
  /** `both`: the only weapon of a heavy vehicle (1.3-e). */
  slot: 'primary' | 'secondary' | 'both';
  cv: CombatValues;
  abilities: Abilities;
  /** Degrees, 360 or 90. */
  arc: number;
  template?: CombatValues;
}

/** One side of a counter. */
export interface FaceValues {
  /** Absent on heavy vehicles, whose weapons have their own. */
  cv?: CombatValues;
  defense: number | { front: number; side: number; rear: number };
  move: Value;
  abilities: Abilities;
  hit: 'flip' | 'destroyed';
  template?: CombatValues;
  weapons?: Weapon[];
}

export interface CounterType {
  id: string;
  name: string;
  side: NormandieSide;
  class: Class;
  role: 'officer' | 'regular' | 'heavy-weapon' | 'vehicle';
  stripe: string;
  /** Squares it occupies. */
  footprint: 1 | 2;
  character: boolean;
  /** Infantry larger than a square: at most one aboard a transport. */
  oversize: boolean;
  faces: Partial<Record<Face, FaceValues>>;
  /** Kind of wreck it leaves; infantry none. */
  wreck: string | null;
  /** Not printed in the rulebook's text: our completion. */
  house: boolean;
}

export type TerrainSymbol =
  | { is: 'blocks' }
  | { is: 'obscures'; value: number; infantryOnly: boolean }
  | { is: 'difficult'; infantryOnly: boolean }
  | { is: 'impassable'; to: Class | 'all' }
  | { is: 'water' }
  | { is: 'defense'; class: Class; value: number }
  | { is: 'structure'; value: number }
  | { is: 'opportunity-fire' };

export interface Terrain {
  id: string;
  symbols: TerrainSymbol[];
  defensivePosition: boolean;
}

interface Opening {
  kind: 'door' | 'window';
  inside: string;
  outside: string[];
}

export interface Building {
  id: string;
  name: string;
  structure: number;
  symbols: TerrainSymbol[];
  squares: string[];
  /** Offset squares with their centre in half squares. */
  offsetSquares: Record<string, [number, number]>;
  openings: Opening[];
  interiorWalls: { between: [string, string]; kind: 'wall' | 'inner-door' }[];
}

export interface Board {
  id: string;
  name: string;
  columns: number;
  /** One character a square, see `Data.terrain`; digits are building floors. */
  rows: string[];
  buildings: Building[];
  offsetElements: {
    id: string;
    name: string;
    symbols: TerrainSymbol[];
    offsetSquares: Record<string, [number, number]>;
  }[];
  noPassage: [string, string][];
  /** Barbed wire at the start. */
  wire: string[];
}

export type OptionKind = 'gear' | 'trait' | 'order' | 'customization';
export interface RecruitOption {
  id: string;
  kind: OptionKind;
  sides: NormandieSide[];
  cost: number;
  stripes: string[];
  /** Markers put on it; null: none needed, always there. */
  markers: number | null;
  cv?: CombatValues;
  range?: number;
  abilities: Abilities;
  template?: CombatValues;
  /** Fires as this counter does (Bazooka). */
  usesUnit?: string;
  /** Movement Value of a Concealed marker. */
  markerMove?: number;
}

interface Slot {
  id: string;
  stripes: string[];
  kinds: (OptionKind | 'support')[];
  /** What an option in it grants: `order` stars, or extra `veteran` or `ammo` markers. */
  unlock: { what: 'order' | 'veteran' | 'ammo'; n: number } | null;
}

export interface Tile {
  id: string;
  name: string;
  side: NormandieSide;
  kind: 'tile' | 'support';
  command: boolean;
  leadingRole: boolean;
  cost: number;
  breakingPoint: number;
  victoryPoints: number;
  units: string[];
  mainCharacter: string | null;
  slots: Slot[];
  /** Stripes of a support tile. */
  stripes: string[];
  /** Counters whose loss counts against the Breaking Point, when not all. */
  breakingCounts: string[] | null;
  /** A firing table of its own for its snipers (6.2-sniper-g), by rising result. */
  sniper?: SniperRow[];
}

/** One line of a sniper's table: what a result from `from` on does. */
export interface SniperRow {
  from: number;
  hit: boolean;
  suppressed: number;
}

export type BonusType = 'assault' | 'fire' | 'move' | 'any';
export interface Card {
  id: string;
  name: string;
  sides: NormandieSide[];
  copies: number;
  windows: string[];
  /** What it does, in our words. */
  text: string;
  bonus: { type: BonusType; value: number };
}

/** One tile of an army with what fills its slots (option or support tile ids). */
export interface ArmyTile {
  tile: string;
  slots: Record<string, string>;
}

export interface Zone {
  rows: [number, number];
  columns: [number, number];
}

export interface Objective {
  id: string;
  kind: 'building' | 'square' | 'exit';
  building?: string;
  squares: string[];
  /** `each-turn` from turn `from`; `end`; `per-unit` for exits. */
  score: 'end' | 'each-turn' | 'per-unit';
  from: number;
  points: number;
  side?: NormandieSide;
}

export interface ScenarioData {
  id: string;
  name: string;
  board: string;
  turns: number;
  /** `dice`: drawn at the start (free battle). */
  firstInitiative: NormandieSide | 'dice';
  hand: number;
  removedCards: string[];
  recruitment: 'fixed' | 'points';
  /** Fixed armies; in points games samples that keep the limits. */
  armies: Record<NormandieSide, ArmyTile[]>;
  points: Record<NormandieSide, number>;
  limits: {
    commandTiles: number;
    leadingRoles: number;
    infantryTiles: number;
    sameTile: number;
    sameSupport: number;
  };
  deploy: Record<NormandieSide, Zone>;
  /** Units that may only be set up touching these squares (they drive in on them). */
  entry: { side: NormandieSide; squares: string[]; tiles: string[] }[];
  foxholes: Record<NormandieSide, number>;
  objectives: Objective[];
  tie: NormandieSide | 'draw' | 'lower-cost';
  /** Points for each enemy character destroyed. */
  characterPoints: number;
  /** Every counter of a side destroyed ends the game. */
  annihilation: boolean;
  freeBattle: boolean;
  house: string[];
}

/** Everything a scenario is opened with. */
export interface Data {
  terrain: Record<string, Terrain>;
  overlays: Record<string, Terrain>;
  scatter: Record<number, Direction>;
  /** Squares of the flame template facing N and NE, east and south of the firer; turned by quarters for the others. */
  flame: { straight: [number, number][]; diagonal: [number, number][] };
  counters: CounterType[];
  tiles: Tile[];
  options: RecruitOption[];
  cards: Card[];
  board: Board;
  scenario: ScenarioData;
}
