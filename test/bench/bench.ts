/**
 * All benchmarks by name: `npm run bench -- mail overlord`; without a name all of them, one after the other. Figures are
 * printed as lines of text; each stands beside a yardstick of the same run, so that a busy machine slows both.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { closeDb, migrate, openDb } from '../../src/store/db.ts';
import { startEmbedded } from '../../src/store/embedded.ts';
import type { SystemFigure } from './figures.ts';
import { benchIntake, printIntake } from './intake.ts';
import { benchMail, printFigures } from './mail.ts';
import { normandieFigures } from './normandie.ts';
import { benchOverlord } from './overlord.ts';
import { benchRender } from './render.ts';
import { playYear } from './year.ts';

const RENDER_RUNS = 5;
const YEAR_GAMES = 50;

function printSystem(figures: readonly SystemFigure[]): void {
  for (const { name, best, aim, baseline, ratio } of figures)
    console.info(`${name}: ${best.toFixed(1)} ms (aim ${aim}); ${ratio.toFixed(1)} times "${baseline.name}"`);
}

/** A club's year of deadlines, on a database of its own. */
async function benchClock(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-bench-'));
  const server = await startEmbedded(folder, { throwAway: true });
  const db = openDb(server.url);
  try {
    await migrate(db);
    const { games, phases, deadlines, early, late, mails, seconds } = await playYear(db, {
      games: YEAR_GAMES,
      seed: 7,
    });
    console.info(
      `a year of ${games} games: ${phases} phases, ${deadlines} at their deadline, ${early} early, ${late.length} late, ` +
        `${mails} mails, in ${seconds.toFixed(0)} s`,
    );
  } finally {
    await closeDb(db);
    await server.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const BENCHMARKS: Record<string, () => Promise<void> | void> = {
  /** All six figures of the post office: reading, the slowest mail, IMAP; receipts by step, storing, 250 to receipt. */
  async mail() {
    printFigures(await benchMail());
    printIntake(await benchIntake());
  },
  async intake() {
    printIntake(await benchIntake());
  },
  overlord: () => printSystem(benchOverlord()),
  normandie: () => printSystem(normandieFigures()),
  render: () => benchRender(RENDER_RUNS),
  clock: benchClock,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}`);
  process.exitCode = 1;
} else {
  for (const name of asked.length > 0 ? asked : Object.keys(BENCHMARKS)) {
    if (name === 'intake' && asked.length === 0) continue;
    console.info(`\n== ${name}`);
    await BENCHMARKS[name]!();
  }
}
