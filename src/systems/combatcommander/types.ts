/** The JSON of Combat Commander Normandy: what lies on the table, what a side holds, what is ordered and what happens. */
import type { DecisionRequest, GameTypes, Order, Outcome, Standing } from '../../kernel/types.ts';

export type CommanderSide = 'american' | 'german';
export const SIDES: readonly CommanderSide[] = ['american', 'german'];
/** The enemy of a side. */
export function enemyOf(side: CommanderSide): CommanderSide {
  return side === 'american' ? 'german' : 'american';
}

/** Whether a word names one of the two sides. */
export function isSide(word: string): word is CommanderSide {
  return word === 'american' || word === 'german';
}

/** A Section: `Q` is the Command Section, `A` to `G` the Campaign Sections of one side. */
export type Letter = string;
export type PositionId = 'A1' | 'A2' | 'A3' | 'A4' | 'G1';
export type Quality = 'Green' | 'Line' | 'Elite';
/** The four boxes a Section Leader can be in (C1.52, C1.53, C3.2); `battle` while the Section fights. */
export type LeaderBox = 'pool' | 'available' | 'exhausted' | 'battle';
export type CommanderEdge = 'top' | 'right' | 'bottom' | 'left';
export type Posture = 'attack' | 'defend' | 'recon';
type AirFace = 'recall' | 'ground-support';
/** How the result of a battle came to stand. */
export type Closing = 'agreed' | 'confirmed' | 'silence' | 'ruling';

/** A finished battle on the campaign sheet. */
export interface Fought {
  battle: number;
  position: PositionId;
  edge: CommanderEdge;
  winner: CommanderSide;
  /** VP of the winner at the end, if both sides told it. */
  vp: number | null;
  how: Closing;
  note: string;
  bought: Record<CommanderSide, Letter[]>;
}

/** The four markers of the support track (C1.72 to C1.91). */
export interface SupportPoints {
  americanArmor: number;
  germanArmor: number;
  germanArtillery: number;
  fortification: number;
}

/** The campaign sheet. */
export interface CampaignSheet {
  /** Number of the battle in hand, from 1. */
  battle: number;
  position: PositionId;
  fought: Fought[];
  quality: Record<CommanderSide, Quality>;
  /** Index in the list of ranks: 0 is Sergeant (C3.4). */
  rank: Record<CommanderSide, number>;
  boxes: Record<CommanderSide, Record<Letter, LeaderBox>>;
  points: SupportPoints;
  /** The VP marker: plus on the American side, minus on the German side. */
  vp: number;
  air: AirFace;
  /** The day of rest has been taken (C3.6). */
  rested: boolean;
}

/** One use of a Support Table (RS.7). `bought` is null until the player has said what. */
export interface SupportRoll {
  side: CommanderSide;
  dice: number[];
  items: { item: string; cost: number }[];
  bought: string[] | null;
}

/** A Fortification OB in play. Paid with VP (RS.9) or with Fortification Points (C1.91). */
export interface Fort {
  side: CommanderSide;
  pay: 'vp' | 'points';
  item: string;
  hexes: string[];
}

/** A side's pieces on the map. */
export interface Placement {
  /** Unit id to hex. */
  places: Record<string, string>;
  /** Weapon id to the unit that carries it. */
  carry: Record<string, string>;
  /** The squad made into two teams by the free Deploy event (C1.72i). */
  deploy: string | null;
  /** Pieces that the service placed because the player did not. */
  auto: string[];
}

export interface BattleReport {
  winner: CommanderSide;
  vp: number | null;
  note: string;
}

/** The radio of the Attacker's Asset Request (RS.11.1). */
interface AssetRadio {
  dice: number[];
  calibre: string | null;
  fp: number;
  cost: number;
}

/** Everything about the battle in hand that lies open. */
export interface Battle {
  /** The American's friendly map edge (C1.12). */
  edge: CommanderEdge;
  /** The open Objective chit (C1.4). */
  chit: string;
  sealed: Record<CommanderSide, boolean>;
  /** How often a side let the term for its Sections pass. */
  waited: Record<CommanderSide, number>;
  /** Null until both choices are revealed. */
  bought: Record<CommanderSide, Letter[]> | null;
  support: SupportRoll[];
  armor: Record<CommanderSide, 'none' | 'taken' | 'cancelled'>;
  charges: number;
  artillery: number;
  posture: Record<CommanderSide, Posture> | null;
  initiative: CommanderSide | null;
  /** Who sets up first: the Defender, or in a Recon battle the holder of the Initiative card. */
  first: CommanderSide | null;
  forts: Fort[];
  radio: AssetRadio | null;
  setup: Record<CommanderSide, Placement | null>;
  reports: Record<CommanderSide, BattleReport | null>;
  /** Rounds in which the two reports differed. */
  rounds: number;
  /** The game master must decide. */
  disputed: boolean;
  /** His decision, put here by a ruling (`ADJUST … table.battle.ruling = german`); a side's id. */
  ruling: string | null;
}

