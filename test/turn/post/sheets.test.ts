/** A game of several maps: each mail, page and file shows all of them, each with its name and where it goes on. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MapScene, Text } from '../../../src/kernel/types.ts';
import { publicView, viewFor } from '../../../src/kernel/view.ts';
import { renderPdf } from '../../../src/render/sheet/pdf.ts';
import { renderSvg } from '../../../src/render/sheet/svg.ts';
import { openWording, saidScene, sheetLine, TEMPLATES } from '../../../src/render/words.ts';
import { currentPhase, gameByRef } from '../../../src/store/games.ts';
import { campaignBook } from '../../../src/turn/archive/campaignbook.ts';
import { showMap, showPhase } from '../../../src/turn/archive/show.ts';
import { runGame } from '../../../src/turn/phase/run.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import {
  BLUE,
  letter,
  RED,
  startRace,
  type TestService,
  testService,
  textOf,
  tinyScenarios,
} from '../../helpers/service.ts';
import { TINY_TEMPLATES } from '../../helpers/tiny.ts';

let database: TestDatabase;
let one: TestService;
let race: Awaited<ReturnType<typeof startRace>>;
beforeAll(async () => {
  database = await testDatabase();
  one = testService(database.db, { scenarios: onTwoMaps() });
  race = await startRace(one, { deadlineRule: null });
  await one.settle();
});
afterAll(() => database.close());

/** The race on two sheets of their own grids: the first half of the way on A, the second on B. */
function onTwoMaps() {
  const store = tinyScenarios();
  const sheets = (scene: MapScene<Text>): MapScene<Text>[] => [
    {
      ...scene,
      sheet: { id: 'A', name: 'the valley', joins: [{ edge: 'east', sheet: 'B', here: '3', there: '0' }] },
      size: { kind: 'square', columns: [0, 3], rows: [0, 1] },
      items: [{ kind: 'label', at: [1, 0], text: 'start', style: 'city' }],
    },
    {
      ...scene,
      sheet: { id: 'B', name: 'the hill', joins: [{ edge: 'west', sheet: 'A', here: '0', there: '3' }] },
      size: { kind: 'hex-columns', columns: [0, 5], rows: [0, 4], lowered: 'odd' },
      items: [{ kind: 'label', at: [1, 1], text: 'goal', style: 'city' }],
    },
  ];
  const open = (id: string) => {
    const found = store.open(id);
    const { rules } = found;
    const scenes: typeof rules.scenes = (view, events) => rules.scenes(view, events).flatMap(sheets);
    const preview: typeof rules.preview = (...given) => {
      const shown = rules.preview(...given);
      return { ...shown, scenes: shown.scenes.flatMap(sheets) };
    };
    return { ...found, rules: { ...rules, scenes, preview } };
  };
  return { ...store, open };
}

const wording = openWording('en', [TEMPLATES, TINY_TEMPLATES]);
const textsIn = (pdf: Buffer): string =>
  execFileSync('pdftotext', ['-', '-'], { input: pdf, maxBuffer: 1 << 26 })
    .toString('utf8')
    .replace(/\s+/g, ' ');
const pagesIn = (pdf: Buffer): number =>
  Number(/^Pages:\s+(\d+)$/m.exec(execFileSync('pdfinfo', ['-'], { input: pdf }).toString('utf8'))![1]);
/** The files of a mail by name. */
const filesOf = (raw: Buffer): string[] =>
  [...raw.toString('latin1').matchAll(/filename="?([^"\r\n;]+)/g)].map(([, name]) => name!);

test('a map that is the only one says nothing of sheets and stays as it was', () => {
  const { rules } = tinyScenarios().open('tiny/race');
  const state = rules.setup({}, { roll: () => [1], shuffle: (_context, items) => [...items], draw: () => {} });
  const scenes = rules.scenes(publicView(state), []);
  expect(scenes).toHaveLength(1);
  const [scene] = scenes.map((each) => saidScene(each, wording));
  expect(sheetLine(scene!, wording)).toBe('');
});

test('a PDF holds every map, each named at its foot with where it goes on', async () => {
  const { rules } = onTwoMaps().open('tiny/race');
  const state = rules.setup({}, { roll: () => [1], shuffle: (_context, items) => [...items], draw: () => {} });
  const scenes = rules.scenes(viewFor(state, 'red'), []).map((scene) => saidScene(scene, wording));
  const page = { paper: 'A4', mode: 'sheet', footer: 'TNY-0001', words: wording } as const;
  const both = await renderPdf(scenes, page);
  const single = await Promise.all(scenes.map((scene) => renderPdf(scene, page)));
  expect(pagesIn(both)).toBe(single.reduce((sum, pdf) => sum + pagesIn(pdf), 0));
  const text = textsIn(both);
  expect(text).toContain('TNY-0001 · the valley · east of it: map B, 3 is 0 there');
  expect(text).toContain('TNY-0001 · the hill · west of it: map A, 0 is 3 there');
  expect(text).toContain('START');
  expect(text).toContain('GOAL');
  expect(renderSvg(scenes[1]!, { footer: 'TNY-0001', words: wording })).toContain('the hill');
});

test('report, page and book show all maps', async () => {
  one.sent.length = 0;
  await runGame(one.service, race.gameId, { force: true });
  await one.settle();
  const report = one.sent.find(({ to, raw }) => to === RED && filesOf(raw).some((name) => name.endsWith('.pdf')))!;
  const whole = report.raw.toString('latin1');
  const part = whole.split(/\r\n--[^\r\n]+\r\n/).find((each) => /^Content-Type: application\/pdf/im.test(each))!;
  const pdf = Buffer.from(part.slice(part.indexOf('\r\n\r\n')).replace(/\s/g, ''), 'base64');
  expect(textsIn(pdf)).toMatch(/the valley .* the hill/);
  const game = (await gameByRef(database.db, race.ref))!;
  const phase = (await currentPhase(database.db, game))!;
  const shown = await showPhase(one.service, game, phase, 'red');
  expect(shown.sheets).toEqual([
    { id: 'A', name: 'the valley' },
    { id: 'B', name: 'the hill' },
  ]);
  expect(await showMap(one.service, game, phase, 'red')).toContain('the valley');
  expect(await showMap(one.service, game, phase, 'red', 'B')).toContain('the hill');
  expect(await showMap(one.service, game, phase, 'red', 'C')).toBeUndefined();
  expect(textsIn(await campaignBook(one.service, game))).toMatch(/the valley .* the hill/);
});

test('pictures of several maps are as many files', async () => {
  one.sent.length = 0;
  await one.receive(letter(BLUE, race.address.blue, ['MAP PNG']));
  await one.settle();
  const names = one.sent.flatMap(({ raw }) => filesOf(raw)).filter((name) => name.endsWith('.png'));
  expect(names.filter((name) => /-A\.png$/.test(name))).toHaveLength(1);
  expect(names.filter((name) => /-B\.png$/.test(name))).toHaveLength(1);
  expect(one.problems).toEqual([]);
  expect(textOf(one.sent.at(-1)!.raw).length).toBeGreaterThan(0);
});
