/**
 * The contract between the service and a game system: everything a newcomer must read before writing rules.
 * A system is pure: it sees plain JSON, the dice handed to it and nothing else. What lies face up is on the `table`,
 * what one side may know is in its `hand`, what nobody may know is in the `cup`; nothing else can exist.
 */

import type { MapScene } from './displaylist.ts';
import type { Looks } from './looks.ts';

export type {
  Cell,
  MapScene,
  SceneCounter,
  SceneGrid,
  SceneItem,
  ScenePanel,
} from './displaylist.ts';

/** A side's id inside a system, such as `allied` or `red`. Lower case, never `public`. */
export type SideId = string;
/** Who looks: a side, or everybody. */
export type Viewer = SideId | 'public';

/** Where a game stands. `n` runs on through the whole game, pauses and battles included. */
export interface PhaseId {
  n: number;
  turn: number;
  step: string;
  battle?: number;
}

/** The JSON types of one system. `order` and `standing` are discriminated by `verb`, `event` by `type`. */
export interface GameTypes {
  table: unknown;
  hand: unknown;
  cup: unknown;
  order: Order;
  standing: Standing;
  event: Event;
  /** What a question is about, by its kind. */
  about: unknown;
}

/** The whole truth of a game between two phases: plain JSON, equal after a JSON round trip. */
export interface GameState<G extends GameTypes = GameTypes> {
  phase: PhaseId;
  /** Face up: everyone sees it. The game's options are on it. */
  table: G['table'];
  /** Known to one side: cards, face-down tokens, plots, identities of decoys. */
  hands: Record<SideId, G['hand']>;
  /** Seen by nobody: draw decks, chit cups. */
  cup: G['cup'];
  /** Ended by agreement or surrender, in a game whose rules leave that to the kernel (see `defineSystem`). */
  ended?: Outcome;
}

declare const viewBrand: unique symbol;
/** What one viewer may know. Made only by `viewFor` in kernel/view.ts. */
export interface View<G extends GameTypes = GameTypes> {
  readonly [viewBrand]: true;
  readonly viewer: Viewer;
  readonly phase: PhaseId;
  readonly table: G['table'];
  readonly hand?: G['hand'];
  readonly ended?: Outcome;
}

/** What everybody may know: the table alone. Made only by `publicView` in kernel/view.ts. */
export interface PublicView<G extends GameTypes = GameTypes> extends View<G> {
  readonly viewer: 'public';
  readonly hand?: never;
}

/** A value put into words; words of its own are said first, lists are joined with ", ". */
export type Param = string | number | boolean | Words | readonly Text[];

/** Something to be said: the wording of `key` is looked up in templates/, `params` fill it. */
export interface Words {
  key: string;
  params?: Record<string, Param>;
}

/** What is shown as text: words, or a name that stands in the scenario or on the map as it is shown. */
export type Text = Words | string;

/** One complaint about one order line (or about the whole mail). Worded as the key `code` of the system's templates. */
export interface Diagnostic {
  /** Upper case words as players read them, such as `TOO FAR`. Stable. */
  code: string;
  /** An error drops its line; an error of line `mail` files nothing; a warning drops nothing. */
  severity: 'error' | 'warning';
  line: number | 'mail';
  params: Record<string, Param>;
  /** Ledger id or printed rule number. */
  rule?: string;
}

/** One line of an order block with its number in the block (from 1). */
export interface OrderLine {
  n: number;
  text: string;
}

export interface Order {
  verb: string;
  /** Line number in the block it was read from. */
  line: number;
}

/** A standing order (doctrine): kept until one with the same key replaces it. `withdraw` takes the key off the list. */
export interface Standing extends Order {
  key: string;
  withdraw?: boolean;
}

/** Something that happened, as typed data. Heard whole by its audience or not at all. */
export interface Event {
  type: string;
  audience: 'all' | SideId[];
  rule?: string;
}

/** One thing that may be chosen: `value` is recorded and read by the rules, `words` are read and written by the player. */
export interface Choice {
  value: string;
  words: Words;
}

