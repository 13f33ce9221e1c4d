/** The tables of the migrations after the core, the club's and those of the work to be done, as kysely sees them. */
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { SideId } from '../kernel/types.ts';

type Json<T> = ColumnType<T, string, string>;
type JsonDefault<T> = ColumnType<T, string | undefined, string>;

export type PendingKind = 'signup' | 'address' | 'invite' | 'substitute' | 'deputy' | 'signin' | 'forget' | 'command';

/** A command that waits for proof of its writer. */
export interface WaitingCommand {
  text: string;
  gameRef: string | null;
  seatId?: number | null;
  press: string | null;
}

/** What a code is good for, besides its kind. */
export interface PendingPayload {
  /** The name of somebody who signs up, and what he asked for before. */
  name?: string;
  after?: string | readonly WaitingCommand[];
  /** The side of an invitation. */
  side?: string;
  /** The seat of a stand-in, and his last day. */
  seat?: number;
  until?: string;
  commands?: readonly WaitingCommand[];
  /** A command that waits for proof of its writer, as codes were kept that are good for one alone. */
  text?: string;
  gameRef?: string | null;
  press?: string | null;
}

interface PendingTable {
  id: Generated<number>;
  code_hash: string;
  kind: PendingKind;
  address: string;
  person_id: number | null;
  game_id: number | null;
  payload: JsonDefault<PendingPayload>;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
}

export type ClubRole = 'master' | 'deputy' | 'observer' | 'monitor';

interface RoleTokenTable {
  id: Generated<number>;
  game_id: number;
  person_id: number;
  role: ClubRole;
  token_hash: string;
  token_sealed: Buffer;
  created_at: Date;
}

interface WaitingTable {
  id: Generated<number>;
  game_id: number;
  person_id: number;
  /** Null: any side. */
  side: SideId | null;
  created_at: Date;
}

interface TenureTable {
  id: Generated<number>;
  seat_id: number;
  person_id: number;
  stand_in: Generated<boolean>;
  /** Last day of a stand-in, in the owner's zone. */
  until_day: string | null;
  from_at: Date;
  to_at: Date | null;
  ended_by: string | null;
}

interface AbsenceTable {
  id: Generated<number>;
  person_id: number;
  from_day: string;
  to_day: string;
  zone: string;
  created_at: Date;
  ended_at: Date | null;
}

export type ProposalKind = 'draw' | 'concede' | 'pause' | 'extend' | 'admit' | 'deed';

interface ProposalTable {
  id: Generated<number>;
  game_id: number;
  phase_id: number;
  kind: ProposalKind;
  side: SideId;
  detail: JsonDefault<Record<string, unknown>>;
  created_at: Date;
  closes_at: Date;
  closed_at: Date | null;
  result: 'carried' | 'refused' | 'lapsed' | 'withdrawn' | null;
}

interface VoteTable {
  proposal_id: number;
  side: SideId;
  yes: boolean;
  at: Date;
}

interface PressTable {
  id: Generated<number>;
  game_id: number;
  phase_id: number | null;
  /** A side, or `gm`. */
  from_side: string;
  person_id: number | null;
  anonymous: Generated<boolean>;
  /** Sides, `gm`, or `all`. */
  to_sides: ColumnType<string[], string, string>;
  body: string;
  created_at: Date;
  removed_at: Date | null;
}

interface TurnoutTable {
  phase_id: number;
  seat_id: number;
  person_id: number;
  result: 'filed' | 'late' | 'missed';
  hours_left: number | null;
  at: Date;
}

/** One change of the state by a ruling: a path such as `table.places.red`, and what stood there before and after. */
export interface RulingEdit {
  path: string;
  before: unknown;
  after: unknown;
}

interface RulingTable {
  id: Generated<number>;
  game_id: number;
  phase_id: number;
  number: number;
  text: string;
  edits: JsonDefault<RulingEdit[]>;
  by_person: number | null;
  created_at: Date;
  undone_at: Date | null;
  undone_why: string | null;
}

interface DigestItemTable {
  id: Generated<number>;
  person_id: number;
  game_id: number | null;
  title: string;
  paragraphs: ColumnType<string[], string, string>;
  created_at: Date;
}

interface DeskSessionTable {
  id: Generated<number>;
  token_hash: string;
  person_id: number;
  created_at: Date;
  expires_at: Date;
}

/** As rate-limiter-flexible writes it. */
interface BudgetTable {
  key: string;
  points: number;
  /** Milliseconds since 1970. */
  expire: number | null;
}

interface SeenTable {
  id: Generated<number>;
  game_id: number;
  person_id: number | null;
  /** Digest of an address that was given up. */
  address_mark: ColumnType<string | null, string | null | undefined, string | null>;
  /** Null: all sides. */
  side: SideId | null;
  how: string;
  at: Date;
}

interface AdmittedTable {
  game_id: number;
  person_id: number;
  side: SideId;
  proposal_id: number;
  at: Date;
}

interface JobTable {
  id: Generated<number>;
  kind: string;
  game_id: number | null;
  queue: string | null;
  payload: Json<Record<string, unknown>>;
  run_at: Date;
  /** So often it was tried and failed; deaths of its process are counted apart. */
  failures: Generated<number>;
  last_error: string | null;
  dedupe_key: string | null;
  /** The smaller, the sooner. */
  priority: Generated<number>;
  /** Done alone: a process died while this was one of several jobs it had begun. */
  suspect: Generated<boolean>;
  /** Processes that died while this was the only job they had begun. */
  deaths: Generated<number>;
  /** Since then it is tried alone at growing intervals; author and operator were told. */
  troubled_at: Date | null;
  created_at: Date;
}

interface ProcessTable {
  id: string;
  host: string;
  pid: number;
  place: string;
  started_at: Generated<Date>;
  beat_at: Generated<Date>;
}

interface DoorTable {
  name: string;
  /** Everything that came before this moment has been stored. */
  read_at: Date;
  /** A deadline waits for it. */
  wanted: Generated<boolean>;
  trouble: string | null;
  told_at: Date | null;
}

/** A deadline that an outage moved. */
export interface MovedDeadline {
  phaseId: number;
  was: string;
  became: string;
}

interface OutageTable {
  id: Generated<number>;
  from_at: Date;
  to_at: Date;
  moved: Json<MovedDeadline[]>;
}

export interface ClubSchema {
  seen: SeenTable;
  admitted: AdmittedTable;
  budget: BudgetTable;
  pending: PendingTable;
  role_token: RoleTokenTable;
  waiting: WaitingTable;
  tenure: TenureTable;
  absence: AbsenceTable;
  proposal: ProposalTable;
  vote: VoteTable;
  press: PressTable;
  turnout: TurnoutTable;
  ruling: RulingTable;
  digest_item: DigestItemTable;
  desk_session: DeskSessionTable;
  job: JobTable;
  process: ProcessTable;
  door: DoorTable;
  outage: OutageTable;
}

export type PendingRow = Selectable<PendingTable>;
export type ProposalRow = Selectable<ProposalTable>;
export type PressRow = Selectable<PressTable>;
export type RulingRow = Selectable<RulingTable>;
export type TenureRow = Selectable<TenureTable>;
export type JobRow = Selectable<JobTable>;
export type DoorRow = Selectable<DoorTable>;
export type OutageRow = Selectable<OutageTable>;