/** A roll on the Divisional Reserves Table: a Section, `choice` or `none`. */
export interface ReserveRoll {
  dice: number[];
  names: Letter;
}

/** What the dice offer after a battle (C3.6, C3.7). */
export interface After {
  battle: number;
  winner: CommanderSide;
  requests: Record<CommanderSide, ReserveRoll[]>;
  /** The German's two rolls on the day of rest; null on other days. */
  rest: ReserveRoll[] | null;
}

export interface CampaignOptions {
  /** `mail`: pieces are placed by mail. `table`: they are placed where the battle is fought. */
  placement: 'mail' | 'table';
  /** C2.3 and C2.4, or the optional C4.1 and C4.2. */
  armor: 'standard' | 'optional';
  /** Fire attacks of the German armor Radio under C2.4 (ruling CCR-06). */
  germanArmorAttacks: 1 | 2;
  /** Days a battle may take before the service asks. */
  battleDays: number;
  /** Days of silence after which one report counts as confirmed. */
  confirmDays: number;
}

export interface CommanderTable {
  options: CampaignOptions;
  campaign: CampaignSheet;
  battle: Battle;
  after: After | null;
  /** The sheet and battle as they stood when the last battle was closed, for reopening it. */
  before: { campaign: CampaignSheet; battle: Battle } | null;
  /** Sides that want the last battle reopened. */
  reopen: CommanderSide[];
  ended: Outcome | null;
}

export interface CommanderHand {
  /** The secret Objective chit. */
  chit: string;
  /** The sealed choice of Sections: in the closed fist until both are in. */
  sealed: Letter[] | null;
  /** The secret chit of the battle before, for reopening it. */
  chitBefore: string | null;
}

export interface CommanderCup {
  chits: string[];
  chitsBefore: string[] | null;
}

export type SupportPick = 'cheapest' | 'dearest' | 'all';
/** When an optional support is taken: always, never, or as the other support of the battle falls out. */
export type When = 'yes' | 'no' | 'if-opponent-armor' | 'unless-opponent-armor' | 'unless-armor';

export interface SectionsOrder extends Order {
  verb: 'SECTIONS';
  letters: Letter[];
}
export interface SupportOrder extends Order {
  verb: 'SUPPORT';
  buy: string[] | SupportPick;
}
export interface ArmorOrder extends Order {
  verb: 'ARMOR';
  when: When;
}
export interface ArtilleryOrder extends Order {
  verb: 'ARTILLERY';
  points: number;
  when: When;
  /** Points when the condition does not hold. */
  otherwise: number;
}
export interface FortOrder extends Order {
  verb: 'FORT';
  pay: 'vp' | 'points' | 'none';
  /** The price the player wrote himself. */
  stated: number | null;
  items: { item: string; hexes: string[] }[];
}
interface RadioOrder extends Order {
  verb: 'RADIO';
  roll: boolean;
}
export interface SetupOrder extends Order {
  verb: 'SETUP';
  deploy: string | null;
  places: { unit: string; hex: string }[];
  carry: { weapon: string; unit: string }[];
}
export interface PlaceOrder extends Order {
  verb: 'PLACE';
  item: string;
  hexes: string[];
}
export interface ReportOrder extends Order, BattleReport {
  verb: 'REPORT';
  battle: number;
}
export interface BattleOrder extends Order {
  verb: 'CONFIRM' | 'REOPEN';
  battle: number;
}
export type QualityChoice = 'own' | 'opponent' | 'none';
export type ChooseOrder = Order & { verb: 'CHOOSE' } & (
    | { what: 'quality'; option: QualityChoice }
    | { what: 'request'; roll: number }
    | { what: 'leader'; letter: Letter }
    | { what: 'rest'; letters: Letter[] }
  );
export type CampaignOrder =
  | SectionsOrder
  | SupportOrder
  | ArmorOrder
  | ArtilleryOrder
  | FortOrder
  | RadioOrder
  | SetupOrder
  | PlaceOrder
  | ReportOrder
  | BattleOrder
  | ChooseOrder;

export type DoctrineKey =
  | 'SECTIONS'
  | 'SUPPORT'
  | 'ARMOR'
  | 'ARTILLERY'
  | 'FORT'
  | 'RADIO'
  | 'QUALITY'
  | 'REQUEST'
  | 'REST';
export interface CampaignDoctrine extends Standing {
  verb: 'DOCTRINE';
  key: DoctrineKey;
  /** The words after the key, as they are printed. */
  value: string;
}

