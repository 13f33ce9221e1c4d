/**
 * How a scenario is balanced, measured: `npm run balance -- SCENARIO… --games 200 --seed 1944` plays that many games of each
 * scenario (all of ours when none is named) between the two planners of its system, on either side, one process a core at
 * low priority. `--random` measures the planners against random play instead; `--write` puts the figures into the
 * `balance.json` beside the scenario, which no game's content hash counts.
 */
import { fork } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BalanceFile, type BalanceRow, SCENARIOS } from '../../src/scenarios.ts';
import { againstRandom, type Contest, contestOf, type Pairing, pairings, playContest, scenarioIds } from './contest.ts';
import { wilson } from './wilson.ts';

const NICE = 10;
const SELF = fileURLToPath(import.meta.url);

/** Games of one process: which of them, and who plays. */
interface Task {
  scenario: string;
  seed: string;
  games: { pairing: Pairing; n: number }[];
}

export interface Result {
  pairing: Pairing;
  winner: string;
  phases: number;
  refused: number;
}

/** Plays the games of a task, one after the other. */
export function playTask({ scenario, seed, games }: Task, contest = contestOf(scenario)): Result[] {
  return games.map(({ pairing, n }) => {
    const { outcome, phases, refused } = playContest(
      contest,
      pairing,
      `${scenario} ${seed} ${n} ${JSON.stringify(pairing)}`,
    );
    const own = refused.filter(({ side }) => pairing[side] !== 'random').length;
    return { pairing, winner: outcome?.winner ?? 'draw', phases, refused: own };
  });
}

/** The games of a tournament: `games` spread evenly over the pairings. */
export function gamesOf(who: readonly Pairing[], games: number): Task['games'] {
  return Array.from({ length: games }, (_, i) => ({ pairing: who[i % who.length]!, n: Math.floor(i / who.length) }));
}

/** Wins by pairing and in all, as they are written down. */
export function rowsOf(contest: Contest, results: readonly Result[]): BalanceRow[] {
  const sides = contest.open.scenario.sides.map(({ id }) => id);
  const rows = new Map<string, BalanceRow>();
  for (const { pairing, winner } of results) {
    const key = JSON.stringify(pairing);
    const row = rows.get(key) ?? { players: pairing, games: 0, wins: Object.fromEntries(sides.map((id) => [id, 0])) };
    row.games += 1;
    if (row.wins[winner] !== undefined) row.wins[winner] += 1;
    rows.set(key, row);
  }
  return [...rows.values()];
}

/** What share of its games each side won, with its interval. */
export function sharesOf(rows: readonly BalanceRow[]): BalanceFile['scenarios'][string]['shares'] {
  const games = rows.reduce((sum, row) => sum + row.games, 0);
  const sides = Object.keys(rows[0]?.wins ?? {});
  return Object.fromEntries(
    sides.map((side) => {
      const wins = rows.reduce((sum, row) => sum + row.wins[side]!, 0);
      return [side, { wins, percent: Math.round((wins / Math.max(1, games)) * 1000) / 10, ...wilson(wins, games) }];
    }),
  );
}

async function shared(task: Task): Promise<Result[]> {
  const cores = os.availableParallelism();
  const parts = Array.from({ length: cores }, (_, core) => task.games.filter((_game, i) => i % cores === core));
  const results = await Promise.all(
    parts.map(
      (games) =>
        new Promise<Result[]>((resolve, reject) => {
          const child = fork(SELF, ['--part'], { execArgv: process.execArgv });
          child.once('message', (message) => resolve(message as Result[]));
          child.once('error', reject);
          child.once(
            'exit',
            (code) => code !== 0 && reject(new Error(`a process of the tournament ended with ${code}`)),
          );
          child.send({ ...task, games });
        }),
    ),
  );
  return results.flat();
}

function print(contest: Contest, rows: readonly BalanceRow[], refused: number, seconds: number): void {
  const games = rows.reduce((sum, row) => sum + row.games, 0);
  console.info(`\n${contest.open.scenario.id}: ${games} games in ${seconds.toFixed(0)} s, ${refused} lines refused`);
  for (const { players, games: played, wins } of rows) {
    const who = Object.entries(players).map(([side, name]) => `${side} ${name}`);
    const won = Object.entries(wins).map(([side, n]) => `${side} ${n}`);
    console.info(`  ${who.join(' - ').padEnd(36)} ${won.join(', ')} of ${played}`);
  }
  for (const [side, { wins, percent, low, high }] of Object.entries(sharesOf(rows)))
    console.info(`  ${side}: ${wins} wins, ${percent} % (${low} to ${high})`);
}

/** Wins of the planners over random play, both sides together. */
function printRandom(contest: Contest, rows: readonly BalanceRow[]): void {
  const won = (name: string): string => {
    const own = rows.filter(({ players }) => Object.values(players).includes(name));
    const wins = own.reduce(
      (sum, row) => sum + row.wins[Object.entries(row.players).find(([, who]) => who === name)![0]]!,
      0,
    );
    const games = own.reduce((sum, row) => sum + row.games, 0);
    return `${name} ${wins} of ${games}`;
  };
  console.info(`  ${contest.open.scenario.id} against random play: ${won('bold')}, ${won('careful')}`);
}

function write(contest: Contest, rows: BalanceRow[], command: string): void {
  const { id } = contest.open.scenario;
  const file = path.join(SCENARIOS, contest.open.system.id, 'balance.json');
  const before = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as BalanceFile) : undefined;
  const now: BalanceFile = {
    format: 'fieldpost-balance/1',
    source: 'house: measured by games between two players by rule; nothing here is printed',
    scenarios: {
      ...before?.scenarios,
      [id]: {
        ...before?.scenarios[id],
        status: 'measured, house',
        command,
        content: contest.open.hash,
        games: rows.reduce((sum, row) => sum + row.games, 0),
        options: contest.options,
        rows,
        shares: sharesOf(rows),
      },
    },
  };
  fs.writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
}

async function main(args: readonly string[]): Promise<void> {
  const value = (flag: string, fallback: string): string => {
    const at = args.indexOf(flag);
    return at < 0 ? fallback : (args[at + 1] ?? fallback);
  };
  const named = args.filter((arg, i) => !arg.startsWith('--') && !['--games', '--seed'].includes(args[i - 1] ?? ''));
  const [games, seed] = [Number(value('--games', '200')), value('--seed', '1944')];
  for (const scenario of named.length > 0 ? named : scenarioIds()) {
    const contest = contestOf(scenario);
    const random = args.includes('--random');
    const who = random ? againstRandom(contest) : pairings(contest);
    const started = Date.now();
    const results = await shared({ scenario, seed, games: gamesOf(who, games) });
    const rows = rowsOf(contest, results);
    print(
      contest,
      rows,
      results.reduce((sum, { refused }) => sum + refused, 0),
      (Date.now() - started) / 1000,
    );
    if (random) printRandom(contest, rows);
    else if (args.includes('--write'))
      write(contest, rows, `npm run balance -- ${scenario} --games ${games} --seed ${seed}`);
  }
}

if (process.argv[1] === SELF) {
  if (process.argv.includes('--part')) {
    os.setPriority(NICE);
    process.once('message', (task) => {
      const results = playTask(task as Task);
      process.send!(results, () => process.disconnect());
    });
  } else await main(process.argv.slice(2));
}
