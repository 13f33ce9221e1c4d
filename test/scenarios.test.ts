import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashOf } from '../src/kernel/hash.ts';
import type { Dice, GameSystem } from '../src/kernel/types.ts';
import { publicView } from '../src/kernel/view.ts';
import { layOver, openScenarios, SCENARIOS } from '../src/scenarios.ts';
import { tiny } from './helpers/tiny.ts';

let root: string;

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-scenarios-'));
});

afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

/** Lays a folder of tiny scenarios and gives its path. */
function folder(name: string, files: Record<string, unknown>): string {
  const dir = path.join(root, name, 'tiny');
  fs.mkdirSync(dir, { recursive: true });
  for (const [file, content] of Object.entries(files))
    fs.writeFileSync(path.join(dir, file), typeof content === 'string' ? content : JSON.stringify(content));
  return path.join(root, name);
}

const listedDice = (): Dice => ({ roll: () => [1], shuffle: (_context, items) => [...items], draw: () => {} });
const race = { format: 'race/1', source: 'house', squares: 6 };
const systems: GameSystem[] = [tiny as unknown as GameSystem];

describe('openScenarios', () => {
  test('lists and opens what a folder offers, with the hash of its content', () => {
    const store = openScenarios([folder('ours', { 'scenario-race.json': race })], systems);
    expect(store.list().map(({ id, title, system }) => ({ id, title, system: system.id }))).toEqual([
      { id: 'tiny/race', title: 'A race', system: 'tiny' },
    ]);
    const opened = store.open('tiny/race');
    expect(opened.hash).toBe(hashOf({ 'scenario-race.json': race }));
    expect(opened.scenario.id).toBe('tiny/race');
    expect(store.open('tiny/race')).toBe(opened);
    expect(store.lint()).toEqual([]);
  });

  test('names what there is when an id is unknown', () => {
    const store = openScenarios([folder('ours', { 'scenario-race.json': race })], systems);
    expect(() => store.open('tiny/marathon')).toThrow('no scenario "tiny/marathon"; there are tiny/race');
    expect(() => store.open('chess/standard')).toThrow('no scenario "chess/standard"; there are tiny/race');
    expect(() => openScenarios([path.join(root, 'nowhere')], systems).open('tiny/race')).toThrow('there are none');
  });

  test("a club's file of the same name stands in place of ours", () => {
    const ours = folder('ours', { 'scenario-race.json': race });
    const club = folder('club', { 'scenario-race.json': { ...race, squares: 12 } });
    expect(openScenarios([ours, club], systems).open('tiny/race').scenario.data).toMatchObject({ squares: 12 });
  });

  test("a club's file may start from ours and say only its changes", () => {
    const ours = folder('ours', { 'scenario-race.json': race });
    const club = folder('club', {
      'scenario-race.json': { from: 'scenario-race.json', source: 'Club transcription', changes: { squares: 12 } },
      'scenario-long.json': { from: 'scenario-race.json', changes: { squares: 1000 } },
    });
    const store = openScenarios([ours, club], systems);
    expect(store.open('tiny/race').files['scenario-race.json']).toEqual({
      ...race,
      squares: 12,
      source: 'Club transcription',
    });
    expect(store.open('tiny/long').files['scenario-long.json']).toEqual({
      ...race,
      squares: 1000,
      source: 'Club transcription',
    });
    expect(store.lint()).toEqual([]);
  });

  test('looks name and colour the sides, may be laid over by a club, and are no part of the hash', () => {
    const side = (name: string, colour: string) => ({
      ...{ name, short: name[0], corners: 'round', nations: 'colour' },
      ...{ counter: colour, outline: colour, marker: colour },
    });
    const looks = { format: 'fieldpost/looks/1', source: 'house', sides: { red: side('Rouge', '#aa0000') } };
    const ours = folder('ours', { 'scenario-race.json': race, 'looks.json': looks });
    const club = folder('club', {
      'looks.json': { from: 'looks.json', changes: { sides: { red: { name: 'Rosso' } } } },
    });
    const plain = openScenarios([folder('plain', { 'scenario-race.json': race })], systems).open('tiny/race');
    const [own, laid] = [[ours], [ours, club]].map((folders) => openScenarios(folders, systems).open('tiny/race'));
    expect([plain, own!, laid!].map(({ scenario }) => scenario.sides.map(({ name }) => name))).toEqual([
      ['red', 'blue'],
      ['Rouge', 'blue'],
      ['Rosso', 'blue'],
    ]);
    expect([own!.hash, laid!.hash]).toEqual([plain.hash, plain.hash]);
    const sceneOf = ({ rules }: typeof plain) => rules.scenes(publicView(rules.setup({}, listedDice())), [])[0]!;
    expect(sceneOf(own!).looks?.sides.red?.counter).toBe('#aa0000');
    expect(sceneOf(plain).looks).toBeUndefined();
    expect(openScenarios([ours, club], systems).lint()).toEqual([]);
    const wrong = folder('wrong', { 'looks.json': { ...looks, sides: { red: side('R', 'red') } } });
    expect(openScenarios([ours, wrong], systems).lint()).toContainEqual({
      file: 'tiny/looks.json',
      fault: 'sides.red.counter: must be a colour such as #8f9698',
    });
    expect(() => openScenarios([ours, wrong], systems).open('tiny/race')).toThrow(/^looks\.json of tiny\/race: /);
  });

  test('a circle of files that start from one another is refused', () => {
    const store = openScenarios(
      [
        folder('ours', {
          'scenario-a.json': { from: 'scenario-b.json' },
          'scenario-b.json': { from: 'scenario-a.json' },
        }),
      ],
      systems,
    );
    expect(() => store.open('tiny/a')).toThrow('"from" goes round');
    expect(store.lint().map((fault) => fault.file)).toEqual(['tiny/scenario-a.json', 'tiny/scenario-b.json']);
  });

  test('faulty content is one clear line, and lint finds every fault', () => {
    const store = openScenarios(
      [
        folder('ours', {
          'scenario-broken.json': '{ "format": ',
          'scenario-empty.json': { format: 'race/1', source: 'house' },
          'scenario-race.json': { squares: 6 },
          'unused.json': race,
        }),
      ],
      systems,
    );
    expect(() => store.open('tiny/broken')).toThrow(/^tiny\/scenario-broken\.json: not JSON/);
    expect(() => store.open('tiny/empty')).toThrow(
      "scenario tiny/empty can't be read: tiny/empty: squares must be a whole number",
    );
    expect(store.list().map((entry) => entry.id)).toEqual(['tiny/race']);
    const faults = store.lint().map(({ file, fault }) => `${file}: ${fault.replace(/\(.*\)/, '(…)')}`);
    expect(faults).toEqual([
      'tiny/scenario-broken.json: not JSON (…)',
      'tiny/scenario-race.json: says no "format"',
      'tiny/scenario-race.json: says no "source"',
      'tiny/empty: squares must be a whole number',
      'tiny/unused.json: no scenario uses this file',
    ]);
  });
});

describe('layOver', () => {
  test('records key by key, null takes away, lists of things with ids by id, other lists whole', () => {
    const base = {
      a: 1,
      b: { c: 2, d: 3 },
      units: [
        { id: 'x', cf: 4 },
        { id: 'y', cf: 5 },
      ],
      list: [1, 2],
    };
    const changes = { b: { c: null, e: 6 }, units: { x: { cf: 7 }, y: null, z: { cf: 8 } }, list: [3] };
    expect(layOver(base, changes)).toEqual({
      a: 1,
      b: { d: 3, e: 6 },
      units: [
        { id: 'x', cf: 7 },
        { id: 'z', cf: 8 },
      ],
      list: [3],
    });
  });
});

test('our own scenarios read without a fault', () => {
  expect(openScenarios([SCENARIOS]).lint()).toEqual([]);
});
