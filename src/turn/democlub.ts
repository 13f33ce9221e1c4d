/** The demonstration club: made once in an empty database, so that a newcomer can play a turn within a minute. */

import { publicView } from '../kernel/view.ts';
import { inTransaction, lockGame, type Trx } from '../store/db.ts';
import { gameByRef, gameCounts, seatsOf, serviceValue, setServiceValue } from '../store/games.ts';
import type { GameRow } from '../store/schema.ts';
import type { Looking, Service } from './context.ts';
import { fileOrders } from './filing/filing.ts';
import { deskOf } from './intake/intake.ts';
import { createGameIn } from './phase/newgame.ts';
import { runGame } from './phase/run.ts';

const MARK = 'demo game';
const SCENARIO = 'overlord/campaign';
const PLAYERS = [
  { address: 'anna@players.example', name: 'Anna' },
  { address: 'ben@players.example', name: 'Ben' },
] as const;

/** Addresses whose mailboxes the demo's page shows. */
export const DEMO_ADDRESSES: readonly string[] = PLAYERS.map((player) => player.address);

/** Makes the demo game unless it was made before, or there are games already. Returns its reference, if there is one. */
export async function makeDemo(service: Service): Promise<string | undefined> {
  const made = await serviceValue(service.db, MARK);
  if (typeof made === 'string') return made;
  const offered = service.scenarios.list();
  const scenario = offered.find(({ id }) => id === SCENARIO) ?? offered[0];
  if (!scenario) return undefined;
  const game = await inTransaction(service.db, async (trx) => {
    if ((await gameCounts(trx)).length > 0) return undefined;
    const sides = service.scenarios.open(scenario.id).scenario.sides;
    const seats = sides.map((side, i) => ({ side: side.id, ...PLAYERS[i % PLAYERS.length]! }));
    const game = await createGameIn(service, trx, { scenarioId: scenario.id, seats, by: 'service', door: 'service' });
    await setServiceValue(trx, MARK, game.ref);
    await passSetup(service, trx, game);
    return game;
  });
  // Run here and now: whoever writes the moment the service is up finds the first move open.
  if (game) await runGame(service, game.id);
  return game?.ref;
}

/** Nobody waits for a newcomer's set-up: whoever owes orders for it passes, so that play begins with a move. */
async function passSetup(service: Service, trx: Trx, game: GameRow): Promise<void> {
  await lockGame(trx, game.id);
  for (const seat of await seatsOf(trx, game.id)) {
    const desk = await deskOf(service, trx, game, seat);
    if (desk?.phase.step !== 'set-up') return;
    const owes = desk.rules.asks(publicView(desk.phase.snapshot)).some((ask) => ask.must && ask.side === seat.side);
    const replyTo = { subject: '', date: null, messageId: null };
    if (owes)
      await fileOrders(service, trx, desk, { lines: ['FINAL'], source: 'desk', unmailed: true, mailId: null, replyTo });
  }
}

/** The demo game's reference, for the page; undefined where there is no demo. */
export async function demoGame(service: Looking): Promise<string | undefined> {
  const made = await serviceValue(service.db, MARK);
  return typeof made === 'string' && (await gameByRef(service.db, made)) ? made : undefined;
}
