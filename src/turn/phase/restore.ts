/**
 * After a restore nobody knows which dice keys were shown between the backup and the accident: every key of the old chains
 * that a phase could still use is burnt. Each game that goes on gets new chains, and its players are told their heads.
 */
import { inTransaction, lockGame, type Trx } from '../../store/db.ts';
import { currentPhase, gamesIn, logAction, seatsOf } from '../../store/games.ts';
import { beginAgain } from '../../store/phases.ts';
import type { GameRow, PhaseRow } from '../../store/schema.ts';
import type { Service } from '../context.ts';
import { makeChains } from '../keys.ts';
import { mailSeat, notice } from '../post/outbox.ts';
import { runSoon } from '../time/deadlines.ts';

/** Burns the keys of every game that is not over. Returns how many games got new chains. */
export async function burnKeys(service: Service): Promise<number> {
  return inTransaction(service.db, async (trx) => {
    const games = (await gamesIn(trx, ['running', 'paused'])).reverse();
    for (const game of games) {
      await lockGame(trx, game.id);
      const phase = await currentPhase(trx, game);
      if (phase) await renewKeys(service, trx, game, phase);
    }
    return games.length;
  });
}

/** New chains for a game from its present phase on, told to its players. */
export async function renewKeys(
  service: Service,
  trx: Trx,
  game: GameRow,
  phase: PhaseRow,
  what: 'restore' | 'import' = 'restore',
): Promise<{ open: string; secret: string }> {
  const heads = await makeChains(service, trx, game.id, phase.n);
  // A phase that waited for an answer has shown dice of a burnt key: it begins again, with the orders that are on file.
  await beginAgain(trx, phase.id);
  await logAction(trx, {
    at: service.now(),
    gameId: game.id,
    who: 'operator',
    door: 'cli',
    what: what === 'restore' ? 'restore' : 'dice keys burnt',
    detail: { burntFrom: phase.n, ...heads },
    public: true,
  });
  const facts = notice(service, what === 'restore' ? 'restored' : 'imported', {
    game: game.ref,
    turn: phase.turn,
    ...heads,
  });
  for (const seat of await seatsOf(trx, game.id)) await mailSeat(service, trx, seat, { kind: 'notice', facts });
  if (game.status === 'running') await runSoon(service, trx, game.id);
  return heads;
}