/** A question the rules must have answered before they can go on. */
export interface DecisionRequest<G extends GameTypes = GameTypes> {
  /** Unique within the phase and the same at every re-run. Only a name: rules read `about`. */
  id: string;
  to: SideId;
  kind: string;
  /** The facts that doctrine and the reading of an answer go by. */
  about: G['about'];
  /** What may be chosen (see `asWritten`). Empty when `form` is given. */
  options: Choice[];
  /** The answer is given as order lines; these are the lines to edit. Read by `parseAnswer`. */
  form?: string[];
  min: number;
  max: number;
  /** Values: the rulebook's neutral choice, taken when nobody decides. */
  fallback: string[];
  /** Time to answer, where the rules or the scenario say so; else the club's. */
  hours?: number;
  /** Questions of one window, by its name: they go out in one mail. */
  batch?: string;
  /** What is asked, in words. */
  words?: Words;
  rule?: string;
}

/** How a game puts questions: by kind to the player or to doctrine, and how many a side gets in one phase. */
export interface QuestionPolicy {
  /** A kind left out is asked where the player's own ASK lines or the rules say so. */
  kinds?: Readonly<Record<string, 'ask' | 'doctrine'>>;
  /** Questions a phase and side; after them doctrine decides. */
  most?: number;
}

export type DecidedBy = 'order' | 'doctrine' | 'answer' | 'fallback';
export interface Decision {
  id: string;
  chosen: string[];
  by: DecidedBy;
  /** It would have been a question by mail, had the side not had as many as a phase may put to it. */
  capped?: true;
}

/** Dice handed to the rules. Contexts name units and hexes, never a running number, and are unique within a phase. */
export interface Dice {
  /** Open dice, each from 1 to `sides` (2 to 256). */
  roll(context: string, count: number, sides: number): number[];
  /** A secret order of `items`, verifiable when the game is over, or earlier where the rules say so (`opens`). */
  shuffle<T>(context: string, items: readonly T[]): T[];
  /** Notes a card turned before everybody's eyes, so that it stands among the dice. Decides nothing. */
  draw(context: string, drawn: Drawn): void;
}

/** A card as printed, whose pile it came from, the purpose of the shuffle that made it, and its place there from 1. */
export type Drawn = { from: string; card: string; shuffle: string; place: number };

/** A use of the dice. For a shuffle `rolls` is the permutation and the entry secret; a card turned (`drawn`) has none. */
export interface DieRoll {
  context: string;
  sides: number;
  rolls: number[];
  secret?: true;
  drawn?: Drawn;
}

export interface Ruling<G extends GameTypes = GameTypes> {
  dice: Dice;
  emit(event: G['event']): void;
  /** Sides whose deadline passed with nothing filed. */
  nmr: SideId[];
  /** Standing orders in force, by side. */
  standing: Record<SideId, G['standing'][]>;
  /** The rules version that this phase is judged by: today's, or for a phase on record the one it was run under. */
  version: string;
}

export interface Outcome {
  winner: SideId | 'draw' | null;
  reason: string;
  score?: Record<SideId, number>;
}

export interface Report {
  headline: Words;
  sections: { title: Words; lines: Words[] }[];
  /** A valid order block ready to edit: header, one line a unit, what it can do in a comment, FINAL above END. */
  orderForm: Text[];
  /** The same with each line by itself, where `orderForm` folds lines (a formation with `*`); sent by FORM FULL. */
  fullForm?: Text[];
}

/** What a side has on file. */
export interface Filed<G extends GameTypes = GameTypes> {
  orders: G['order'][];
  standing: G['standing'][];
}

/** A clause of a verb, as help shows it. */
export interface VerbClause {
  name: string;
  pattern: string;
  help: Words;
}

/** One verb of a system's order language: source of parsing, echo, HELP and the form. */
export interface Verb {
  verb: string;
  /** As a player would write it: `MOVE unit… -> hex…`. */
  pattern: string;
  help: Words;
  clauses: VerbClause[];
  examples: string[];
  /** Kept across turns (doctrine). */
  standing?: true;
  /** Its lines are scripts: a colon belongs to each, and a bar at the start of a line parts clauses and stays. */
  script?: true;
  /** The word of the line behind which a player's own words follow, which are never read further. */
  freeAfter?: string;
}

