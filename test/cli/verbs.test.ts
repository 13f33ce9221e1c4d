/** The verbs that need no store, each as it is called, with every way in which it can be called wrongly. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connect } from '../../src/cli/connect.ts';
import { ledgerVerb } from '../../src/cli/ledger.ts';
import { lintVerb } from '../../src/cli/lint.ts';
import { readMailVerb } from '../../src/cli/read-mail.ts';
import { renderVerb } from '../../src/cli/render.ts';
import { readDice, whatIfVerb } from '../../src/cli/what-if.ts';
import { systems } from '../../src/systems/index.ts';
import type { WhatIf } from '../../src/turn/phase/whatif.ts';
import { runVerb } from '../helpers/cli.ts';

const CORPUS = fileURLToPath(new URL('../mail/fixtures/', import.meta.url));

let folder: string;
const at = (name: string): string => path.join(folder, name);
const write = (name: string, content: string): string => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), content);
  return at(name);
};

/** A verb that comes here although it needs no store has gone wrong. */
const noStore: Connect = () => Promise.reject(new Error('the store was opened'));
const whatIf = (...args: string[]) => runVerb((program) => whatIfVerb(program, noStore), 'what-if', ...args);
const render = (...args: string[]) => runVerb((program) => renderVerb(program, noStore), 'render', ...args);
const readMail = (...args: string[]) => runVerb(readMailVerb, 'read-mail', ...args);

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-verbs-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

describe('ledger', () => {
  test('counts each system, and the counts add up', async () => {
    const { code, stdout } = await runVerb(ledgerVerb, 'ledger', '--json');
    expect(code).toBe(0);
    const rows = JSON.parse(stdout) as {
      system: string;
      rules: number;
      proved: number;
      notApplicable: number;
      open: number;
    }[];
    expect(rows.map((row) => row.system).sort()).toEqual(systems.map((system) => system.id).sort());
    for (const { rules, proved, notApplicable, open } of rows) expect(proved + notApplicable + open).toBe(rules);
    expect(rows.every((row) => row.rules > 0)).toBe(true);
  });

  test('as a table', async () => {
    const { stdout } = await runVerb(ledgerVerb, 'ledger', '--open');
    expect(stdout.split('\n')[0]).toMatch(/^ +rules +proved +not applicable +open$/);
  });
});

