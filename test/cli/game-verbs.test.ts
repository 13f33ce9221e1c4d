/** The verbs that look into the store, on a database with a game that was played for some phases. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connect } from '../../src/cli/connect.ts';
import { exportVerb } from '../../src/cli/export.ts';
import { importVerb } from '../../src/cli/import.ts';
import { renderVerb } from '../../src/cli/render.ts';
import { verifyVerb } from '../../src/cli/verify.ts';
import { whatIfVerb } from '../../src/cli/what-if.ts';
import { openScenarios, SCENARIOS } from '../../src/scenarios.ts';
import { tables } from '../../src/store/db.ts';
import { createGame } from '../../src/turn/phase/newgame.ts';
import { runGame } from '../../src/turn/phase/run.ts';
import type { WhatIf } from '../../src/turn/phase/whatif.ts';
import { composeFacts } from '../../src/turn/post/compose.ts';
import { fieldpost, runVerb } from '../helpers/cli.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';
import { testService } from '../helpers/service.ts';

/** The same as in the README: test/readme.test.ts. */
const SCRIPT = fileURLToPath(new URL('../../templates/en/bundle/check_dice.py', import.meta.url));
const PHASES = 4;
let home: TestDatabase;
let away: TestDatabase;
let folder: string;
let ref: string;
let gameId: number;
let bundle: string;

/** A connection of its own to a test's database; the pool stays open for the next verb. */
function connectTo(database: TestDatabase): Connect {
  return async () => ({
    service: testService(database.db, { scenarios: openScenarios([SCENARIOS]) }).service,
    close: async () => {},
  });
}

const verify = (database: TestDatabase, ...args: string[]) =>
  runVerb((program) => verifyVerb(program, connectTo(database)), 'verify', ...args);
const exported = (...args: string[]) => runVerb((program) => exportVerb(program, connectTo(home)), 'export', ...args);
const imported = (...args: string[]) => runVerb((program) => importVerb(program, connectTo(away)), 'import', ...args);

beforeAll(async () => {
  [home, away] = [await testDatabase(), await testDatabase()];
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-games-'));
  bundle = path.join(folder, 'game.zip');
  const { service } = await connectTo(home)();
  const { id } = service.scenarios.list()[0]!;
  const sides = service.scenarios.open(id).scenario.sides;
  const game = await createGame(service, {
    scenarioId: id,
    seats: sides.map((side) => ({ side: side.id, address: `${side.id}@players.example`, name: side.name })),
    deadlineRule: null,
    by: 'the test',
    door: 'cli',
  });
  ({ ref, id: gameId } = game);
  for (let i = 0; i < PHASES; i++) await runGame(service, gameId, { force: true });
}, 600_000);

