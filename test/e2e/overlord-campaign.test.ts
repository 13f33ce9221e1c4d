/**
 * A campaign of Overlord by real mail: two sensible players write order mails, get receipts, and the reports and maps that
 * go out are read as they arrive. The whole campaign, June 6 to August 28, is kept in test/e2e/fixtures/overlord-campaign:
 * its archive, the last report of each player with its map. `CAMPAIGN=whole npx vitest run test/e2e/overlord-campaign`
 * plays it again to the end (some minutes); `CAMPAIGN=keep` also writes what is kept. Without either the first turns are
 * played and must lead to the same hashes.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyVerb } from '../../src/cli/verify.ts';
import type { GameState, GameTypes } from '../../src/kernel/types.ts';
import { publicView, viewFor } from '../../src/kernel/view.ts';
import { openScenarios, SCENARIOS } from '../../src/scenarios.ts';
import { gameById, phaseById, phasesOf, seatsOf } from '../../src/store/games.ts';
import type { Overlord } from '../../src/systems/overlord/types.ts';
import { exportGame, readBundle, recordedGame } from '../../src/turn/archive/export.ts';
import { createGame } from '../../src/turn/phase/newgame.ts';
import type { RecordedGame } from '../../src/turn/phase/replay.ts';
import { addressOfSeat } from '../../src/turn/seats.ts';
import { runVerb } from '../helpers/cli.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';
import { normandy } from '../helpers/overlord.ts';
import { sensibleOrders } from '../helpers/overlord-players.ts';
import { letter, type SentMail, type TestService, testService, textOf } from '../helpers/service.ts';

const KEPT = fileURLToPath(new URL('./fixtures/overlord-campaign/', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../../templates/en/bundle/check_dice.py', import.meta.url));
const WHOLE = process.env.CAMPAIGN === 'whole' || process.env.CAMPAIGN === 'keep';
const KEEP = process.env.CAMPAIGN === 'keep';
/** Set-up and two turns. */
const SHORT = 5;
/** Set-up and 28 turns of two phases. */
const PHASES = 57;
const SIDES = ['german', 'allied'] as const;
type Side = (typeof SIDES)[number];
const PLAYER = { german: 'gerd@players.example', allied: 'anna@players.example' };

let database: TestDatabase;
let one: TestService;
beforeAll(async () => {
  database = await testDatabase();
  one = testService(database.db, { scenarios: openScenarios([SCENARIOS]) });
});
afterAll(() => database.close());

/** The first words of a mail; the map behind them need not be looked at. */
function startOf({ raw }: SentMail): string {
  return textOf(raw.subarray(0, 20_000));
}

/** The mails to a player so far that are reports. */
function reportsTo(side: Side): SentMail[] {
  return one.sent.filter((mail) => mail.to === PLAYER[side] && startOf(mail).startsWith('Report of '));
}

/** The map of a report mail. */
function mapOf(raw: Buffer): Buffer {
  const whole = raw.toString('latin1');
  const part = whole.split(/\r\n--[^\r\n]+\r\n/).find((text) => /^Content-Type: application\/pdf/im.test(text)) ?? '';
  return Buffer.from(part.slice(part.indexOf('\r\n\r\n')).replace(/\s/g, ''), 'base64');
}

/** Plays phases by mail until so many are done, or the game is over. */
async function play(gameId: number, phases: number): Promise<void> {
  const { service } = one;
  const addresses: Record<string, string> = {};
  for (const seat of await seatsOf(service.db, gameId)) addresses[seat.side] = addressOfSeat(service, seat);
  await one.settle();
  for (let done = 0; done < phases; done++) {
    const game = await gameById(service.db, gameId);
    const { snapshot } = await phaseById(service.db, game.phase_id!);
    const state = snapshot as GameState<GameTypes> as unknown as GameState<Overlord>;
    const side = normandy.rules.asks(publicView(state)).find(({ must }) => must)!.side as Side;
    const lines = sensibleOrders(normandy.campaign, viewFor(state, side));
    const head = [`GAME ${game.ref} TURN ${state.phase.turn} SIDE ${side}`];
    const send = async (orders: readonly string[]): Promise<string> => {
      const before = one.sent.length;
      await one.receive(letter(PLAYER[side], addresses[side]!, [...head, ...orders, 'FINAL', 'END']));
      const receipt = one.sent.slice(before).find((mail) => startOf(mail).startsWith('Receipt '));
      expect(receipt?.to, `phase ${state.phase.n}`).toBe(PLAYER[side]);
      return textOf(receipt!.raw);
    };
    const wrong = refusedIn(await send(lines));
    // A withdrawal takes units off that had orders; whoever reads his receipt sends the rest again.
    if (wrong.length > 0) expect(refusedIn(await send(lines.filter((_, i) => !wrong.includes(i + 2))))).toEqual([]);
    one.clock.forward(3_600_000);
  }
}