export interface Parsed<G extends GameTypes = GameTypes> {
  orders: G['order'][];
  standing: G['standing'][];
  diagnostics: Diagnostic[];
}

/** A side that may file orders; `must`: the phase waits for it. */
interface Ask {
  side: SideId;
  must: boolean;
}

/** A step's own deadline in days, and what silence means when it has passed. */
export interface Pace {
  days?: number;
  silence?: 'hold' | 'accept';
  /** The same turn goes on: its deadline stays, and whoever is silent now is not counted a second time. */
  continues?: true;
}

/** By the type of an event, the paths of what it shows. */
export type Releases<G extends GameTypes = GameTypes> = {
  readonly [T in (G['event'] & Event)['type']]?: readonly string[];
};

/** The rules of one game, opened with one scenario. Everything here is pure. */
export interface Rules<G extends GameTypes = GameTypes> {
  readonly verbs: Verb[];
  /** Lines that an order block of this scenario may have; left out: 400. */
  readonly linesMost?: number;
  /** How this service reads unclear rules, in words; HELP shows them. */
  readonly rulings?: readonly Words[];
  /** The state before the first phase. `options` as the scenario allows; throws only on our own faults. */
  setup(options: Record<string, unknown>, dice: Dice): GameState<G>;
  /**
   * Which hidden things an event shows, by its type: paths such as `hand.cards` or `cup.decks`. From such an event on,
   * what a side is told may depend on what was hidden; before it, it may not (the contract suite looks).
   */
  readonly releases?: Releases<G>;
  /**
   * Who owes (`must`) or may file orders in this phase; nobody: the game is over. Like `ready`, `master` and `pace` it
   * sees what everybody sees, so that no deadline and no pause can tell of a hand.
   */
  asks(view: PublicView<G>): Ask[];
  /**
   * May the phase run before the deadline? `final` names the sides whose filed orders are final. Usually `everyFinal`.
   * `spoken` names the sides that have orders on file at all: a bare FINAL is a word only where it says something.
   */
  ready(view: PublicView<G>, final: readonly SideId[], spoken?: readonly SideId[]): boolean;
  /** What only the game master can decide now, in words for him (`game` is filled in); undefined when nothing is. */
  master?(view: PublicView<G>): Words | undefined;
  /** A step's own deadline in days, and what silence means there. */
  pace(view: PublicView<G>): Pace | undefined;
  parse(lines: readonly OrderLine[], view: View<G>): Parsed<G>;
  print(order: G['order'] | G['standing']): string;
  /**
   * The units (or places, or choices) that an order speaks for, as printed: what `ADD` replaces by, and what an order that
   * takes the place of another is about. Never empty.
   */
  subjects(order: G['order']): string[];
  /** Whether a word, in upper case, names something in this game that an order could mean: a unit, a place, a card … */
  knows(view: View<G>, word: string): boolean;
  /** `view`: what the side could see at the moment it was asked. */
  parseAnswer(
    view: View<G>,
    request: DecisionRequest<G>,
    lines: readonly OrderLine[],
  ): { chosen: string[] } | { diagnostics: Diagnostic[] };
  /**
   * Legality of a set of orders as far as the viewer can know; the same code that adjudicate uses. `standing`: the side's
   * standing orders as they will be in force with these orders.
   */
  check(view: View<G>, orders: readonly G['order'][], standing: readonly G['standing'][]): Diagnostic[];
  /** How the orders would be read with the side's standing orders, on a scratch copy of the view, without dice. */
  preview(
    view: View<G>,
    orders: readonly G['order'][],
    standing: readonly G['standing'][],
  ): { events: G['event'][]; scenes: MapScene<Text>[] };
  /**
   * Runs one phase on the draft in place and leaves `draft.phase` at the next phase (n + 1).
   * Yields the questions of one step together and receives their decisions in the same order.
   */
  adjudicate(
    draft: GameState<G>,
    orders: Record<SideId, G['order'][]>,
    ruling: Ruling<G>,
  ): Generator<DecisionRequest<G>[], void, Decision[]>;
  /**
   * What the side's own orders (a clause) or doctrine say to a question. `ask`: put it to the player by mail.
   * `undefined`: nothing written, the fallback stands. `mayAsk` false: no more questions, what is written decides.
   */
  doctrine(
    view: View<G>,
    filed: Filed<G>,
    request: DecisionRequest<G>,
    mayAsk: boolean,
  ): { chosen: string[]; by: 'order' | 'doctrine' } | 'ask' | undefined;
  outcome(state: GameState<G>): Outcome | undefined;
  /** May the key of all shuffles so far be shown after this phase? Only where neither hand nor cup holds anything. */
  opens?(view: PublicView<G>): boolean;
  /** Ends the game by agreement or surrender: afterwards `asks` is empty and `outcome` given. */
  conclude(draft: GameState<G>, how: 'concede' | 'draw' | 'abandon', side?: SideId): void;
  /** The maps as the viewer may see them, with the marks of the events (last phase): one, or one a sheet. */
  scenes(view: View<G>, events: readonly G['event'][]): MapScene<Text>[];
  report(view: View<G>, events: readonly G['event'][], filed: Filed<G>): Report;
  /** Which house data this game uses, as players are told it; empty when none. */
  house(view: View<G>): Text[];
}

