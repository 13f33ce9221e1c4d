/** Golden turns: a folder holds what goes into a phase and everything that came out of it (test/turns/README.md). */
import fs from 'node:fs';
import path from 'node:path';
import { hashOf } from '../../src/kernel/hash.ts';
import { readBlock, standingAfter } from '../../src/kernel/orders.ts';
import type { DecisionRequest, Filed, GameState, GameTypes, Rules, SideId, Standing } from '../../src/kernel/types.ts';
import { viewFor } from '../../src/kernel/view.ts';
import { saidForm, saidScene, type Wording } from '../../src/render/words.ts';
import { heardBy, type PlayedPhase, playPhase, viewersOf } from './play.ts';

/** Every folder below `root` that holds a turn. */
export function turnFolders(root: string): string[] {
  if (!fs.existsSync(root)) return [];
  return fs
    .readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => {
      const folder = path.join(root, entry.name);
      return fs.existsSync(path.join(folder, 'state.json')) ? [folder] : turnFolders(folder);
    })
    .sort((a, b) => (a < b ? -1 : 1));
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;

function readText(folder: string, name: string): string {
  const file = path.join(folder, name);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
}

const linesOf = (text: string): string[] => (text.trim() === '' ? [] : text.replace(/\n$/, '').split('\n'));

export interface Golden {
  /** Files the phase writes, by name. */
  written: Record<string, string>;
  played: PlayedPhase;
  /** Standing orders of each side after the phase, as lines. */
  standing: Record<SideId, string[]>;
}

/** Plays the phase of a folder. */
export function playFolder(rules: Rules, wording: Wording, system: string, folder: string): Golden {
  const state = JSON.parse(readText(folder, 'state.json')) as GameState;
  const answers = JSON.parse(readText(folder, 'answers.json') || '{}') as Record<string, string[]>;
  const filed: Record<SideId, Filed<GameTypes>> = {};
  const standing: Record<SideId, string[]> = {};
  const complaints: string[] = [];
  for (const side of Object.keys(state.hands)) {
    const kept = fileLines(rules, state, side, linesOf(readText(folder, `standing.${side}.txt`)));
    const orders = fileLines(rules, state, side, linesOf(readText(folder, `orders.${side}.txt`)), kept.standing);
    const inForce = standingAfter(kept.standing, orders.standing);
    filed[side] = { orders: orders.orders, standing: inForce };
    standing[side] = inForce.map((order) => rules.print(order));
    for (const one of orders.diagnostics)
      complaints.push(`${side} ${one.line} ${one.severity} ${one.code}: ${wording.complain(system, one)}`);
  }
  const answer = (request: DecisionRequest): string[] => answers[request.id] ?? request.fallback;
  const played = playPhase(rules, state, filed, readText(folder, 'seed.txt').trim(), answer);
  const { result } = played;
  const written: Record<string, string> = {
    'next.json': json(result.state),
    'events.json': json(result.events),
    'dice.json': json(result.dice),
    'decisions.json': json(result.decisions),
    'complaints.txt': `${complaints.join('\n')}\n`,
  };
  for (const viewer of viewersOf(state)) {
    const view = viewFor(result.state, viewer);
    const heard = heardBy(viewer, result.events);
    const report = rules.report(view, heard, filed[viewer] ?? { orders: [], standing: [] });
    const text = [
      wording.say(report.headline),
      ...report.sections.flatMap((section) => [
        '',
        wording.say(section.title),
        ...section.lines.map((line) => wording.say(line)),
      ]),
      '',
      ...saidForm(report.orderForm, wording),
    ];
    written[`report.${viewer}.txt`] = `${text.join('\n')}\n`;
    const scene = saidScene(rules.scenes(view, heard)[0]!, wording);
    // How sides are painted comes with the scenario and is no matter of a turn.
    const { looks: _looks, ...drawn } = scene;
    const kinds: Record<string, number> = {};
    for (const item of scene.items) kinds[item.kind] = (kinds[item.kind] ?? 0) + 1;
    written[`scene.${viewer}.json`] = json({
      title: scene.title,
      subtitle: scene.subtitle,
      kinds,
      hash: hashOf(drawn),
    });
  }
  return { written, played, standing };
}

function fileLines(
  rules: Rules,
  state: GameState,
  side: SideId,
  texts: readonly string[],
  before: readonly Standing[] = [],
) {
  const view = viewFor(state, side);
  const block = readBlock(texts);
  const parsed = rules.parse(block.lines, view);
  const checked = rules.check(view, parsed.orders, standingAfter(before, parsed.standing));
  const diagnostics = [...block.diagnostics, ...parsed.diagnostics, ...checked];
  const wrong = new Set(diagnostics.filter((one) => one.severity === 'error').map((one) => one.line));
  return {
    orders: parsed.orders.filter((order) => !wrong.has(order.line)),
    standing: parsed.standing.filter((order) => !wrong.has(order.line)),
    diagnostics,
  };
}

/** Writes what the phase gave. */
export function bless(folder: string, golden: Golden): void {
  for (const [name, text] of Object.entries(golden.written)) fs.writeFileSync(path.join(folder, name), text);
}

/** Makes the folder of the next turn; its name counts on and says the step. */
export function makeNext(folder: string, golden: Golden): string {
  const { state } = golden.played.result;
  const number = Number(path.basename(folder).split('-')[0]) + 1;
  const next = path.join(
    path.dirname(folder),
    `${String(number).padStart(2, '0')}-${state.phase.turn}.${state.phase.step}`,
  );
  fs.mkdirSync(next, { recursive: true });
  fs.writeFileSync(path.join(next, 'state.json'), golden.written['next.json']!);
  fs.writeFileSync(path.join(next, 'seed.txt'), readText(folder, 'seed.txt'));
  for (const [side, lines] of Object.entries(golden.standing)) {
    fs.writeFileSync(path.join(next, `orders.${side}.txt`), '');
    if (lines.length > 0) fs.writeFileSync(path.join(next, `standing.${side}.txt`), `${lines.join('\n')}\n`);
  }
  return next;
}