describe('lint', () => {
  const lint = (...args: string[]) => runVerb(lintVerb, 'lint', ...args);

  test('finds no fault in what we ship', async () => {
    expect(await lint()).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^\d+ scenarios, no fault\n$/),
    });
  });

  test('names file and fault of what a club lays beside it', async () => {
    const system = systems[0]!.id;
    write(`club/${system}/note.json`, '{');
    const { code, stdout } = await lint(at('club'));
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^${system}/note\\.json: not JSON`));
    const asJson = await lint(at('club'), '--json');
    expect(JSON.parse(asJson.stdout)[0]).toMatchObject({ file: `${system}/note.json` });
  });

  test('a folder that is not there', async () => {
    expect(await lint(at('nowhere'))).toEqual({ code: 1, stdout: '', stderr: `there is no folder ${at('nowhere')}\n` });
  });
});

describe('read-mail', () => {
  const profile = path.join(CORPUS, 'profile.json');

  test('prints one object a mail, in name order, and tells copies', async () => {
    const { code, stdout } = await readMail(CORPUS, '--profile', profile);
    expect(code).toBe(0);
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const names = records.map((record) => record.file);
    expect(names).toEqual([...names].sort());
    expect(records.find((record) => record.file === 's01-plain.eml')).toMatchObject({ kind: 'orders', source: 'text' });
    expect(records.find((record) => record.file === 's29b-duplicate-second.eml')).toMatchObject({
      dupOf: 's29a-duplicate-first',
    });
  });

  test('reads a single mail with the profile of this club', async () => {
    const system = systems[0]!;
    const mail = `From: a@b.example\nTo: orders@club.example\nSubject: x\n\nGAME ${system.prefix}-0001\nFINAL\nEND\n`;
    const { code, stdout } = await readMail(write('one.eml', mail));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ file: 'one.eml', kind: 'orders', gameRef: `${system.prefix}-0001` });
  });

  test.each([
    ['{', /profile\.json is not JSON: /],
    ['{}', /profile\.json: "receivingHost" must be a text$/],
    [
      '{"receivingHost":"a","ownDomain":"b","loopHeader":"c: d","gameRefPattern":"x"}',
      /"ownMailboxes" must be a list of texts$/,
    ],
    [
      '{"receivingHost":"a","ownDomain":"b","loopHeader":"c: d","gameRefPattern":"(","ownMailboxes":[],"orderWords":[],"freeTextWords":[]}',
      /"\(" is no pattern$/,
    ],
  ])('refuses the profile %s', async (content, message) => {
    const { code, stdout, stderr } = await readMail(CORPUS, '--profile', write('profile.json', content));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim()).toMatch(message);
  });

  test('a place that is not there', async () => {
    expect(await readMail(at('none'))).toMatchObject({ code: 1, stderr: `there is no file or folder ${at('none')}\n` });
  });
});

describe('read-mail --receipt', () => {
  const receipt = (place: string, ...args: string[]) =>
    readMail(place, '--receipt', '--scenario', 'overlord/campaign', '--side', 'german', ...args);
  const letter = (...lines: string[]): string =>
    ['From: Anna <anna@players.example>', 'To: orders+TOKEN@club.example', 'Subject: x', '', ...lines, ''].join('\n');
  const answer = async (mail: string, ...args: string[]) => {
    const { code, stdout, stderr } = await receipt(write('receipt.eml', mail), ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, unknown> & { errors: { line: unknown; code: string; text: string }[] };
  };
  const DICE = ['--dice', '5,4,2,3,4,3,4'];

  test('the phase is the first in which the side must give orders; what stands, FINAL and commands are told', async () => {
    const mail = letter('STATUS', 'TURN 1 SIDE GERMAN', 'HOLD DE243', 'DOCTRINE RETREAT ROAD', 'FINAL', 'END');
    expect(await answer(mail, ...DICE)).toMatchObject({
      file: 'receipt.eml',
      kind: 'orders',
      source: 'text',
      filed: ['HOLD DE243'],
      standing: ['DOCTRINE RETREAT ROAD'],
      final: true,
      errors: [],
      notRead: [],
      commands: [
        { text: 'STATUS', where: 'body' },
        { text: 'FINAL', where: 'body' },
      ],
    });
  });

  test('an error has line, code and text, and holds FINAL', async () => {
    const mail = letter('GAME OVL-0042', 'HOLD DE243', 'HOLD DE999', 'FINAL', 'END');
    const { filed, final, errors } = await answer(mail, ...DICE);
    expect({ filed, final }).toEqual({ filed: ['HOLD DE243'], final: false });
    expect(errors).toEqual([{ line: 3, code: 'UNKNOWN UNIT', text: expect.stringContaining('DE999') }]);
  });

  test.each([
    ['another system', letter('GAME HON-0001', 'HOLD DE243', 'END'), 'OTHER GAME'],
    ['another turn', letter('TURN 9', 'HOLD DE243', 'END'), 'OTHER TURN'],
    ['no orders', letter('Hello!'), 'MAIL EMPTY'],
    ['nothing to accept', letter('ACCEPT 3'), 'NOTHING TO ACCEPT'],
    ['two authors', letter('HOLD DE243').replace('From: ', 'From: b@b.example, '), 'MAIL MULTIPLE FROM'],
    [
      'a forged sender',
      `Authentication-Results: club.example; dmarc=fail\n${letter('TURN 1', 'HOLD DE243', 'END')}`,
      'MAIL SPOOF',
    ],
  ])('%s files nothing and says so', async (_what, mail, code) => {
    const { filed, final, errors } = await answer(mail, ...DICE);
    expect({ filed, final, code: errors[0]?.code }).toEqual({ filed: [], final: false, code });
  });

  test('CHECK files nothing; a robot gets no error', async () => {
    expect(await answer(letter('CHECK', 'HOLD DE243', 'FINAL', 'END'), ...DICE)).toMatchObject({
      filed: [],
      final: false,
      errors: [],
    });
    const robot = `Auto-Submitted: auto-replied\n${letter('TURN 1', 'HOLD DE243', 'END')}`;
    expect(await answer(robot, ...DICE)).toMatchObject({ kind: 'autoreply', filed: [], errors: [] });
  });

  test('a state that what-if printed, and a folder with one object a file', async () => {
    const ran = await whatIf('--scenario', 'overlord/campaign', ...DICE);
    const state = write('state.json', ran.stdout);
    const step = (JSON.parse(ran.stdout) as WhatIf).state.phase.step;
    write('mails/a.eml', letter(`STEP ${step}`, 'HOLD DE243', 'END'));
    write('mails/b.eml', letter('STEP nowhere', 'HOLD DE243', 'END'));
    const { stdout } = await receipt(at('mails'), '--state', state);
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ file, filed }) => ({ file, filed }))).toEqual([
      { file: 'a.eml', filed: ['HOLD DE243'] },
      { file: 'b.eml', filed: [] },
    ]);
  });

  test('dice that are left are told and change nothing; too few are an error', async () => {
    const mail = write('receipt.eml', letter('HOLD DE243', 'END'));
    const { code, stderr } = await receipt(mail, '--dice', '5,4,2,3,4,3,4,6');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '1 of the dice were not rolled before the phase of german\n' });
    expect(await receipt(mail, '--dice', '5,4')).toMatchObject({ code: 1, stdout: '' });
  });

  test.each([
    [['--receipt'], '--receipt needs --scenario and --side'],
    [['--side', 'german'], '--side goes with --receipt'],
    [
      ['--receipt', '--scenario', 'overlord/campaign', '--side', 'martian'],
      'no side "martian" in overlord/campaign; there are german, allied',
    ],
    [
      ['--receipt', '--scenario', 'overlord/campaign', '--side', 'german', '--state', 'x', '--dice', '1'],
      '--state goes with neither --dice nor --options',
    ],
  ])('%s', async (args, message) => {
    const mail = write('receipt.eml', letter('HOLD DE243', 'END'));
    expect(await readMail(mail, ...args)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` });
  });
});

