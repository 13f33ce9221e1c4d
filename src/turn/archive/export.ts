/**
 * A game as one archive that any club can check and replay, also in ten years, and back into a store. What the archive
 * holds is told in its README.txt (templates/<language>/bundle).
 */
import { assert } from '../../kernel/assert.ts';
import type { Answer } from '../../kernel/judge.ts';
import { LOOKS_FILE } from '../../kernel/looks.ts';
import type { Decision, DieRoll, Event, Filed, GameState } from '../../kernel/types.ts';
import { viewFor } from '../../kernel/view.ts';
import { companions } from '../../render/letters/companions.ts';
import type { Wording } from '../../render/words.ts';
import { type OpenScenario, openContent } from '../../scenarios.ts';
import type { RulingEdit } from '../../store/club-schema.ts';
import type { Reader } from '../../store/db.ts';
import { chainsOf, gameByRef, logAction } from '../../store/games.ts';
import { type GameRecord, gatherRecord, type RecordRow, type RecordTable } from '../../store/record.ts';
import type { GameSeed } from '../../store/schema.ts';
import { BLANK, blankDeep, blankMail, openMail } from '../../store/trust/sealed.ts';
import { findSystem } from '../../systems/index.ts';
import type { Service } from '../context.ts';
import { chainRoot, secretOf } from '../keys.ts';
import type { RecordedChain, RecordedGame, RecordedPhase } from '../phase/replay.ts';
import { asText, inWords } from '../post/reporttext.ts';
import { type BundleFiles, digestsOf, MANIFEST, packBundle, parse, unpackBundle } from './bundle.ts';

const FORMAT = 'fieldpost-game/1';
/** Columns of a phase that are files of their own. */
const PHASE_FILES = ['snapshot', 'inputs', 'events', 'decisions', 'dice'] as const;
const CLUB_TABLES: readonly RecordTable[] = [
  'person',
  'address',
  'receipt',
  'standing_order',
  'request',
  'mail_in',
  'mail_out',
  'proposal',
  'vote',
  'press',
  'ruling',
  'tenure',
  'turnout',
  'action_log',
];

export interface ExportOptions {
  /** Leave out mails, letters between players and addresses. */
  noMails?: boolean;
  /** Who asks, for the log. */
  by: string;
  door: string;
}

/** All of a game from the store, with the roots of its dice chains. */
export async function recordOf(service: Pick<Service, 'secret'>, db: Reader, gameId: number): Promise<GameRecord> {
  const record = await gatherRecord(db, gameId);
  const chains = await chainsOf(db, gameId);
  for (const row of record.key_chain) {
    const chain = chains.find((candidate) => candidate.id === row.id);
    assert(chain, `the chain ${row.id} went away while the game was read`);
    row.root = chainRoot(service, chain).toString('hex');
  }
  for (const table of ['mail_in', 'mail_out'] as const)
    for (const row of record[table])
      if (Buffer.isBuffer(row.raw)) row.raw = blankMail(openMail(service.secret, row.raw));
  for (const row of record.game) withSecret(service, row);
  // What lets somebody speak for a seat or sign in goes into no archive.
  for (const row of [...record.mail_in, ...record.mail_out, ...record.receipt, ...record.action_log])
    Object.assign(row, blankDeep(row));
  for (const row of record.mail_in) row.envelope = withoutSealed(row.envelope);
  for (const row of record.mail_out) if ((row.facts as { make?: string } | null)?.make === 'sealed') row.facts = {};
  return record;
}

/** What the dice were made of, as far as the record tells. */
function seedOf(game: RecordRow): RecordedGame['seed'] {
  const { seed } = (game.settings ?? {}) as { seed?: GameSeed };
  return seed ? { commitment: seed.commitment, secret: seed.secret ?? null, words: seed.words } : null;
}

/** The secret of the dice in the open, as the roots are: only this club can read it sealed. */
function withSecret(service: Pick<Service, 'secret'>, game: RecordRow): void {
  const settings = (game.settings ?? {}) as { seed?: GameSeed };
  if (!settings.seed) return;
  const { sealed: _, ...seed } = settings.seed;
  const secret = secretOf(service, settings.seed)?.toString('hex');
  game.settings = { ...settings, seed: { ...seed, ...(secret === undefined ? {} : { secret }) } };
}

/** An envelope without the secret addresses that are sealed in it. */
function withoutSealed(envelope: unknown): unknown {
  const { rcptTo, ...rest } = (envelope ?? {}) as { rcptTo?: string[] };
  return rcptTo ? { ...rest, rcptTo: rcptTo.map((one) => (one.startsWith('sealed:') ? BLANK : one)) } : envelope;
}

/**
 * Packs a game. One that is not over yet goes out with hands, orders and dice keys, so that it can be played on elsewhere;
 * that this was done is logged and shown to the players at the end.
 */
