/**
 * Scenario content from disk. `scenarios/<system>/*.json` is ours; a club lays folders of its own beside it: a file of the
 * same name replaces ours, a file with `"from": "other.json"` starts from that one and lays its `"changes"` over it.
 * Each system validates and opens its own content; what was opened is kept for as long as the process lives.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashOf } from './kernel/hash.ts';
import { LOOKS_FILE, readLooks } from './kernel/looks.ts';
import type { GameSystem, Rules, Scenario } from './kernel/types.ts';
import { systems as ourSystems } from './systems/index.ts';

export const SCENARIOS = fileURLToPath(new URL('../scenarios/', import.meta.url));

/** The folders of a club: ours, and laid over them `scenarios` in its data folder. */
export function scenarioFolders(dataDir: string): string[] {
  return [SCENARIOS, path.join(dataDir, 'scenarios')];
}

/** What was measured of the scenarios of a system: beside the content, so that no game's content hash counts it. */
const BALANCE_FILE = 'balance.json';
/** Files beside the content that are for readers: how the rulebook was read where it is silent or doubtful; balance. */
const FOR_READERS = new Set(['rulings.json', BALANCE_FILE]);
const FILE_BYTES_MAX = 16 * 1024 * 1024;
const FROM_DEPTH_MAX = 8;
const FAULTS_SHOWN = 3;

/** A scenario opened: its owner, its content, the rules bound to it, and the hash of the merged content it was read from. */
export interface OpenScenario {
  system: GameSystem;
  scenario: Scenario;
  rules: Rules;
  /** SHA-256 of the canonical JSON of the files by name. */
  hash: string;
  /** The merged content by file name, as it goes into an exported game. */
  files: Record<string, unknown>;
  /** The content of the looks file, where there is one. */
  looks?: unknown;
}

/** Games of a tournament with the same players by rule on the same sides. */
export interface BalanceRow {
  /** Who played, by side. */
  players: Record<string, string>;
  games: number;
  wins: Record<string, number>;
}

/** How a scenario is balanced, measured by players by rule. House throughout. */
export interface Balance {
  status: 'measured, house';
  /** What measured it. */
  command: string;
  /** Hash of the content that was played. */
  content: string;
  games: number;
  /** Options the games were played with. */
  options: Record<string, unknown>;
  rows: BalanceRow[];
  /** Share of all games by side in per cent, with Wilson's interval for 95 of 100. */
  shares: Record<string, { wins: number; percent: number; low: number; high: number }>;
  /** The scenario that new games are offered in its place, since one side won too often. Games that run keep theirs. */
  replacedBy?: string;
}

/** `balance.json` of a system's folder. */
export interface BalanceFile {
  format: 'fieldpost-balance/1';
  source: string;
  scenarios: Record<string, Balance>;
}

export interface ScenarioStore {
  /** All scenarios that read without a fault, by system and id; `replacedBy`: no longer offered to new games. */
  list(): { id: string; title: string; system: GameSystem; replacedBy?: string }[];
  /** Throws one clear line for an unknown id or faulty content. */
  open(id: string): OpenScenario;
  /** What was measured of a scenario; undefined where nothing was, and for an unknown id. */
  balance(id: string): Balance | undefined;
  /** Every fault of every file; nothing when all is well. `file` is relative to the folder it stands in. */
  lint(): { file: string; fault: string }[];
}

interface LaidFile {
  /** Where it stands, for messages. */
  file: string;
  name: string;
  dir: string;
}

/**
 * Validates and opens one scenario from content at hand (disk or an exported game), drawn and named as \`looks\` say (the
 * content of a looks file, which is no part of the hash). Throws one clear line on a fault.
 */
export function openContent(
  system: GameSystem,
  id: string,
  files: Record<string, unknown>,
  looks?: unknown,
): OpenScenario {
  const read = system.read(id, structuredClone(files));
  if ('faults' in read) {
    const more = read.faults.length - FAULTS_SHOWN;
    const shown = read.faults.slice(0, FAULTS_SHOWN).join('; ');
    throw new Error(`scenario ${id} can't be read: ${shown}${more > 0 ? `; and ${more} more` : ''}`);
  }
  const scenario = looks === undefined ? read.scenario : dressed(read.scenario, looks);
  return { system, scenario, rules: system.open(scenario), hash: hashOf(files), files, looks };
}

