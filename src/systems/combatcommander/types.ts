/** The JSON of Combat Commander Normandy: what lies on the table, what a side holds, what is ordered and what happens. */
import type { DecisionRequest, GameTypes, Order, Outcome, Standing } from '../../kernel/types.ts';

export type Side = 'american' | 'german';
export const SIDES: readonly Side[] = ['american', 'german'];
/** The enemy of a side. */
export function enemyOf(side: Side): Side {
  return side === 'american' ? 'german' : 'american';
}

/** Whether a word names one of the two sides. */
export function isSide(word: string): word is Side {
  return word === 'american' || word === 'german';
}

/** A Section: `Q` is the Command Section, `A` to `G` the Campaign Sections of one side. */
export type Letter = string;
export type PositionId = 'A1' | 'A2' | 'A3' | 'A4' | 'G1';
export type Quality = 'Green' | 'Line' | 'Elite';
/** The four boxes a Section Leader can be in (C1.52, C1.53, C3.2); `battle` while the Section fights. */
export type Box = 'pool' | 'available' | 'exhausted' | 'battle';
export type Edge = 'top' | 'right' | 'bottom' | 'left';
export type Posture = 'attack' | 'defend' | 'recon';
export type AirFace = 'recall' | 'ground-support';
/** How the result of a battle came to stand. */
export type Closing = 'agreed' | 'confirmed' | 'silence' | 'ruling';

/** A finished battle on the campaign sheet. */
export interface Fought {
  battle: number;
  position: PositionId;
  edge: Edge;
  winner: Side;
  /** VP of the winner at the end, if both sides told it. */
  vp: number | null;
  how: Closing;
  note: string;
  bought: Record<Side, Letter[]>;
}

/** The four markers of the support track (C1.72 to C1.91). */
export interface SupportPoints {
  americanArmor: number;
  germanArmor: number;
  germanArtillery: number;
  fortification: number;
}

/** The campaign sheet. */
export interface Campaign {
  /** Number of the battle in hand, from 1. */
  battle: number;
  position: PositionId;
  fought: Fought[];
  quality: Record<Side, Quality>;
  /** Index in the list of ranks: 0 is Sergeant (C3.4). */
  rank: Record<Side, number>;
  boxes: Record<Side, Record<Letter, Box>>;
  points: SupportPoints;
  /** The VP marker: plus on the American side, minus on the German side. */
  vp: number;
  air: AirFace;
  /** The day of rest has been taken (C3.6). */
  rested: boolean;
}

/** One use of a Support Table (RS.7). `bought` is null until the player has said what. */
export interface SupportRoll {
  side: Side;
  dice: number[];
  items: { item: string; cost: number }[];
  bought: string[] | null;
}

/** A Fortification OB in play. Paid with VP (RS.9) or with Fortification Points (C1.91). */
export interface Fort {
  side: Side;
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
  winner: Side;
  vp: number | null;
  note: string;
}

/** The radio of the Attacker's Asset Request (RS.11.1). */
export interface AssetRadio {
  dice: number[];
  calibre: string | null;
  fp: number;
  cost: number;
}

