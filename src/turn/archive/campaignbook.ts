/** The campaign book of a game that is over: every turn's report, orders, map and dice, press, rulings, and a chart. */

import type { MapScene } from '../../kernel/types.ts';
import { viewFor } from '../../kernel/view.ts';
import { type BookChapter, type BookText, renderBook } from '../../render/sheet/bookpdf.ts';
import { saidScene } from '../../render/words.ts';
import { keepArtifact, storedArtifact } from '../../store/archive.ts';
import { pressIn, rulingsIn } from '../../store/club.ts';
import { currentPhase } from '../../store/games.ts';
import { personById } from '../../store/people.ts';
import type { GameRow, PhaseRow } from '../../store/schema.ts';
import type { Service } from '../context.ts';
import { linePhases } from '../phase/course.ts';
import { heardBy } from '../post/openquestions.ts';
import { seatStates, showOrders, showPhase, stepName } from './show.ts';

/** Turns with a map of their own; in a longer game every so manyth turn has one. */
const MAPS_MAX = 60;
const ROLLS_MAX = 60;

/** The book as PDF, made once and kept. The caller has asked whether the game is open to whoever reads it. */
export async function campaignBook(service: Service, game: GameRow): Promise<Buffer> {
  const last = await currentPhase(service.db, game);
  if (!last) throw new Error(`${game.ref} has not begun`);
  const kept = await storedArtifact(service.db, last.id, 'public', 'book');
  if (kept) return kept;
  const line = await linePhases(service.db, game);
  const chapters = [await opening(service, game)];
  const maps = mapTurns(line);
  const chart = { marks: [] as string[], counts: new Map<string, number[]>() };
  for (const [i, phase] of line.entries()) {
    const lastOfTurn = line[i + 1]?.turn !== phase.turn;
    const scenes = lastOfTurn ? scenesOf(service, game, phase, line[i - 1]) : undefined;
    if (scenes) countPieces(chart, phase, scenes, line.length);
    const chapter = await turnChapter(service, game, phase, line[i - 1]);
    if (line[i - 1]?.turn !== phase.turn)
      chapters.push({ ...chapter, title: say(service, 'book turn', { turn: phase.turn }), level: 0 });
    else chapters.push(chapter);
    if (scenes && maps.has(phase.turn)) chapters.at(-1)!.maps = scenes;
  }
  chapters.push(...(await ending(service, game)));
  const bytes = await renderBook({
    title: `${game.ref} ${game.title}`,
    footer: `${service.config.club.name} · ${game.ref} · ${game.title}`,
    paper: 'A4',
    chapters,
    words: service.wording,
    cut: say(service, 'book cut'),
    ...(chart.marks.length > 1
      ? {
          chart: {
            title: say(service, 'book chart'),
            marks: chart.marks,
            lines: [...chart.counts].map(([name, values]) => ({ name, values })),
          },
        }
      : {}),
  });
  await keepArtifact(service.db, {
    phaseId: last.id,
    viewer: 'public',
    kind: 'book',
    contentType: 'application/pdf',
    bytes,
    now: service.now(),
  });
  return bytes;
}

function say(service: Service, key: string, params: Record<string, string | number> = {}): string {
  return service.wording.say({ key: `club.${key}`, params });
}

function mapTurns(line: readonly PhaseRow[]): Set<number> {
  const turns = [...new Set(line.map((phase) => phase.turn))];
  const every = Math.ceil(turns.length / MAPS_MAX);
  return new Set(turns.filter((_, i) => i % every === 0 || i === turns.length - 1));
}

function scenesOf(service: Service, game: GameRow, phase: PhaseRow, before: PhaseRow | undefined): MapScene[] {
  const { rules } = service.scenarios.open(game.scenario);
  const heard = heardBy(before?.events ?? [], 'public');
  return rules.scenes(viewFor(phase.snapshot, 'public'), heard).map((scene) => saidScene(scene, service.wording));
}

/** How many pieces of each side lie on the map at the end of a turn. */
function countPieces(
  chart: { marks: string[]; counts: Map<string, number[]> },
  phase: PhaseRow,
  scenes: readonly MapScene[],
  most: number,
): void {
  if (chart.marks.length >= most) return;
  chart.marks.push(String(phase.turn));
  const now = new Map<string, number>();
  const seen = new Set<string>();
  for (const item of scenes.flatMap(({ items }) => items)) {
    if (item.kind !== 'counter' || item.counter.ghost || item.counter.side === 'neutral') continue;
    // Where two maps overlap a piece lies on both.
    if (scenes.length > 1 && seen.has(item.counter.id)) continue;
    seen.add(item.counter.id);
    now.set(item.counter.side, (now.get(item.counter.side) ?? 0) + 1);
  }
  for (const side of now.keys())
    if (!chart.counts.has(side)) chart.counts.set(side, Array(chart.marks.length - 1).fill(0));
  for (const [side, values] of chart.counts) values.push(now.get(side) ?? 0);
}