/** The scenario with the names and colours of its looks. */
function dressed(scenario: Scenario, content: unknown): Scenario {
  const read = readLooks(content);
  if ('faults' in read)
    throw new Error(`${LOOKS_FILE} of ${scenario.id}: ${read.faults.slice(0, FAULTS_SHOWN).join('; ')}`);
  const sides = scenario.sides.map((side) => {
    const { name, short } = read.looks.sides[side.id] ?? side;
    return { id: side.id, name, short };
  });
  return { ...scenario, sides, looks: read.looks };
}

/** Opens the folders, ours first, then a club's in order. Nothing is read before it is asked for. */
export function openScenarios(dirs: readonly string[], systems: readonly GameSystem[] = ourSystems): ScenarioStore {
  const opened = new Map<string, OpenScenario>();
  const layers = new Map<string, LaidFile[][]>();
  const measured = new Map<string, BalanceFile>();
  const laid = (system: GameSystem): LaidFile[][] => {
    let found = layers.get(system.id);
    if (!found) {
      found = dirs.map((dir) => laidFiles(path.join(dir, system.id), system.id));
      layers.set(system.id, found);
    }
    return found;
  };
  const offered = (system: GameSystem): { id: string; files: string[] }[] => system.scenarios(namesOf(laid(system)));
  const open = (id: string): OpenScenario => {
    const known = opened.get(id);
    if (known) return known;
    const system = systems.find((candidate) => id.startsWith(`${candidate.id}/`));
    const offer = system && offered(system).find((candidate) => candidate.id === id);
    if (!system || !offer) throw new Error(`no scenario "${id}"; there are ${idsOf(systems, offered)}`);
    const files: Record<string, unknown> = {};
    for (const name of offer.files) files[name] = mergedFile(laid(system), name);
    const looks = namesOf(laid(system)).includes(LOOKS_FILE) ? mergedFile(laid(system), LOOKS_FILE) : undefined;
    const result = openContent(system, id, files, looks);
    opened.set(id, result);
    return result;
  };
  const balance = (id: string): Balance | undefined => {
    const system = systems.find((candidate) => id.startsWith(`${candidate.id}/`));
    if (!system || !namesOf(laid(system)).includes(BALANCE_FILE)) return undefined;
    let file = measured.get(system.id);
    if (!file) {
      file = mergedFile(laid(system), BALANCE_FILE) as BalanceFile;
      measured.set(system.id, file);
    }
    return file.scenarios[id];
  };
  return {
    open,
    balance,
    list() {
      const all: ReturnType<ScenarioStore['list']> = [];
      for (const system of systems) {
        for (const offer of offered(system)) {
          const scenario = attempt(() => open(offer.id).scenario);
          if (!('value' in scenario)) continue;
          const replacedBy = balance(offer.id)?.replacedBy;
          all.push({ id: offer.id, title: scenario.value.title, system, ...(replacedBy ? { replacedBy } : {}) });
        }
      }
      return all;
    },
    lint: () => systems.flatMap((system) => lintSystem(system, laid(system))),
  };
}

function idsOf(systems: readonly GameSystem[], offered: (system: GameSystem) => { id: string }[]): string {
  const ids = systems.flatMap((system) => offered(system).map((offer) => offer.id));
  return ids.length === 0 ? 'none' : ids.join(', ');
}

function laidFiles(dir: string, systemId: string): LaidFile[] {
  if (!fs.existsSync(dir)) return [];
  return fs
    .readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ file: `${systemId}/${name}`, name, dir }));
}

function namesOf(layers: readonly LaidFile[][]): string[] {
  return [...new Set(layers.flat().map((file) => file.name))].sort();
}

/** The content of a name: the last folder that has it counts; `from` starts from an earlier folder's or another file. */
function mergedFile(layers: readonly LaidFile[][], name: string, below = layers.length, depth = 0): unknown {
  for (let layer = below - 1; layer >= 0; layer--) {
    const file = layers[layer]!.find((candidate) => candidate.name === name);
    if (!file) continue;
    const content = readJson(file);
    if (!isRecord(content) || typeof content.from !== 'string') return content;
    if (depth >= FROM_DEPTH_MAX) throw new Error(`${file.file}: "from" goes round or deeper than ${FROM_DEPTH_MAX}`);
    const base = mergedFile(layers, content.from, content.from === name ? layer : layer + 1, depth + 1);
    const { from: _from, changes, ...own } = content;
    return layOver(layOver(base, changes ?? {}), own);
  }
  throw new Error(`no file ${name} to start from`);
}

