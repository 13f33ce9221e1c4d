/**
 * The tables as kysely sees them; migrations/*.sql is what makes them. JSON columns are written as text (see `json`), so
 * that arrays are not taken for PostgreSQL arrays, and read back as values.
 */
import type { ColumnType, Generated, Selectable, Updateable } from 'kysely';
import type {
  Decision,
  DecisionRequest,
  Diagnostic,
  DieRoll,
  Event,
  Filed,
  GameState,
  Order,
  Outcome,
  QuestionPolicy,
  SideId,
  Standing,
  View,
} from '../kernel/types.ts';
import type { ClubSchema } from './club-schema.ts';

type Json<T> = ColumnType<T, string, string>;
type JsonDefault<T> = ColumnType<T, string | undefined, string>;
type Added = Date;

/** The text a JSON column is written with. */
export function json(value: unknown): string {
  return JSON.stringify(value);
}

interface ServiceStateTable {
  key: string;
  value: Json<unknown>;
}

interface PersonTable {
  id: Generated<number>;
  name: string;
  /** IANA name of the time zone deadlines are shown in. */
  zone: string;
  language: Generated<string>;
  paper: Generated<string>;
  settings: JsonDefault<PersonSettings>;
  created_at: Added;
  erased_at: Date | null;
}

interface AddressTable {
  /** Lower case. */
  address: string;
  person_id: number;
  place: Generated<number>;
  confirmed_at: Date | null;
  failed_at: Date | null;
  created_at: Added;
}

type GameStatus = 'forming' | 'running' | 'paused' | 'over' | 'cancelled';

/** The deadline rule as turn/time/instants.ts reads it; `{}` is a game without deadlines. */
export type StoredDeadlineRule = Record<string, unknown>;

/** The club's secret for the dice of a game, and what its players put in. */
export interface GameSeed {
  /** Mailed before any word is read. */
  commitment: string;
  /** The secret, sealed (base64), while it is one. */
  sealed?: string;
  /** In hex: in an archive. */
  secret?: string;
  words: SeedWords[];
}

/** What a side put in: words of its player, the digest of the mail he joined with, or nothing. */
export interface SeedWords {
  side: SideId;
  text: string;
  how: 'words' | 'mail' | 'none';
  /** Given by a master, deputy or operator: fixed before anybody else's. */
  runs: boolean;
}

/** What a game does otherwise than usual; kept in `game.settings`. */
export interface GameSettings {
  /** Which kinds of questions are asked, and how many a phase and side. */
  questions?: QuestionPolicy;
  /** Letters between players: with names or without, with names only, none. */
  press?: 'any' | 'signed' | 'none';
  /** `private`: the game is never shown, not even when it is over. */
  archive?: 'public' | 'private';
  observers?: boolean;
  /** Nobody plays against anybody: one person may hold every seat. */
  solitaire?: boolean;
  /** Does not start by itself when every seat is held. */
  startByHand?: boolean;
  /** Players see who has filed. */
  showFiled?: boolean;
  /** Mailing lists that may write to the game. */
  lists?: string[];
  /** What the roots of its first dice chains are made of; none in games begun before there was such a thing. */
  seed?: GameSeed;
  /** The number its dice are named by: the one it had where it began, if it has another here. */
  diceName?: string;
  /** While it is paused: milliseconds that were left of the deadline. */
  leftMs?: number | null;
}

/** What a person chose; kept in `person.settings`. */
export interface PersonSettings {
  /** Name and press in the public archive: agreed to at sign-up; else a pseudonym is shown. */
  consent?: 'public' | 'private';
  /** Hours before a deadline at which to be reminded. */
  remind?: number[];
  /** Notices once a day at that local hour instead of one mail each time. */
  digestHour?: number;
  /** `text`: no HTML part. */
  format?: 'text' | 'html';
}

interface GameTable {
  id: Generated<number>;
  /** `OVL-0017` */
  ref: string;
  system: string;
  scenario: string;
  scenario_hash: string;
  rules_version: string;
  options: Json<Record<string, unknown>>;
  title: string;
  status: GameStatus;
  pause_reason: string | null;
  deadline_rule: Json<StoredDeadlineRule>;
  settings: JsonDefault<GameSettings>;
  master_id: number | null;
  master_plays: Generated<boolean>;
  line: Generated<number>;
  phase_id: number | null;
  outcome: Json<Outcome | null> | null;
  created_at: Added;
  started_at: Date | null;
  ended_at: Date | null;
}

interface GameCounterTable {
  prefix: string;
  last: number;
}

interface SeatTable {
  id: Generated<number>;
  game_id: number;
  side: SideId;
  person_id: number | null;
  status: 'open' | 'invited' | 'held' | 'vacant';
  token_hash: string;
  token_sealed: Buffer;
  /** Number of the last receipt. */
  receipts: Generated<number>;
  /** Deadlines missed in a row. */
  missed: Generated<number>;
  /** Set when mail to the seat bounced for good. */
  mail_failed_at: Date | null;
  settings: JsonDefault<Record<string, unknown>>;
  joined_at: Date | null;
}