async function opening(service: Service, game: GameRow): Promise<BookChapter> {
  const { scenario, system } = service.scenarios.open(game.scenario);
  const states = await seatStates(service, game);
  const winner = game.outcome?.winner ?? null;
  const who = scenario.sides.find((side) => side.id === winner)?.name ?? String(winner ?? '-');
  const facts = [
    `${system.title} · ${service.config.club.name}`,
    `${game.started_at?.toISOString().slice(0, 10) ?? ''} – ${game.ended_at?.toISOString().slice(0, 10) ?? ''}`,
    ...states.map((state) => `${state.side}: ${state.name}`),
    say(service, 'book outcome', { who, reason: game.outcome?.reason ?? '' }),
  ];
  return {
    title: game.title,
    level: 0,
    texts: [
      { kind: 'title', text: game.title },
      { kind: 'heading', text: game.ref },
      ...facts.map((text): BookText => ({ kind: 'text', text })),
    ],
  };
}

async function turnChapter(
  service: Service,
  game: GameRow,
  phase: PhaseRow,
  before: PhaseRow | undefined,
): Promise<BookChapter> {
  const { scenario } = service.scenarios.open(game.scenario);
  const shown = await showPhase(service, game, phase, 'public');
  const title = say(service, 'book phase', { turn: phase.turn, step: stepName(service, game, phase), n: phase.n });
  const texts: BookText[] = [
    { kind: 'heading', text: title },
    { kind: 'text', text: shown.headline },
  ];
  for (const notice of shown.notices) texts.push({ kind: 'text', text: `! ${notice}` });
  for (const section of shown.sections)
    if (section.lines.length > 0) {
      texts.push({ kind: 'small', text: section.title });
      for (const line of section.lines) texts.push({ kind: 'text', text: `– ${line}` });
    }
  for (const { side, lines } of before ? showOrders(before) : []) {
    if (lines.length === 0) continue;
    texts.push({
      kind: 'small',
      text: say(service, 'book orders', { side: scenario.sides.find((one) => one.id === side)?.name ?? side }),
    });
    for (const line of lines) texts.push({ kind: 'mono', text: `  ${line}` });
  }
  if (shown.dice.length > 0) {
    texts.push({ kind: 'small', text: say(service, 'book dice') });
    for (const roll of shown.dice.slice(0, ROLLS_MAX))
      texts.push({ kind: 'mono', text: `  ${roll.context}: ${roll.rolls}` });
  }
  return { title, level: 1, texts };
}

/** Rulings and public press, oldest first. Whoever wants no name in the archive has his side's. */
async function ending(service: Service, game: GameRow): Promise<BookChapter[]> {
  const { scenario } = service.scenarios.open(game.scenario);
  const nameOf = (id: string): string =>
    id === 'gm' ? say(service, 'the game master') : (scenario.sides.find((side) => side.id === id)?.name ?? id);
  const chapters: BookChapter[] = [];
  const rulings = (await rulingsIn(service.db, game.id)).filter((one) => one.undone_at === null);
  if (rulings.length > 0) {
    const title = say(service, 'book rulings');
    chapters.push({
      title,
      level: 0,
      texts: [
        { kind: 'heading', text: title },
        ...rulings.map((one): BookText => ({ kind: 'text', text: `${one.number}. ${one.text}` })),
      ],
    });
  }
  const press = (await pressIn(service.db, game.id)).filter(
    (one) => one.removed_at === null && one.to_sides.includes('all'),
  );
  if (press.length === 0) return chapters;
  const title = say(service, 'book press');
  const texts: BookText[] = [{ kind: 'heading', text: title }];
  for (const one of press) {
    const writer = one.person_id === null ? undefined : await personById(service.db, one.person_id);
    const from = one.anonymous || !writer ? say(service, 'somebody') : nameOf(one.from_side);
    texts.push(
      { kind: 'small', text: `${from}, ${one.created_at.toISOString().slice(0, 10)}` },
      { kind: 'text', text: one.body },
    );
  }
  chapters.push({ title, level: 0, texts });
  return chapters;
}