/** A scenario as the service knows it; the system keeps its own data behind `data`. */
export interface Scenario {
  /** `overlord/campaign` */
  id: string;
  title: string;
  sides: { id: SideId; name: string; short: string }[];
  /** What may be chosen at the start, with defaults. */
  options: ScenarioOption[];
  /** Days a phase lasts unless the club says otherwise. */
  daysPerPhase: number;
  /** Turns of the whole game, for headers; absent where not fixed. */
  turns?: number;
  data: unknown;
  looks?: Looks;
}

export interface ScenarioOption {
  name: string;
  help: Words;
  values: readonly (string | number | boolean)[];
  fallback: string | number | boolean;
}

/** What a system may leave to the kernel: `defineSystem` puts it in. */
type KernelDefaults = 'ready' | 'pace' | 'conclude';

/** A game of one map says `scene`, one of several sheets says `scenes`; so does its preview. */
interface OwnMaps<G extends GameTypes> {
  scene?(view: View<G>, events: readonly G['event'][]): MapScene<Text>;
  scenes?(view: View<G>, events: readonly G['event'][]): MapScene<Text>[];
  preview(
    view: View<G>,
    orders: readonly G['order'][],
    standing: readonly G['standing'][],
  ): { events: G['event'][]; scene?: MapScene<Text>; scenes?: MapScene<Text>[] };
}

/** The rules as a system's author writes them. */
export type OwnRules<G extends GameTypes> = Omit<Rules<G>, KernelDefaults | 'scenes' | 'preview'> &
  Partial<Pick<Rules<G>, KernelDefaults>> &
  OwnMaps<G>;

/** A game as its author writes it. */
export type OwnSystem<G extends GameTypes> = Omit<GameSystem<G>, 'open'> & {
  open(scenario: Scenario): OwnRules<G>;
};

export interface GameSystem<G extends GameTypes = GameTypes> {
  readonly id: string;
  readonly title: string;
  /** `OVL`: the letters of a game reference. */
  readonly prefix: string;
  /** Raised with every change that could alter a result. */
  readonly rulesVersion: string;
  /** Checks shape and sense of the raw files of one scenario (by file name) and gives the scenario or every fault found. */
  read(id: string, files: Record<string, unknown>): { scenario: Scenario } | { faults: string[] };
  /** The scenario files this system offers, from the names in its folder. */
  scenarios(fileNames: readonly string[]): { id: string; files: string[] }[];
  open(scenario: Scenario): Rules<G>;
}