interface KeyChainTable {
  id: Generated<number>;
  game_id: number;
  number: number;
  kind: 'open' | 'secret';
  first_n: number;
  head: string;
  root_sealed: Buffer;
  created_at: Added;
}

/** What a phase was adjudicated from: fixed at its first run, the same at every re-run. */
export interface PhaseInputs {
  /** Order and doctrine texts as filed, and as they were read. */
  filed: Record<SideId, Filed & { lines: string[]; standingLines: string[]; notes: string[]; receipt: number | null }>;
  nmr: SideId[];
  /** How the game put questions when the phase began to run. */
  questions?: QuestionPolicy;
}

/** Something a side (or all) must be told in the report of this phase, besides the events. */
export interface PhaseNotice {
  to: 'all' | SideId;
  key: string;
  params: Record<string, string | number>;
}

export interface PhaseTable {
  id: Generated<number>;
  game_id: number;
  line: number;
  n: number;
  turn: number;
  step: string;
  battle: number | null;
  status: 'open' | 'waiting' | 'done' | 'dropped';
  opened_by: 'setup' | 'phase' | 'rewind' | 'ruling' | 'restore' | 'import';
  from_phase_id: number | null;
  /** The state in which the phase begins. */
  snapshot: Json<GameState>;
  hash: string;
  previous_hash: string | null;
  rules_version: string;
  due_at: Date | null;
  closed_at: Date | null;
  inputs: Json<PhaseInputs | null> | null;
  /** Hash of the events already told while a question is open. */
  prefix_hash: string | null;
  events: Json<Event[] | null> | null;
  decisions: Json<Decision[] | null> | null;
  /** What each side that is asked can see at the moment at which the phase waits. */
  views: Json<Record<SideId, View> | null> | null;
  /** Every question that came up, whoever answered it: tells whose decisions they were. */
  asked: Json<DecisionRequest[] | null> | null;
  dice: Json<DieRoll[] | null> | null;
  /** The key of the open dice in hex, once it may be known. */
  open_key: string | null;
  /** The key of its shuffles in hex, once the rules have it shown; it opens those of all earlier phases. */
  secret_key: ColumnType<string | null, string | null | undefined, string | null>;
  house: Json<string[] | null> | null;
  notices: JsonDefault<PhaseNotice[]>;
  opened_at: Added;
  done_at: Date | null;
}

interface RequestTable {
  id: Generated<number>;
  phase_id: number;
  request_id: string;
  number: number;
  /** Number of the first question of the same stop of the phase. */
  halt: number | null;
  side: SideId;
  body: Json<DecisionRequest>;
  asked_at: Added;
  due_at: Date | null;
  answered_at: Date | null;
  chosen: Json<string[] | null> | null;
  decided_by: 'answer' | 'fallback' | null;
  receipt_id: number | null;
}

interface MailInTable {
  id: Generated<number>;
  message_key: string;
  message_id: string | null;
  /** SHA-256 of the raw bytes. */
  digest: string;
  /** SHA-256 of what follows the header: another delivery of the same mail has the same. */
  body_digest: string;
  /** `InboundMessage.digest`, once read. */
  content_digest: string | null;
  raw: Buffer | null;
  bytes: number;
  /** `smtp`, `imap`, `web`, `test` */
  door: string;
  envelope: Json<{ mailFrom: string; rcptTo: string[]; remoteAddress: string } | null> | null;
  received_at: Date;
  /** Whose mails must not overtake each other: `seat:` and the token's hash, or `from:` and the address. */
  lane: string | null;
  state: 'new' | 'done' | 'parked';
  verdict: string | null;
  detail: Json<Record<string, unknown> | null> | null;
  from_address: string | null;
  subject: string | null;
  game_id: number | null;
  seat_id: number | null;
  processed_at: Date | null;
}

export type ReceiptVerdict = 'filed' | 'cleared' | 'refused' | 'checked' | 'quoted' | 'parked' | 'answered';

/** One order line as the receipt echoes it. */
export interface EchoLine {
  n: number;
  text: string;
  status: 'ok' | 'warning' | 'error';
  diagnostics: Diagnostic[];
}

/** What a receipt is rendered from. */
export interface ReceiptDetail {
  echo: EchoLine[];
  /** Faults of the whole mail. */
  mail: Diagnostic[];
  /** Earlier lines that no longer stand. */
  dropped: string[];
  /** Fewer than half of the earlier orders were named again: said first. */
  mostlyDropped?: true;
  /** Doctrine lines newly filed or withdrawn. */
  doctrine?: string[];
  /** The writer's own lines that are neither orders nor commands: named, so that nothing is passed over in silence. */
  notRead?: string[];
  /** Words that are filed only when they are accepted. */
  offered?: string[];
  /** Lines that would stand, when they were only checked. */
  checked?: string[];
  /** The orders of those lines. */
  checkedOrders?: Order[];
  /** CHECK: standing orders that would be kept. */
  checkedStanding?: Standing[];
  /** What these orders do to those before, where they do something. */
  replaced?: 'orders' | 'kept' | 'first' | 'same';
  /** What stands, where the mail brought no order of its own. */
  onFile?: string[];
  replyTo: { subject: string; date: string | null; messageId: string | null };
  /** Said besides, as keys of templates/en/service.json. */
  hints?: { key: string; params: Record<string, string | number> }[];
}