function readJson(file: LaidFile): unknown {
  const where = path.join(file.dir, file.name);
  if (fs.statSync(where).size > FILE_BYTES_MAX) throw new Error(`${file.file}: larger than ${FILE_BYTES_MAX} bytes`);
  try {
    return JSON.parse(fs.readFileSync(where, 'utf8'));
  } catch (problem) {
    throw new Error(`${file.file}: not JSON (${(problem as Error).message})`);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Lays changes over content: records key by key (null takes a key away), a list whose items have ids by id when the
 * change is a record, everything else whole.
 */
export function layOver(base: unknown, change: unknown): unknown {
  if (!isRecord(change)) return change;
  if (Array.isArray(base) && base.every((item) => isRecord(item) && typeof item.id === 'string'))
    return layOverList(base as Record<string, unknown>[], change);
  const result: Record<string, unknown> = isRecord(base) ? { ...base } : {};
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete result[key];
    else result[key] = layOver(result[key], value);
  }
  return result;
}

function layOverList(base: readonly Record<string, unknown>[], change: Record<string, unknown>): unknown[] {
  const left = new Map(Object.entries(change));
  const result: unknown[] = [];
  for (const item of base) {
    const id = item.id as string;
    const value = left.get(id);
    left.delete(id);
    if (value === undefined) result.push(item);
    else if (value !== null) result.push(layOver(item, value));
  }
  for (const [id, value] of left) if (value !== null) result.push(layOver({ id }, value));
  return result;
}

function lintSystem(system: GameSystem, layers: readonly LaidFile[][]): { file: string; fault: string }[] {
  const faults: { file: string; fault: string }[] = [];
  const merged: Record<string, unknown> = {};
  const used = new Set<string>();
  for (const name of namesOf(layers)) {
    const file = `${system.id}/${name}`;
    const content = attempt(() => mergedFile(layers, name));
    if ('fault' in content) {
      faults.push({ file, fault: content.fault.replace(`${file}: `, '') });
      continue;
    }
    merged[name] = content.value;
    for (const key of ['format', 'source'])
      if (!isRecord(content.value) || content.value[key] === undefined)
        faults.push({ file, fault: `says no "${key}"` });
  }
  if (Object.hasOwn(merged, LOOKS_FILE)) {
    used.add(LOOKS_FILE);
    const looks = readLooks(merged[LOOKS_FILE]);
    if ('faults' in looks) for (const fault of looks.faults) faults.push({ file: `${system.id}/${LOOKS_FILE}`, fault });
  }
  for (const from of startingPoints(layers)) used.add(from);
  for (const offer of system.scenarios(namesOf(layers))) {
    for (const name of offer.files) used.add(name);
    if (!offer.files.every((name) => Object.hasOwn(merged, name))) continue;
    const files = Object.fromEntries(offer.files.map((name) => [name, merged[name]]));
    const read = attempt(() => system.read(offer.id, structuredClone(files)));
    if ('fault' in read) faults.push({ file: offer.id, fault: read.fault });
    else if ('faults' in read.value)
      for (const fault of read.value.faults) faults.push({ file: offer.id, fault: fault.replace(`${offer.id}: `, '') });
    else {
      const { scenario } = read.value;
      const rules = attempt(() => system.open(scenario));
      if ('fault' in rules) faults.push({ file: offer.id, fault: rules.fault });
    }
  }
  for (const name of namesOf(layers))
    if (!used.has(name) && !FOR_READERS.has(name))
      faults.push({ file: `${system.id}/${name}`, fault: 'no scenario uses this file' });
  return faults;
}

/** Names of files that another file starts from. */
function startingPoints(layers: readonly LaidFile[][]): string[] {
  return layers.flat().flatMap((file) => {
    const content = attempt(() => readJson(file));
    return 'value' in content && isRecord(content.value) && typeof content.value.from === 'string'
      ? [content.value.from]
      : [];
  });
}

function attempt<T>(work: () => T): { value: T } | { fault: string } {
  try {
    return { value: work() };
  } catch (problem) {
    return { fault: problem instanceof Error ? problem.message : String(problem) };
  }
}
