/** `fieldpost what-if`: one phase on a copy, from a scenario, a running game or a state. See turn/phase/whatif.ts. */
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { GameState, SideId, Standing } from '../kernel/types.ts';
import { openWording } from '../render/words.ts';
import type { OpenScenario } from '../scenarios.ts';
import { currentPhase, gameByRef, logAction } from '../store/games.ts';
import { standingOf } from '../store/orders.ts';
import { type WhatIfInput, whatIf } from '../turn/phase/whatif.ts';
import { type Connect, withStore } from './connect.ts';
import { localScenarios } from './content.ts';
import { parseJson, printJson, readJson, readLines } from './namedfiles.ts';

interface Options {
  scenario?: string;
  game?: string;
  state?: string;
  orders?: string[];
  options?: string;
  dice?: string;
  shuffle?: string[];
  answer?: string[];
}

type Start = Pick<WhatIfInput, 'open' | 'state' | 'standing'>;

/** `3,5,1` as numbers; an empty text is an empty list. */
export function readDice(text: string): number[] {
  if (text.trim() === '') return [];
  return text.split(',').map((part) => {
    if (!/^\s*\d+\s*$/.test(part)) throw new Error(`"${part.trim()}" in --dice is no number`);
    return Number(part);
  });
}

/** `NAME=VALUE` texts as pairs; the first `=` parts them. */
function pairs(texts: readonly string[], flag: string): [string, string][] {
  return texts.map((text) => {
    const at = text.indexOf('=');
    if (at <= 0) throw new Error(`${flag} "${text}" must have the form NAME=VALUE`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
}

function ordersOf(open: OpenScenario, given: readonly string[]): Record<SideId, string[]> {
  const orders: Record<SideId, string[]> = {};
  for (const [name, file] of pairs(given, '--orders')) {
    const wanted = name.toLowerCase();
    const side = open.scenario.sides.find(({ id, name, short }) =>
      [id, name.toLowerCase(), short.toLowerCase()].includes(wanted),
    );
    const id = side?.id ?? name;
    if (orders[id]) throw new Error(`--orders names the side ${id} twice`);
    orders[id] = readLines(file);
  }
  return orders;
}

/** A state as what-if prints it, alone or within its whole output. */
export function readState(value: unknown, file: string): { scenario: string | undefined; state: GameState } {
  const outer = (value ?? {}) as Record<string, unknown>;
  const found = (outer.hands === undefined && outer.state ? outer.state : outer) as Partial<GameState> & {
    scenario?: string;
  };
  const { scenario, phase, table, hands, cup } = found;
  if (typeof phase?.n !== 'number' || typeof phase.step !== 'string' || table === undefined || !hands)
    throw new Error(`${file} holds no state: phase, table, hands and cup are wanted`);
  return { scenario, state: { phase, table, hands, cup: cup ?? null } };
}

function startWithoutStore(options: Options): Start {
  const scenarios = localScenarios();
  if (options.state === undefined) {
    if (options.scenario === undefined) throw new Error('one of --scenario, --game and --state is needed');
    return { open: scenarios.open(options.scenario) };
  }
  const { scenario, state } = readState(readJson(options.state), options.state);
  const id = options.scenario ?? scenario;
  if (id === undefined) throw new Error(`${options.state} does not name its scenario: give it with --scenario`);
  return { open: scenarios.open(id), state };
}

async function startOfGame(connect: Connect, ref: string): Promise<Start> {
  return withStore(connect, async (service) => {
    const game = await gameByRef(service.db, ref);
    const phase = game && (await currentPhase(service.db, game));
    if (!game || !phase) throw new Error(game ? `game ${game.ref} has not begun` : `no game ${ref}`);
    const standing: Record<SideId, Standing[]> = {};
    for (const side of Object.keys(phase.snapshot.hands))
      standing[side] = (await standingOf(service.db, game.id, side)).map((row) => row.body);
    if (game.status !== 'over')
      await logAction(service.db, {
        at: service.now(),
        gameId: game.id,
        who: 'operator',
        door: 'cli',
        what: 'what-if',
        why: 'looked at all that is hidden in the game',
        public: true,
      });
    return { open: service.scenarios.open(game.scenario), state: phase.snapshot, standing };
  });
}

/** Adds the verb to the command line. */
export function whatIfVerb(program: Command, connect: Connect): void {
  program
    .command('what-if')
    .description('run one phase on a copy and show everything that comes of it, as JSON')
    .option('--scenario <id>', 'start from the set-up of a scenario, such as overlord/campaign')
    .option('--game <ref>', 'start from where a game stands; its dice keys are not used, and that you looked is logged')
    .option('--state <file>', 'start from a state that what-if printed')
    .option('--orders <side=file...>', "a side's orders, as a player would write them; a side left out files nothing")
    .option('--options <json>', 'options of the scenario')
    .option(
      '--dice <list>',
      'the dice in the order they are rolled, such as 3,5,1; shuffles keep their order (or see --shuffle)',
    )
    .option(
      '--shuffle <purpose=items...>',
      'with --dice: what lies on top after a shuffle, such as "weather deck=mud,dry"',
    )
    .option('--answer <id=choice...>', 'answers to questions that would go out by mail; else the fallback is taken')
    .action(async (options: Options) => {
      if (options.game !== undefined && (options.scenario !== undefined || options.state !== undefined))
        throw new Error('--game goes with neither --scenario nor --state');
      const start = options.game === undefined ? startWithoutStore(options) : await startOfGame(connect, options.game);
      const chosen = options.options === undefined ? undefined : parseJson(options.options, '--options');
      if (chosen !== undefined && (typeof chosen !== 'object' || chosen === null || Array.isArray(chosen)))
        throw new Error('--options must be a JSON object');
      if (chosen !== undefined && start.state) throw new Error('--options go with --scenario alone');
      const answers: Record<string, string[]> = {};
      for (const [id, choice] of pairs(options.answer ?? [], '--answer'))
        answers[id] = [...(answers[id] ?? []), choice];
      const input: WhatIfInput = {
        ...start,
        orders: ordersOf(start.open, options.orders ?? []),
        seed: randomBytes(32),
      };
      if (chosen !== undefined) input.options = chosen as Record<string, unknown>;
      if (options.dice !== undefined) input.dice = readDice(options.dice);
      if (options.shuffle && !input.dice) throw new Error('--shuffle goes with --dice alone');
      if (options.shuffle)
        input.shuffles = Object.fromEntries(
          pairs(options.shuffle, '--shuffle').map(([purpose, items]) => [
            purpose,
            items.split(',').map((one) => one.trim()),
          ]),
        );
      if (options.answer) input.answers = answers;
      printJson(whatIf(input, openWording()));
    });
}