/** Everything about the battle in hand that lies open. */
export interface Battle {
  /** The American's friendly map edge (C1.12). */
  edge: Edge;
  /** The open Objective chit (C1.4). */
  chit: string;
  sealed: Record<Side, boolean>;
  /** How often a side let the term for its Sections pass. */
  waited: Record<Side, number>;
  /** Null until both choices are revealed. */
  bought: Record<Side, Letter[]> | null;
  support: SupportRoll[];
  armor: Record<Side, 'none' | 'taken' | 'cancelled'>;
  charges: number;
  artillery: number;
  posture: Record<Side, Posture> | null;
  initiative: Side | null;
  /** Who sets up first: the Defender, or in a Recon battle the holder of the Initiative card. */
  first: Side | null;
  forts: Fort[];
  radio: AssetRadio | null;
  setup: Record<Side, Placement | null>;
  reports: Record<Side, BattleReport | null>;
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
  winner: Side;
  requests: Record<Side, ReserveRoll[]>;
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

export interface Table {
  options: CampaignOptions;
  campaign: Campaign;
  battle: Battle;
  after: After | null;
  /** The sheet and battle as they stood when the last battle was closed, for reopening it. */
  before: { campaign: Campaign; battle: Battle } | null;
  /** Sides that want the last battle reopened. */
  reopen: Side[];
  ended: Outcome | null;
}

export interface Hand {
  /** The secret Objective chit. */
  chit: string;
  /** The sealed choice of Sections: in the closed fist until both are in. */
  sealed: Letter[] | null;
  /** The secret chit of the battle before, for reopening it. */
  chitBefore: string | null;
}

export interface Cup {
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
export interface RadioOrder extends Order {
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

type ForAll = { audience: 'all' | Side[]; rule?: string };
type Told<T extends string, P = unknown> = { type: T } & ForAll & P;
type VpMove = { from: number; to: number };

export type CampaignEvent =
  | Told<'battle-opened', { battle: number; position: PositionId; edge: Edge; die: number; chit: string }>
  | Told<'secret-chit', { side: Side; chit: string }>
  | Told<'sealed', { side: Side }>
  | Told<'sealed-own', { side: Side; letters: Letter[] }>
  | Told<'waiting-sections', { side: Side }>
  | Told<'no-sections', { side: Side }>
  | Told<'revealed', { side: Side; letters: Letter[] }>
  | Told<'cost', VpMove & { side: Side; cost: number }>
  | Told<'support-roll', { side: Side; dice: number[]; items: string[] }>
  | Told<'support-none'>
  | Told<'support-bought', VpMove & { side: Side; items: string[]; cost: number; forced: boolean }>
  | Told<'armor', VpMove & { side: Side; left: number }>
  | Told<'charges', VpMove>
  | Told<'armor-declined', { side: Side; left: number }>
  | Told<'armor-cancelled'>
  | Told<'artillery', VpMove & { points: number; left: number }>
  | Told<'artillery-excluded'>
  | Told<'air', { face: AirFace }>
  | Told<'posture', { defender: Side | 'none' }>
  | Told<
      'limits',
      { side: Side; posture: Posture; hand: number; orders: number; initiative: number; surrender: number }
    >
  | Told<'initiative', { side: Side; how: 'total' | 'attacker' | 'roll'; die: number }>
  | Told<'fort', VpMove & { side: Side; pay: 'vp' | 'points'; items: string[]; cost: number; left: number }>
  | Told<'fort-waits'>
  | Told<'fort-placed', { side: Side; item: string; hexes: string[] }>
  | Told<'radio', VpMove & { side: Side; dice: number[]; calibre: string; cost: number }>
  | Told<'deployed', { side: Side; unit: string }>
  | Told<'set-up', { side: Side; pieces: number; auto: string[] }>
  | Told<'battle-ready', { battle: number; suddenDeath: number }>
  | Told<'battle-awaited', { battle: number }>
  | Told<'reported', { side: Side; battle: number; winner: Side; vp: number; told: boolean; note: string }>
  | Told<'reports-differ', { battle: number; round: number }>
  | Told<'disputed', { battle: number }>
  | Told<'closed', { battle: number; winner: Side; vp: number; told: boolean; how: Closing; note: string }>
  | Told<'reopen-asked', { side: Side; battle: number }>
  | Told<'reopened', { battle: number }>
  | Told<'campaign-won', { side: Side; battle: number }>
  | Told<'fatigued', { side: Side; leader: string; exhausted: string[] }>
  | Told<'moved', { from: PositionId; to: PositionId; winner: Side }>
  | Told<'promoted', { side: Side; leader: string }>
  | Told<'rest-american', { leaders: string[] }>
  | Told<'rest-roll', { dice: number[]; names: string }>
  | Told<'rest-moved', { leaders: string[] }>
  | Told<'request-roll', { side: Side; dice: number[]; names: string }>
  | Told<'quality', { side: Side; option: QualityChoice; own: Quality; opponent: Quality }>
  | Told<'request', { side: Side; total: number; leader: string; why: 'joins' | 'none' | 'not-available' }>
  | Told<'decided-for', { side: Side; what: string }>
  | Told<'refused', { side: Side; code: string; line: number }>
  | Told<'forecast-sections', VpMove & { cost: number; letters: Letter[] }>
  | Told<'forecast-support', { cost: number }>
  | Told<'forecast-fort', { cost: number }>
  | Told<'forecast-setup', { placed: number; total: number }>
  | Told<'forecast-result', { winner: Side; battle: number }>;

export interface CombatCommander extends GameTypes {
  table: Table;
  hand: Hand;
  cup: Cup;
  order: CampaignOrder;
  standing: CampaignDoctrine;
  event: CampaignEvent;
  about: CampaignAbout;
}

/** What a question is about: support to buy from a column, or Fortification Points left. */
export type CampaignAbout = { kind: 'support'; side: Side } | { kind: 'fortify'; left: number };

export type CampaignQuestion = DecisionRequest<CombatCommander>;