/** The numbers of the lines that a receipt refuses. */
function refusedIn(receipt: string): number[] {
  return [...receipt.matchAll(/^ *(\d+) {1,2}ERROR /gm)].map(([, n]) => Number(n));
}

/** Every open die of a game again, by the script of the README, from one key alone. */
function faultsFrom(game: RecordedGame, key: string): { dice: number; faults: string[] } {
  const lastN = game.phases.filter((phase) => phase.openKey !== null).at(-1)!.snapshot.phase.n;
  const rolls = game.phases.flatMap((phase) =>
    (phase.dice ?? [])
      .filter((roll) => !roll.secret)
      .map((roll) => ({ ...roll, back: lastN - phase.snapshot.phase.n })),
  );
  const calls = rolls.map(({ back, context, rolls: dice, sides }) =>
    [key, back, context, dice.length, sides].map(String),
  );
  const driver = `import sys, json\nscript = open(sys.argv[1]).read()\nfor call in json.load(sys.stdin):\n    sys.argv = ["check_dice.py", *call]\n    exec(script, {})\n`;
  const said = execFileSync('python3', ['-c', driver, SCRIPT], { input: JSON.stringify(calls), encoding: 'utf8' });
  const computed = said.split('\n').filter((line) => line.startsWith('dice:'));
  const faults = rolls.flatMap(({ context, rolls: dice }, i) =>
    computed[i] === `dice: ${dice.join(' ')}` ? [] : [`${context}: ${dice.join(' ')}, recomputed ${computed[i]}`],
  );
  return { dice: rolls.length, faults };
}

function keep(name: string, content: Buffer | string): void {
  fs.mkdirSync(KEPT, { recursive: true });
  fs.writeFileSync(path.join(KEPT, name), content);
}

const kept = async (): Promise<RecordedGame> =>
  recordedGame((await readBundle(fs.readFileSync(path.join(KEPT, 'campaign.zip')))).record);

test('OVL-SEQ-01: two sensible players play by mail; receipts, reports and maps go out', {
  timeout: WHOLE ? 1_800_000 : 180_000,
}, async () => {
  const { service } = one;
  const game = await createGame(service, {
    scenarioId: 'overlord/campaign',
    seats: SIDES.map((side) => ({ side, address: PLAYER[side], name: side })),
    by: 'test',
    door: 'test',
  });
  const wanted = WHOLE ? PHASES : SHORT;
  await play(game.id, wanted);
  expect(one.problems).toEqual([]);
  const phases = await phasesOf(database.db, game.id);
  expect(phases.filter(({ status }) => status === 'done')).toHaveLength(wanted);
  for (const side of SIDES) {
    const reports = reportsTo(side);
    expect(reports.length).toBeGreaterThan(wanted);
    for (const { raw } of reports.slice(1)) expect(mapOf(raw).subarray(0, 5).toString()).toBe('%PDF-');
    if (!KEEP) continue;
    const last = reports.at(-1)!.raw;
    keep(`report-${side}.txt`, textOf(last));
    keep(`map-${side}.pdf`, mapOf(last));
  }
  if (WHOLE) expect((await gameById(database.db, game.id)).status).toBe('over');
  if (KEEP) keep('campaign.zip', await exportGame(service, game.ref, { noMails: true, by: 'test', door: 'test' }));
  const record = await kept();
  expect(phases.map(({ hash }) => hash)).toEqual(record.phases.slice(0, phases.length).map(({ hash }) => hash));
});

test('the campaign kept goes to August 28 and is verified offline by the command line', {
  timeout: 400_000,
}, async () => {
  const nowhere = async (): Promise<never> => {
    throw new Error('no store is needed');
  };
  const file = path.join(KEPT, 'campaign.zip');
  const { code, stdout } = await runVerb((program) => verifyVerb(program, nowhere), 'verify', file);
  expect(stdout).toMatch(new RegExp(`: ${PHASES} phases replayed, ${PHASES} keys, \\d+ dice`));
  expect(stdout).toMatch(/everything agrees\n$/);
  expect(code).toBe(0);
  const { table } = (await kept()).phases.at(-1)!.snapshot as unknown as GameState<Overlord>;
  expect(table.over).toMatchObject({ winner: 'german', reason: 'time' });
});

test('OVL-CBT-04: whoever reads the last report recomputes every die of the campaign with the script of the README', {
  timeout: 400_000,
}, async () => {
  const report = fs.readFileSync(path.join(KEPT, 'report-german.txt'), 'utf8');
  const key = /^Key \d+: ([0-9a-f]{64})$/m.exec(report)![1]!;
  const game = await kept();
  expect(key).toBe(game.phases.filter((phase) => phase.openKey !== null).at(-1)!.openKey);
  const { dice, faults } = faultsFrom(game, key);
  expect(faults).toEqual([]);
  expect(dice).toBeGreaterThan(50);
});
