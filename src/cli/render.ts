/** `fieldpost render`: a map from a scene in a file, or of a game as a viewer may see it. */

import type { Command } from 'commander';
import type { Event, MapScene, Viewer } from '../kernel/types.ts';
import { viewFor } from '../kernel/view.ts';
import { saidScene } from '../render/words.ts';
import { gameByRef, phasesOf } from '../store/games.ts';
import type { PhaseRow } from '../store/schema.ts';
import { type Connect, withStore } from './connect.ts';
import { readJson, writeNew } from './namedfiles.ts';

const FORMATS = ['pdf', 'svg', 'png'] as const;
const PAPERS = ['A4', 'Letter', 'A3'] as const;
const PNG_WIDTH = 1600;

interface Options {
  scene?: string;
  game?: string;
  viewer: string;
  turn?: string;
  sheet?: string;
  to: string;
  paper: string;
  tiles?: boolean;
  blackOnly?: boolean;
  out?: string;
}

function oneOf<T extends string>(values: readonly T[], given: string, flag: string): T {
  const found = values.find((value) => value.toLowerCase() === given.toLowerCase());
  if (found === undefined) throw new Error(`${flag} must be one of ${values.join(', ')}, not ${given}`);
  return found;
}

/** The scene of a file: a MapScene alone. */
function sceneOf(file: string): MapScene {
  const scene = readJson(file) as Partial<MapScene> | null;
  if (typeof scene?.title !== 'string' || !Array.isArray(scene.items) || scene.size === undefined)
    throw new Error(`${file} holds no scene: title, size and items are wanted`);
  return { ...(scene as MapScene), house: scene.house ?? [] };
}

/** The phases that led to where a game stands, the last first; what was rewound is not among them. */
function playedLine(all: readonly PhaseRow[], current: number | null): PhaseRow[] {
  const line: PhaseRow[] = [];
  for (let id = current; id !== null; ) {
    const row = all.find((candidate) => candidate.id === id);
    if (!row) break;
    line.push(row);
    id = row.from_phase_id;
  }
  return line;
}

async function scenesOfGame(connect: Connect, options: Options): Promise<{ scenes: MapScene[]; footer: string }> {
  return withStore(connect, async (service) => {
    const game = await gameByRef(service.db, options.game!);
    if (!game) throw new Error(`no game ${options.game}`);
    const all = await phasesOf(service.db, game.id);
    const turn = options.turn === undefined ? undefined : Number(options.turn);
    if (turn !== undefined && !Number.isInteger(turn)) throw new Error(`--turn must be a number, not ${options.turn}`);
    const line = playedLine(all, game.phase_id);
    const phase = turn === undefined ? line[0] : line.find((row) => row.turn === turn);
    if (!phase) throw new Error(`game ${game.ref} has no phase of turn ${options.turn ?? 1}`);
    const viewer: Viewer = options.viewer.toLowerCase();
    const sides = Object.keys(phase.snapshot.hands);
    if (viewer !== 'public' && !sides.includes(viewer))
      throw new Error(`--viewer must be public or one of ${sides.join(', ')}, not ${options.viewer}`);
    const before = all.find((row) => row.id === phase.from_phase_id);
    const told: Event[] = phase.opened_by === 'phase' ? (before?.events ?? []) : [];
    const heard = told.filter((event) => event.audience === 'all' || event.audience.includes(viewer));
    const scenes = service.scenarios.open(game.scenario).rules.scenes(viewFor(phase.snapshot, viewer), heard);
    return {
      scenes: scenes.map((scene) => saidScene(scene, service.wording)),
      footer: `${game.ref} · ${game.title} · turn ${phase.turn}, ${phase.step} · ${viewer}`,
    };
  });
}

/** Of several maps the one named; a PDF without a name holds them all. */
function wanted(scenes: readonly MapScene[], options: Options): readonly MapScene[] {
  if (options.sheet === undefined) return scenes;
  const ids = scenes.flatMap(({ sheet }) => sheet?.id ?? []);
  const found = scenes.filter(({ sheet }) => sheet?.id.toUpperCase() === options.sheet?.toUpperCase());
  if (found.length === 0)
    throw new Error(
      `--sheet: no map "${options.sheet}"${ids.length > 0 ? `; there are ${ids.join(', ')}` : ': there is one only'}`,
    );
  return found;
}

async function draw(scenes: readonly MapScene[], footer: string, options: Options): Promise<Buffer | string> {
  const [scene] = scenes;
  if (!scene) throw new Error('there is no map to draw');
  const format = oneOf(FORMATS, options.to, '--to');
  const paper = oneOf(PAPERS, options.paper, '--paper');
  const blackOnly = options.blackOnly === true;
  // The drawing parts are large, and no other verb needs them.
  if (format === 'svg') return (await import('../render/sheet/svg.ts')).renderSvg(scene, { blackOnly, footer });
  if (format === 'png') return (await import('../render/sheet/png.ts')).renderPng(scene, { width: PNG_WIDTH });
  const { renderPdf } = await import('../render/sheet/pdf.ts');
  return renderPdf(scenes, { paper, mode: options.tiles ? 'tiles' : 'sheet', blackOnly, footer });
}

/** Adds the verb to the command line. */
export function renderVerb(program: Command, connect: Connect): void {
  program
    .command('render')
    .description('draw a map as PDF, SVG or PNG')
    .option('--scene <file>', 'a scene as JSON')
    .option('--game <ref>', 'a game as it stands')
    .option('--viewer <side>', 'who looks: a side or public', 'public')
    .option('--turn <n>', 'the last phase of an earlier turn')
    .requiredOption('--to <format>', FORMATS.join(', '))
    .option('--paper <size>', PAPERS.join(', '), 'A4')
    .option('--sheet <id>', 'one of several maps; else a PDF holds all of them, SVG and PNG the first')
    .option('--tiles', 'many pages to be joined instead of one')
    .option('--black-only', 'for a printer without colours')
    .option('--out <file>', 'where to (default: standard output)')
    .action(async (options: Options) => {
      if ((options.scene === undefined) === (options.game === undefined))
        throw new Error('one of --scene and --game is needed');
      const { scenes, footer } =
        options.scene === undefined
          ? await scenesOfGame(connect, options)
          : { scenes: [sceneOf(options.scene)], footer: '' };
      const drawn = await draw(wanted(scenes, options), footer, options);
      if (options.out === undefined) process.stdout.write(drawn);
      else {
        writeNew(options.out, drawn);
        process.stdout.write(`${options.out}: ${drawn.length} bytes\n`);
      }
    });
}