describe('what-if', () => {
  // The first system we ship; whatever game it is, the service's part is the same.
  const scenario = (): string => {
    const [first] = systems;
    const files = fs.readdirSync(fileURLToPath(new URL(`../../scenarios/${first!.id}/`, import.meta.url)));
    return first!.scenarios(files.filter((name) => name.endsWith('.json')).sort())[0]!.id;
  };

  test('prints everything as JSON, and takes the state it printed, alone or within the whole', async () => {
    const first = await whatIf('--scenario', scenario());
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const whole = JSON.parse(first.stdout) as WhatIf;
    expect(Object.keys(whole)).toEqual(
      expect.arrayContaining(['phase', 'receipts', 'events', 'decisions', 'dice', 'report', 'state']),
    );
    expect(whole.state.scenario).toBe(scenario());
    for (const file of [write('whole.json', first.stdout), write('state.json', JSON.stringify(whole.state))]) {
      const next = JSON.parse((await whatIf('--state', file)).stdout) as WhatIf;
      expect(next.phase).toEqual(whole.state.phase);
    }
  });

  test('echoes the orders of a side by number', async () => {
    const whole = JSON.parse((await whatIf('--scenario', scenario())).stdout) as WhatIf;
    const side = Object.keys(whole.state.hands)[0]!;
    const orders = write('orders.txt', '# nothing here\nDANCE 12\nEND\n');
    const { receipts } = JSON.parse(
      (await whatIf('--scenario', scenario(), '--orders', `${side}=${orders}`)).stdout,
    ) as WhatIf;
    expect(receipts).toMatchObject([{ side, lines: [{ line: 2, status: 'error', order: 'DANCE 12' }] }]);
  });

  test.each([
    [['--scenario', 'nothing/here'], /^no scenario "nothing\/here"; there are /],
    [[], /^one of --scenario, --game and --state is needed$/],
    [['--game', 'OVL-0001', '--state', 'x'], /^--game goes with neither --scenario nor --state$/],
    [['--state', 'none.json'], /^can't read none\.json: there is no such file$/],
  ])('%j is refused', async (args, message) => {
    const { code, stdout, stderr } = await whatIf(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim()).toMatch(message);
  });

  test.each([
    [['--orders', 'nobody'], /^--orders "nobody" must have the form NAME=VALUE$/],
    [['--orders', 'nobody=orders.txt'], /^can't read orders\.txt: there is no such file$/],
    [['--options', '{'], /^--options is not JSON: /],
    [['--options', '[]'], /^--options must be a JSON object$/],
    [['--options', '{"colour":"red"}'], /has no option colour; there are: /],
    [['--dice', '1,x'], /^"x" in --dice is no number$/],
    [['--dice', '1'.concat(',1'.repeat(500))], /^the dice list is too long: \d+ of 501 not used$/],
  ])('%j with a scenario is refused', async (args, message) => {
    const { code, stdout, stderr } = await whatIf('--scenario', scenario(), ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim()).toMatch(message);
  });

  test('a side that does not exist, and a file that holds no state', async () => {
    const orders = write('orders.txt', 'END\n');
    const { stderr } = await whatIf('--scenario', scenario(), '--orders', `martian=${orders}`);
    expect(stderr).toMatch(/^no side "martian" in /);
    expect((await whatIf('--state', write('none.json', '{}'))).stderr).toMatch(
      /holds no state: phase, table, hands and cup/,
    );
  });

  test('dice are read as they are written', () => {
    expect(readDice('3,5, 1')).toEqual([3, 5, 1]);
    expect(readDice('')).toEqual([]);
    expect(() => readDice('3,,1')).toThrow('"" in --dice is no number');
  });
});

describe('render', () => {
  const scene = {
    title: 'A small field',
    size: { kind: 'square', columns: [1, 3], rows: [1, 2] },
    items: [{ kind: 'cell', at: [1, 1], terrain: 'clear', number: 'A1' }],
    house: [],
  };

  test.each([
    ['pdf', /^%PDF-/],
    ['svg', /^<(\?xml|svg)/],
    ['png', /^\x89PNG/],
  ])('draws a scene as %s', async (format, head) => {
    const file = write('scene.json', JSON.stringify(scene));
    const { code, stdout, stderr } = await render('--scene', file, '--to', format);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(head);
  });

  test('writes to a file, once', async () => {
    const file = write('scene.json', JSON.stringify(scene));
    const out = at('map.svg');
    expect((await render('--scene', file, '--to', 'svg', '--out', out)).stdout).toBe(
      `${out}: ${fs.statSync(out).size} bytes\n`,
    );
    expect(await render('--scene', file, '--to', 'svg', '--out', out)).toMatchObject({
      code: 1,
      stderr: `can't write ${out}: it is there already\n`,
    });
  });

  test.each([
    [['--to', 'pdf'], 'one of --scene and --game is needed'],
    [['--scene', 'none.json', '--to', 'pdf'], "can't read none.json: there is no such file"],
  ])('%j is refused', async (args, message) => {
    expect(await render(...args)).toMatchObject({ code: 1, stdout: '', stderr: `${message}\n` });
  });

  test('a wrong format, paper or content is refused', async () => {
    const file = write('scene.json', JSON.stringify(scene));
    expect((await render('--scene', file, '--to', 'gif')).stderr).toBe('--to must be one of pdf, svg, png, not gif\n');
    expect((await render('--scene', file, '--to', 'pdf', '--paper', 'B5')).stderr).toBe(
      '--paper must be one of A4, Letter, A3, not B5\n',
    );
    expect((await render('--scene', write('no.json', '{}'), '--to', 'pdf')).stderr).toMatch(/holds no scene/);
  });
});