afterAll(async () => {
  await home?.close();
  await away?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe('verify', () => {
  test('replays a game of the store', async () => {
    const { code, stdout } = await verify(home, ref);
    expect(stdout).toContain(`${ref}: ${PHASES} phases replayed, ${PHASES} keys`);
    expect(stdout).toMatch(/everything agrees\n$/);
    expect(code).toBe(0);
  });

  test('finds a state that was changed in the database', async () => {
    const phase = await tables(home.db)
      .selectFrom('phase')
      .select(['id', 'hash'])
      .where('game_id', '=', gameId)
      .where('n', '=', 2)
      .executeTakeFirstOrThrow();
    await tables(home.db)
      .updateTable('phase')
      .set({ hash: '0'.repeat(64) })
      .where('id', '=', phase.id)
      .execute();
    const { code, stdout } = await verify(home, ref, '--json');
    await tables(home.db).updateTable('phase').set({ hash: phase.hash }).where('id', '=', phase.id).execute();
    expect(code).toBe(1);
    const { faults } = JSON.parse(stdout) as { faults: { n: number; what: string }[] };
    expect(faults).toContainEqual({ n: 2, line: 1, what: 'the state on record does not have its hash' });
  });

  test('an unknown game', async () => {
    expect(await verify(home, 'OVL-9999')).toMatchObject({
      code: 1,
      stderr: 'there is no file and no game OVL-9999\n',
    });
  });
});

test('the dice of a report are recomputed from its text alone by the script of the README', async () => {
  const { service } = await connectTo(home)();
  const withDice = await tables(home.db)
    .selectFrom('phase')
    .select(['id', 'dice'])
    .where('game_id', '=', gameId)
    .where('status', '=', 'done')
    .orderBy('id')
    .execute();
  const rolled = withDice.find((phase) => phase.dice?.some((roll) => !roll.secret));
  if (!rolled) throw new Error('no phase of this game rolled open dice');
  const next = await tables(home.db)
    .selectFrom('phase')
    .select('id')
    .where('from_phase_id', '=', rolled.id)
    .executeTakeFirstOrThrow();
  const mail = await tables(home.db)
    .selectFrom('mail_out')
    .selectAll()
    .where('phase_id', '=', next.id)
    .where('kind', '=', 'report')
    .executeTakeFirstOrThrow();
  // A line that begins with neither a mark nor a name of its own continues the one above.
  const text = (await composeFacts(service, mail)).text.replace(
    / *\n(?!- |Key |To check|[A-Z ]+\n|\n|The context)/g,
    ' ',
  );
  const prefix = /^The context of each roll begins with (.+)$/m.exec(text)?.[1] ?? '';
  const key = /^Key \d+: ([0-9a-f]{64})$/m.exec(text)![1]!;
  const previous = /is the key before it,\s+([0-9a-f]{64})/.exec(text)![1]!;
  const section = text.slice(text.indexOf('\nDICE\n'), text.indexOf(`: ${key}`));
  const lines = [...section.matchAll(/^- (.+): ([\d ]+) \(d(\d+)\)$/gm)];
  expect(lines).toHaveLength(rolled.dice!.filter((roll) => !roll.secret).length);
  for (const [, purpose, rolls, sides] of lines) {
    const count = rolls!.trim().split(' ').length;
    const args = [SCRIPT, key, '0', `${prefix}${purpose}`, String(count), sides!];
    const said = execFileSync('python3', args, { encoding: 'utf8' });
    expect(said).toBe(`the key before it: ${previous}\ndice: ${rolls!.trim()}\n`);
  }
});

describe('export and import', () => {
  test('a game goes out into a file that is not overwritten, with a warning while it runs', async () => {
    const first = await exported(ref, bundle);
    expect(first).toMatchObject({ code: 0, stdout: `${bundle}: ${ref}, ${fs.statSync(bundle).size} bytes\n` });
    expect(first.stderr).toContain('this game is not over');
    expect(fs.statSync(bundle).mode & 0o077).toBe(0);
    expect(await exported(ref, bundle)).toMatchObject({
      code: 1,
      stderr: `can't write ${bundle}: it is there already\n`,
    });
    expect(await exported('OVL-9999')).toMatchObject({ code: 1, stderr: 'no game OVL-9999\n' });
  });

  test('the file is verified by itself, by the command as a user calls it, without any store', async () => {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const { code, stdout, stderr } = await fieldpost(['verify', bundle], { cwd: folder, env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/everything agrees\n$/);
  });

  test('a file that was tampered with is refused', async () => {
    const bytes = fs.readFileSync(bundle);
    fs.writeFileSync(path.join(folder, 'cut.zip'), bytes.subarray(0, bytes.length - 100));
    const { code, stderr } = await verify(home, path.join(folder, 'cut.zip'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^not an exported game: .*\n$/);
  });

  test('another club takes it in, paused, and verifies it; a second time it is there already', async () => {
    expect(await imported(bundle)).toMatchObject({ code: 0, stdout: `${ref}: taken in, paused\n` });
    expect((await verify(away, ref)).stdout).toMatch(/everything agrees\n$/);
    const next = `${ref.split('-')[0]}-0002`;
    expect(await imported(bundle)).toMatchObject({
      code: 1,
      stderr: `there is a game ${ref} here already; this one can have the next number: --as ${next}\n`,
    });
  });
});

describe('what-if --game', () => {
  const whatIf = (...args: string[]) => runVerb((program) => whatIfVerb(program, connectTo(home)), 'what-if', ...args);

  test('starts where the game stands, changes nothing, and is logged for the players to see', async () => {
    const before = await tables(home.db).selectFrom('phase').select('hash').where('game_id', '=', gameId).execute();
    const { code, stdout } = await whatIf('--game', ref);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as WhatIf).phase.n).toBe(PHASES + 1);
    expect(await tables(home.db).selectFrom('phase').select('hash').where('game_id', '=', gameId).execute()).toEqual(
      before,
    );
    const log = await tables(home.db).selectFrom('action_log').selectAll().where('what', '=', 'what-if').execute();
    expect(log).toMatchObject([{ game_id: gameId, public: true, door: 'cli' }]);
  });

  test('an unknown game', async () => {
    expect(await whatIf('--game', 'OVL-9999')).toMatchObject({ code: 1, stderr: 'no game OVL-9999\n' });
  });
});

describe('render --game', () => {
  const render = (...args: string[]) =>
    runVerb((program) => renderVerb(program, connectTo(home)), 'render', '--game', ref, '--to', 'svg', ...args);

  test('draws what a viewer may see, now or after an earlier turn', async () => {
    const { code, stdout } = await render();
    expect(code).toBe(0);
    expect(stdout).toContain('<svg');
    expect((await render('--turn', '1')).stdout).toContain('<svg');
  });

  test('viewers and turns that are not there', async () => {
    expect((await render('--viewer', 'martian')).stderr).toMatch(
      /^--viewer must be public or one of .*, not martian\n$/,
    );
    expect((await render('--turn', '99')).stderr).toBe(`game ${ref} has no phase of turn 99\n`);
    expect((await render('--turn', 'x')).stderr).toBe('--turn must be a number, not x\n');
  });
});