export async function exportGame(service: Service, ref: string, options: ExportOptions): Promise<Buffer> {
  const game = await gameByRef(service.db, ref);
  if (!game) throw new Error(`no game ${ref}`);
  if (game.status === 'forming') throw new Error(`game ${game.ref} has not begun`);
  if (game.status !== 'over' && game.status !== 'cancelled')
    await logAction(service.db, {
      at: service.now(),
      gameId: game.id,
      who: options.by,
      door: options.door,
      what: 'export',
      why: 'the running game with all that is hidden in it',
      public: true,
    });
  const record = await recordOf(service, service.db, game.id);
  if (options.noMails) withoutMails(record);
  return packBundle(filesOf(record, service.scenarios.open(game.scenario), service.wording));
}

function withoutMails(record: GameRecord): void {
  for (const table of ['mail_in', 'mail_out', 'press', 'address'] as const) record[table] = [];
  for (const row of record.person) row.settings = {};
  for (const row of record.receipt) {
    row.mail_id = null;
    row.detail = { ...(row.detail as object), replyTo: { subject: '', date: null, messageId: null } };
  }
}

/** The files of a game, the manifest included. */
function filesOf(record: GameRecord, open: OpenScenario, wording: Wording): BundleFiles {
  const game = record.game[0];
  assert(game, 'the record holds no game');
  const files: BundleFiles = companions();
  for (const [name, content] of Object.entries(open.files)) files.set(`scenario/${name}`, text(content));
  if (open.looks !== undefined) files.set(`scenario/${LOOKS_FILE}`, text(open.looks));
  files.set('game.json', text({ game, seats: record.seat, chains: record.key_chain }));
  for (const row of record.phase) putPhase(files, row, record, open, wording);
  for (const row of record.mail_in) putMail(files, `mails/in/${row.id}.eml`, row);
  for (const row of record.mail_out) putMail(files, `mails/out/${row.id}.eml`, row);
  for (const table of CLUB_TABLES)
    files.set(`club/${table}.json`, text(record[table].map(({ raw: _raw, ...row }) => row)));
  const { ref, title, system, scenario, scenario_hash: scenarioHash, rules_version: rulesVersion, status } = game;
  const facts = { format: FORMAT, game: { ref, title, system, scenario, scenarioHash, rulesVersion, status } };
  files.set(MANIFEST, text({ ...facts, files: digestsOf(files) }));
  return files;
}

