/** HELP: made from the table of commands and from each system's table of verbs, so that it can't differ from what is read. */
import { suggest } from '../../kernel/orders.ts';
import type { GameSystem, Verb, Words } from '../../kernel/types.ts';
import type { Wording } from '../../render/words.ts';
import type { ScenarioStore } from '../../scenarios.ts';
import { COMMAND_TABLE, type CommandRole, type CommandRow } from '../commandwords.ts';
import { balanceParagraph } from './balance.ts';

const ROLES: readonly CommandRole[] = ['anyone', 'player', 'intake', 'master'];

/** One verb of a system as help shows it. */
function verbLines(wording: Wording, verb: Verb): string[] {
  const lines = [verb.pattern, `    ${wording.say(verb.help)}`];
  for (const clause of verb.clauses) lines.push(`    ; ${clause.pattern}  (${wording.say(clause.help)})`);
  for (const example of verb.examples)
    lines.push(`    ${wording.say({ key: 'club.help example', params: { example } })}`);
  return lines;
}

/** The verbs of a system, read from any of its scenarios; empty when it has none installed. */
function verbsOf(scenarios: ScenarioStore, systemId: string): Verb[] {
  const first = scenarios.list().find((entry) => entry.system.id === systemId);
  return first ? scenarios.open(first.id).rules.verbs : [];
}

/** The systems on offer, each once, in the order of the scenario list. */
export function systemsOf(scenarios: ScenarioStore): GameSystem[] {
  const systems = new Map<string, GameSystem>();
  for (const { system } of scenarios.list()) if (!systems.has(system.id)) systems.set(system.id, system);
  return [...systems.values()];
}

function commandLine(wording: Wording, row: CommandRow): string {
  return `${row.usage}\n    ${wording.say({ key: `club.help ${row.name}` })}`;
}

/** The general page: every command by who may use it, and the systems. */
export function helpIndex(wording: Wording, scenarios: ScenarioStore, roles: readonly CommandRole[] = ROLES): string[] {
  const paragraphs = [wording.say({ key: 'club.help intro' })];
  for (const role of ROLES.filter((candidate) => roles.includes(candidate))) {
    paragraphs.push(wording.say({ key: `club.help role ${role}` }));
    for (const row of COMMAND_TABLE) if (row.role === role) paragraphs.push(commandLine(wording, row));
  }
  const systems = systemsOf(scenarios);
  if (systems.length > 0) {
    const list = systems.map((system) => `HELP ${system.id}    ${system.title}`);
    paragraphs.push([wording.say({ key: 'club.help systems' }), ...list].join('\n'));
  }
  return paragraphs;
}

/** The page of one system: how an order mail looks, then every verb with clauses and examples. */
export function helpSystem(wording: Wording, scenarios: ScenarioStore, system: GameSystem): string[] {
  const verbs = verbsOf(scenarios, system.id);
  const params = { title: system.title, prefix: system.prefix };
  const paragraphs = [wording.say({ key: 'club.help system', params })];
  for (const verb of verbs.filter((candidate) => !candidate.standing))
    paragraphs.push(verbLines(wording, verb).join('\n'));
  const standing = verbs.filter((candidate) => candidate.standing);
  if (standing.length > 0) {
    paragraphs.push(wording.say({ key: 'club.help standing' }));
    for (const verb of standing) paragraphs.push(verbLines(wording, verb).join('\n'));
  }
  const rulings = rulingsOf(scenarios, system.id);
  if (rulings.length > 0) {
    paragraphs.push(wording.say({ key: 'club.help rulings' }));
    paragraphs.push(rulings.map((ruling) => wording.say(ruling)).join('\n'));
  }
  paragraphs.push(...balanceParagraph(scenarios, wording, system.id));
  return paragraphs;
}

/** How a system reads unclear rules; empty where it says nothing. */
function rulingsOf(scenarios: ScenarioStore, systemId: string): readonly Words[] {
  const first = scenarios.list().find((entry) => entry.system.id === systemId);
  return first ? (scenarios.open(first.id).rules.rulings ?? []) : [];
}

export type HelpPage = { paragraphs: string[] } | { near: string[] };

/**
 * The page of a topic: a system's id or letters, a command, or a verb of any system. Nothing found: what was near.
 */
export function helpTopic(wording: Wording, scenarios: ScenarioStore, topic: string): HelpPage {
  const upper = topic.trim().toUpperCase();
  const systems = systemsOf(scenarios);
  const system = systems.find(
    (candidate) =>
      candidate.id.toUpperCase() === upper || candidate.prefix === upper || candidate.title.toUpperCase() === upper,
  );
  if (system) return { paragraphs: helpSystem(wording, scenarios, system) };
  const row = COMMAND_TABLE.find((candidate) => candidate.name === upper.split(' ')[0]);
  const verbs = systems.flatMap((candidate) =>
    verbsOf(scenarios, candidate.id)
      .filter((verb) => verb.verb === upper)
      .map((verb) => `${candidate.title}:\n${verbLines(wording, verb).join('\n')}`),
  );
  if (row || verbs.length > 0) {
    const page = row ? [commandLine(wording, row)] : [];
    const old = row?.synonyms?.length ? oldWords(row) : [];
    if (old.length > 0) page.push(wording.say({ key: 'club.help old words', params: { words: old } }));
    return { paragraphs: [...page, ...verbs] };
  }
  const names = [
    ...COMMAND_TABLE.map((candidate) => candidate.name),
    ...systems.map((candidate) => candidate.id),
    ...systems.flatMap((candidate) => verbsOf(scenarios, candidate.id).map((verb) => verb.verb)),
  ];
  return { near: [...new Set(suggest(upper, names))] };
}

/** First words of the synonyms, where they are plain words. */
function oldWords(row: CommandRow): string[] {
  const words = (row.synonyms ?? []).flatMap(({ pattern }) =>
    pattern
      .replace(/^\(\?:/, '')
      .split('|')
      .flatMap((part) => /^(?:\(\?:set \+\)\?)?([a-z]+)/.exec(part)?.[0]?.toUpperCase() ?? []),
  );
  return [...new Set(words)].filter((word) => word !== row.name);
}