interface ReceiptTable {
  id: Generated<number>;
  game_id: number;
  phase_id: number;
  seat_id: number;
  side: SideId;
  number: number;
  verdict: ReceiptVerdict;
  mail_id: number | null;
  /** `mail`, `web`, `desk` */
  source: string;
  /** The order lines that stand after this receipt (for `quoted` and `parked`: those that would). */
  lines: Json<string[]>;
  orders: Json<Order[]>;
  notes: Json<string[]>;
  final: Generated<boolean>;
  wait: Generated<boolean>;
  supersedes: number | null;
  hash: string;
  detail: Json<ReceiptDetail>;
  created_at: Added;
}

interface StandingOrderTable {
  game_id: number;
  side: SideId;
  key: string;
  text: string;
  body: Json<Standing>;
  receipt_id: number | null;
  filed_at: Date;
}

export type MailOutState = 'queued' | 'sent' | 'kept' | 'failed' | 'dropped';

/** How a player wants the map of a report: MAP 3 PNG BW. */
export interface MapWish {
  format: 'pdf' | 'png' | 'svg';
  blackOnly: boolean;
}

/** What a mail is made from. Text in a notice is already in words; everything else is worded when it is composed. */
export type MailFacts =
  /** One of the others that holds a code or a link to sign in: sealed, see trust/sealed.ts. */
  | { make: 'sealed'; sealed: string }
  | { make: 'receipt'; receiptId: number }
  /** The report that opens a phase: what happened in the one before it, and what is due now. */
  | { make: 'report'; phaseId: number; viewer: string; old?: true; optional?: Optional }
  /** The map alone, as MAP asked for it. */
  | { make: 'map'; phaseId: number; viewer: string; map: MapWish }
  /** The questions of one window; without `batch` all of them. */
  | { make: 'question'; phaseId: number; side: string; batch?: string }
  | {
      make: 'notice';
      title: string;
      paragraphs: string[];
      facts?: [string, string][];
      links?: { text: string; url: string }[];
      /** It answers a mail, even one without a Message-ID. */
      answers?: true;
      optional?: Optional;
    };

/** Mails that a reader may switch off without leaving a game, each by a setting of its own. */
export type Optional = 'digest' | 'reminders' | 'observer';

/** What a mail is for: reports and questions keep until they are read, notices may go stale. */
export type MailOutKind = 'receipt' | 'report' | 'question' | 'notice' | 'press' | 'refusal';

interface MailOutTable {
  id: Generated<number>;
  kind: MailOutKind;
  game_id: number | null;
  phase_id: number | null;
  seat_id: number | null;
  person_id: number | null;
  to_address: string;
  to_name: string | null;
  facts: Json<MailFacts>;
  subject: string | null;
  message_id: string;
  in_reply_to: string | null;
  refers: string | null;
  /** The exact bytes that were (or are to be) sent. */
  raw: Buffer | null;
  state: MailOutState;
  attempts: Generated<number>;
  /** A newer mail with the same key replaces an unsent older one. */
  replace_key: string | null;
  /** Not sent after this instant. */
  stale_at: Date | null;
  response: string | null;
  created_at: Added;
  sent_at: Date | null;
}

interface ReplyCountTable {
  address: string;
  kind: string;
  day: string;
  n: number;
}

interface ActionLogTable {
  id: Generated<number>;
  at: Date;
  game_id: number | null;
  who: string;
  door: string;
  what: string;
  why: string | null;
  detail: Json<Record<string, unknown> | null> | null;
  public: Generated<boolean>;
}

interface ArtifactTable {
  phase_id: number;
  viewer: string;
  kind: string;
  content_type: string;
  bytes: Buffer;
  digest: string;
  created_at: Added;
}

export interface Schema extends ClubSchema {
  service_state: ServiceStateTable;
  person: PersonTable;
  address: AddressTable;
  game: GameTable;
  game_counter: GameCounterTable;
  seat: SeatTable;
  key_chain: KeyChainTable;
  phase: PhaseTable;
  request: RequestTable;
  mail_in: MailInTable;
  receipt: ReceiptTable;
  standing_order: StandingOrderTable;
  mail_out: MailOutTable;
  reply_count: ReplyCountTable;
  action_log: ActionLogTable;
  artifact: ArtifactTable;
}

export type PersonRow = Selectable<PersonTable>;
export type GameRow = Selectable<GameTable>;
export type SeatRow = Selectable<SeatTable>;
export type KeyChainRow = Selectable<KeyChainTable>;
export type PhaseRow = Selectable<PhaseTable>;
export type PhaseChange = Updateable<PhaseTable>;
export type RequestRow = Selectable<RequestTable>;
export type MailInRow = Selectable<MailInTable>;
export type ReceiptRow = Selectable<ReceiptTable>;
export type StandingOrderRow = Selectable<StandingOrderTable>;
export type MailOutRow = Selectable<MailOutTable>;
export type ActionLogRow = Selectable<ActionLogTable>;