type ForAll = { audience: 'all' | CommanderSide[]; rule?: string };
type Told<T extends string, P = unknown> = { type: T } & ForAll & P;
type VpMove = { from: number; to: number };

export type CampaignEvent =
  | Told<'battle-opened', { battle: number; position: PositionId; edge: CommanderEdge; die: number; chit: string }>
  | Told<'secret-chit', { side: CommanderSide; chit: string }>
  | Told<'sealed', { side: CommanderSide }>
  | Told<'sealed-own', { side: CommanderSide; letters: Letter[] }>
  | Told<'waiting-sections', { side: CommanderSide }>
  | Told<'no-sections', { side: CommanderSide }>
  | Told<'revealed', { side: CommanderSide; letters: Letter[] }>
  | Told<'cost', VpMove & { side: CommanderSide; cost: number }>
  | Told<'support-roll', { side: CommanderSide; dice: number[]; items: string[] }>
  | Told<'support-none'>
  | Told<'support-bought', VpMove & { side: CommanderSide; items: string[]; cost: number; forced: boolean }>
  | Told<'armor', VpMove & { side: CommanderSide; left: number }>
  | Told<'charges', VpMove>
  | Told<'armor-declined', { side: CommanderSide; left: number }>
  | Told<'armor-cancelled'>
  | Told<'artillery', VpMove & { points: number; left: number }>
  | Told<'artillery-excluded'>
  | Told<'air', { face: AirFace }>
  | Told<'posture', { defender: CommanderSide | 'none' }>
  | Told<
      'limits',
      { side: CommanderSide; posture: Posture; hand: number; orders: number; initiative: number; surrender: number }
    >
  | Told<'initiative', { side: CommanderSide; how: 'total' | 'attacker' | 'roll'; die: number }>
  | Told<'fort', VpMove & { side: CommanderSide; pay: 'vp' | 'points'; items: string[]; cost: number; left: number }>
  | Told<'fort-waits'>
  | Told<'fort-placed', { side: CommanderSide; item: string; hexes: string[] }>
  | Told<'radio', VpMove & { side: CommanderSide; dice: number[]; calibre: string; cost: number }>
  | Told<'deployed', { side: CommanderSide; unit: string }>
  | Told<'set-up', { side: CommanderSide; pieces: number; auto: string[] }>
  | Told<'battle-ready', { battle: number; suddenDeath: number }>
  | Told<'battle-awaited', { battle: number }>
  | Told<
      'reported',
      { side: CommanderSide; battle: number; winner: CommanderSide; vp: number; told: boolean; note: string }
    >
  | Told<'reports-differ', { battle: number; round: number }>
  | Told<'disputed', { battle: number }>
  | Told<'closed', { battle: number; winner: CommanderSide; vp: number; told: boolean; how: Closing; note: string }>
  | Told<'reopen-asked', { side: CommanderSide; battle: number }>
  | Told<'reopened', { battle: number }>
  | Told<'campaign-won', { side: CommanderSide; battle: number }>
  | Told<'fatigued', { side: CommanderSide; leader: string; exhausted: string[] }>
  | Told<'moved', { from: PositionId; to: PositionId; winner: CommanderSide }>
  | Told<'promoted', { side: CommanderSide; leader: string }>
  | Told<'rest-american', { leaders: string[] }>
  | Told<'rest-roll', { dice: number[]; names: string }>
  | Told<'rest-moved', { leaders: string[] }>
  | Told<'request-roll', { side: CommanderSide; dice: number[]; names: string }>
  | Told<'quality', { side: CommanderSide; option: QualityChoice; own: Quality; opponent: Quality }>
  | Told<'request', { side: CommanderSide; total: number; leader: string; why: 'joins' | 'none' | 'not-available' }>
  | Told<'decided-for', { side: CommanderSide; what: string }>
  | Told<'refused', { side: CommanderSide; code: string; line: number }>
  | Told<'forecast-sections', VpMove & { cost: number; letters: Letter[] }>
  | Told<'forecast-support', { cost: number }>
  | Told<'forecast-fort', { cost: number }>
  | Told<'forecast-setup', { placed: number; total: number }>
  | Told<'forecast-result', { winner: CommanderSide; battle: number }>;

export interface CombatCommander extends GameTypes {
  table: CommanderTable;
  hand: CommanderHand;
  cup: CommanderCup;
  order: CampaignOrder;
  standing: CampaignDoctrine;
  event: CampaignEvent;
  about: CampaignAbout;
}

/** What a question is about: support to buy from a column, or Fortification Points left. */
type CampaignAbout = { kind: 'support'; side: CommanderSide } | { kind: 'fortify'; left: number };

export type CampaignQuestion = DecisionRequest<CombatCommander>;