function text(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`);
}

function putMail(files: BundleFiles, name: string, row: RecordRow): void {
  if (Buffer.isBuffer(row.raw)) files.set(name, row.raw);
}

function folderOf(row: RecordRow): string {
  const step = String(row.step).replace(/[^\w.-]+/g, '-');
  return `phases/${String(row.n).padStart(4, '0')}.${row.line}-${row.turn}.${step}`;
}

function putPhase(files: BundleFiles, row: RecordRow, record: GameRecord, open: OpenScenario, wording: Wording): void {
  const folder = folderOf(row);
  const rest = Object.fromEntries(
    Object.entries(row).filter(([name]) => !(PHASE_FILES as readonly string[]).includes(name)),
  );
  files.set(`${folder}/phase.json`, text(rest));
  for (const name of PHASE_FILES) if (row[name] !== null) files.set(`${folder}/${name}.json`, text(row[name]));
  files.set(`${folder}/answers.json`, text(record.request.filter((request) => request.phase_id === row.id)));
  const inputs = row.inputs as { filed: Record<string, { lines?: string[]; standingLines?: string[] }> } | null;
  for (const [side, filed] of Object.entries(inputs?.filed ?? {})) {
    const lines = [...(filed.standingLines ?? []), ...(filed.lines ?? [])];
    files.set(`${folder}/orders.${side}.txt`, Buffer.from(`${lines.join('\n')}\n`));
  }
  const before = record.phase.find((candidate) => candidate.id === row.from_phase_id);
  const state = row.snapshot as GameState;
  const told = row.opened_by === 'phase' ? ((before?.events ?? []) as Event[]) : [];
  for (const viewer of [...Object.keys(state.hands), 'public']) {
    const heard = told.filter((event) => event.audience === 'all' || event.audience.includes(viewer));
    const own = (before?.inputs as { filed: Record<string, Filed> } | null | undefined)?.filed[viewer];
    const report = open.rules.report(viewFor(state, viewer), heard, own ?? { orders: [], standing: [] });
    files.set(
      `${folder.replace('phases/', 'reports/')}.${viewer}.txt`,
      Buffer.from(asText(viewer, inWords(report, wording))),
    );
  }
}

/** An exported game read again. */
export interface Bundle {
  record: GameRecord;
  /** The rules opened with the archive's own content. */
  open: OpenScenario;
}

/** Reads an archive. Throws one clear line for what is none, was changed, or belongs to no system that `find` knows. */
export async function readBundle(bytes: Buffer, find = findSystem): Promise<Bundle> {
  const files = await unpackBundle(bytes);
  const manifest = parse(files.get(MANIFEST)!) as { format?: string; game: { system: string; scenario: string } };
  if (manifest.format !== FORMAT) throw new Error(`an exported game of the form ${manifest.format}, not ${FORMAT}`);
  const system = find(manifest.game.system);
  if (!system) throw new Error(`a game of the system "${manifest.game.system}", which is not here`);
  const content: Record<string, unknown> = {};
  for (const [name, file] of files)
    if (name.startsWith('scenario/')) content[name.slice('scenario/'.length)] = parse(file);
  const { [LOOKS_FILE]: looks, ...rules } = content;
  return { record: recordFrom(files), open: openContent(system, manifest.game.scenario, rules, looks) };
}

function recordFrom(files: BundleFiles): GameRecord {
  const json = (name: string): unknown => {
    const file = files.get(name);
    if (!file) throw new Error(`the exported game lacks ${name}`);
    return parse(file);
  };
  const { game, seats, chains } = json('game.json') as { game: RecordRow; seats: RecordRow[]; chains: RecordRow[] };
  const record = { game: [game], seat: seats, key_chain: chains } as GameRecord;
  for (const table of CLUB_TABLES) record[table] = json(`club/${table}.json`) as RecordRow[];
  for (const door of ['in', 'out'] as const)
    for (const row of record[`mail_${door}`]) row.raw = files.get(`mails/${door}/${row.id}.eml`) ?? null;
  const folders = [...files.keys()].filter((name) => /^phases\/[^/]+\/phase\.json$/.test(name));
  record.phase = folders.map((name) => {
    const row = json(name) as RecordRow;
    for (const part of PHASE_FILES) {
      const file = files.get(name.replace('phase.json', `${part}.json`));
      row[part] = file ? parse(file) : null;
    }
    return row;
  });
  record.phase.sort((a, b) => Number(a.id) - Number(b.id));
  return record;
}

/** The record as replay.ts reads it. Roots are taken as far as they are there. */
export function recordedGame(record: GameRecord): RecordedGame {
  const game = record.game[0];
  assert(game, 'the record holds no game');
  const phases = record.phase.map((row): RecordedPhase => {
    const answers = answersOf(record, row);
    return {
      id: Number(row.id),
      line: Number(row.line),
      status: row.status as RecordedPhase['status'],
      openedBy: String(row.opened_by),
      from: row.from_phase_id === null ? null : Number(row.from_phase_id),
      snapshot: row.snapshot as GameState,
      hash: String(row.hash),
      previousHash: row.previous_hash as string | null,
      rulesVersion: String(row.rules_version),
      inputs: row.inputs as RecordedPhase['inputs'],
      answers,
      events: row.events as Event[] | null,
      decisions: row.decisions as RecordedPhase['decisions'],
      dice: row.dice as DieRoll[] | null,
      openKey: row.open_key as string | null,
      secretKey: (row.secret_key ?? null) as string | null,
    };
  });
  const chains = record.key_chain.map(
    (row): RecordedChain => ({
      kind: row.kind as RecordedChain['kind'],
      firstN: Number(row.first_n),
      head: String(row.head),
      root: typeof row.root === 'string' ? row.root : null,
    }),
  );
  return {
    ref: String(game.ref),
    diceName: (game.settings as { diceName?: string } | null)?.diceName ?? String(game.ref),
    seed: seedOf(game),
    scenario: String(game.scenario),
    scenarioHash: String(game.scenario_hash),
    rulesVersion: String(game.rules_version),
    options: game.options as Record<string, unknown>,
    setupDice: setupDiceOf(record),
    chains,
    phases,
    rulings: record.ruling
      .filter((row) => row.undone_at === null)
      .map((row) => ({ phase: Number(row.phase_id), edits: row.edits as RulingEdit[] })),
  };
}

/** Answers given to a phase's questions. A phase that was run again by a ruling has them in its decisions alone. */
function answersOf(record: GameRecord, phase: RecordRow): Record<string, Answer> {
  const answers: Record<string, Answer> = {};
  for (const request of record.request)
    if (request.phase_id === phase.id && request.decided_by !== null)
      answers[String(request.request_id)] = {
        chosen: (request.chosen ?? []) as string[],
        by: request.decided_by as Answer['by'],
      };
  const decisions = (phase.decisions ?? []) as Decision[];
  if (phase.opened_by === 'ruling' && Object.keys(answers).length === 0)
    for (const { id, chosen, by } of decisions) if (by === 'answer' || by === 'fallback') answers[id] = { chosen, by };
  return answers;
}

/** The dice of the set-up are in the log, with the start of the game. */
function setupDiceOf(record: GameRecord): DieRoll[] | null {
  const start = record.action_log.find((row) => row.what === 'start');
  return (start?.detail as { dice?: DieRoll[] } | null | undefined)?.dice ?? null;
}
