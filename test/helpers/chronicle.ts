/**
 * A game on record: what was ordered in each phase, and everything that came of it. What was ordered is read from the
 * record itself, so a changed form or bot changes no game. `GOLDEN=write npx vitest run FILE` writes down what comes of the
 * same orders now: read the diff before it is kept.
 */
import fs from 'node:fs';
import { expect } from 'vitest';
import { canonical, hashOf } from '../../src/kernel/hash.ts';
import type {
  DecisionRequest,
  Filed,
  GameState,
  MapScene,
  Rules,
  SideId,
  Standing,
  Text,
} from '../../src/kernel/types.ts';
import { publicView } from '../../src/kernel/view.ts';
import { openWording, saidScene, shown } from '../../src/render/words.ts';
import { diceOf, file, outputsFor, playPhase, viewersOf } from './play.ts';

/** A game's beginning: the rules, how it is set up and the word its dice are made of. */
export interface Opening {
  rules: Rules;
  options: Record<string, unknown>;
  seed: string;
}

interface Moves {
  orders: Record<SideId, string[]>;
  answers: Record<string, string[]>;
}

const wording = openWording();
const BLOCK = '==== ';
const short = (value: unknown): string => hashOf(value).slice(0, 12);

/** Plays the game in a file again: each phase must go as it went; with GOLDEN=write the file is written anew. */
export function expectAsRecorded(opening: Opening, file: URL): void {
  const write = process.env.GOLDEN === 'write';
  const now = replayRecord(opening, fs.readFileSync(file, 'utf8'), (block, then) => {
    if (!write) expect(block).toBe(then);
  });
  if (write) fs.writeFileSync(file, now);
}

/** Plays a recorded game again. Each phase is given to `compare` as it reads now and as it was recorded. */
function replayRecord(opening: Opening, record: string, compare: (now: string, then: string) => void): string {
  const game = opened(opening);
  const blocks: string[] = [];
  for (const then of record.split(new RegExp(`^(?=${BLOCK})`, 'm'))) {
    const moves = movesOf(then);
    blocks.push(phase(opening, game, moves, (request) => moves.answers[request.id] ?? request.fallback));
    compare(blocks.at(-1)!, then);
  }
  return blocks.join('');
}

/** A map without how its sides are painted, which comes with the scenario. */
function drawn(scene: MapScene<Text>): MapScene {
  const { looks: _looks, ...rest } = saidScene(scene, wording);
  return rest;
}

/** What a viewer is told, in words: how it is put together in the code may change, what is read may not. */
function said({ report, scene, house, preview, ...rest }: ReturnType<typeof outputsFor>) {
  const say = (text: Text): string => shown(text, wording);
  return {
    ...rest,
    report: [report.headline, ...report.sections.flatMap(({ title, lines }) => [title, ...lines])].map(say),
    form: report.orderForm.flatMap((line) => say(line).split('\n')),
    scene: drawn(scene),
    house: house.map(say),
    preview: preview && { events: preview.events, scene: drawn(preview.scenes[0]!) },
  };
}

interface Game {
  state: GameState;
  standing: Record<SideId, Map<string, Standing>>;
}

function opened({ rules, options, seed }: Opening): Game {
  return { state: rules.setup(options, diceOf(seed, { n: 0, turn: 0, step: 'setup' })), standing: {} };
}

function movesOf(block: string): Moves {
  const moves: Moves = { orders: {}, answers: {} };
  for (const line of block.split('\n')) {
    const [, side, order] = /^(\w+)> (.*)$/.exec(line) ?? [];
    if (side) moves.orders[side] = [...(moves.orders[side] ?? []), ...(order ? [order] : [])];
    const [, id, chosen] = /^answer (.*?) = (.*)$/.exec(line) ?? [];
    if (id) moves.answers[id] = JSON.parse(chosen!) as string[];
  }
  return moves;
}

/** Plays one phase and says in lines what went in and what came out. */
function phase(opening: Opening, game: Game, moves: Moves, answer: (request: DecisionRequest) => string[]): string {
  const { rules, seed } = opening;
  const { state } = game;
  const lines = [`${BLOCK}${state.phase.n} ${state.phase.turn}.${state.phase.step}`];
  const filed: Record<SideId, Filed> = {};
  for (const [side, texts] of Object.entries(moves.orders)) {
    const read = file(rules, state, side, texts);
    filed[side] = { orders: read.orders, standing: kept(game, side, read.standing) };
    lines.push(...(texts.length === 0 ? [''] : texts).map((text) => `${side}> ${text}`));
    lines.push(...read.diagnostics.map((one) => `${side}! ${canonical(one)}`));
    lines.push(`${side}: preview ${short(said(outputsFor(rules, state, side, [], filed[side])))}`);
  }
  const { result } = playPhase(rules, state, filed, seed, answer);
  lines.push(...Object.entries(moves.answers).map(([id, chosen]) => `answer ${id} = ${JSON.stringify(chosen)}`));
  lines.push(...result.decisions.map((decision) => `decision ${canonical(decision)}`));
  lines.push(...result.events.map((event) => `event ${canonical(event)}`));
  game.state = result.state;
  for (const viewer of viewersOf(game.state)) {
    const own = filed[viewer] ?? { orders: [], standing: [] };
    const told = said(outputsFor(rules, game.state, viewer, result.events, own));
    lines.push(`${viewer}: report ${short(told.report)} form ${short(told.form)} scene ${short(told.scene)}`);
  }
  const next = {
    asks: rules.asks(publicView(game.state)),
    pace: rules.pace(publicView(game.state)),
    outcome: rules.outcome(game.state),
  };
  lines.push(`next ${canonical(JSON.parse(JSON.stringify(next)))}`, `state ${short(game.state)}`);
  return `${lines.join('\n')}\n`;
}

/** Standing orders by key, later ones over earlier ones; withdrawn keys leave the list. */
function kept(game: Game, side: SideId, fresh: readonly Standing[]): Standing[] {
  game.standing[side] ??= new Map();
  const mine = game.standing[side];
  for (const order of fresh) {
    if (order.withdraw) mine.delete(order.key);
    else mine.set(order.key, order);
  }
  return [...mine.values()];
}
