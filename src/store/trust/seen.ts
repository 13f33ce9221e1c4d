/** Who has seen what of a game: who held or stood in for which seat while it was played, and who looked besides. */
import type { SideId } from '../../kernel/types.ts';
import { type Db, type Reader, type Trx, tables } from '../db.ts';
import type { GameRow } from '../schema.ts';

/** A look at one side of a game, or (null) at all of them. */
export interface Sight {
  side: SideId | null;
}

export async function noteSeen(
  db: Db,
  look: { gameId: number; personId: number; side: SideId | null; how: string; now: Date },
): Promise<void> {
  await tables(db)
    .insertInto('seen')
    .values({ game_id: look.gameId, person_id: look.personId, side: look.side, how: look.how, at: look.now })
    .execute();
}

/** Sides of a game that a person had before his eyes since it began: by a seat of his, or as its stand-in. */
async function sidesHeld(db: Reader, game: Pick<GameRow, 'id' | 'started_at'>, personId: number): Promise<Sight[]> {
  const { started_at } = game;
  if (started_at === null) return [];
  const rows = await tables(db)
    .selectFrom('tenure')
    .innerJoin('seat', 'seat.id', 'tenure.seat_id')
    .select(['seat.side', 'tenure.to_at'])
    .where('seat.game_id', '=', game.id)
    .where('tenure.person_id', '=', personId)
    .execute();
  return rows.filter(({ to_at }) => to_at === null || to_at >= started_at).map(({ side }) => ({ side }));
}

/** Everything of a game that a person has seen; `marks` are those of his addresses. */
export async function seenBy(
  db: Reader,
  game: Pick<GameRow, 'id' | 'started_at'>,
  personId: number,
  marks: readonly string[],
): Promise<Sight[]> {
  const looks = await tables(db)
    .selectFrom('seen')
    .select('side')
    .where('game_id', '=', game.id)
    .where((one) =>
      one.or([one('person_id', '=', personId), ...(marks.length > 0 ? [one('address_mark', 'in', [...marks])] : [])]),
    )
    .execute();
  return [...(await sidesHeld(db, game, personId)), ...looks];
}

/** An address that somebody gives up keeps what he has seen of games that are still played. */
export async function keepSeen(trx: Trx, personId: number, mark: string, now: Date): Promise<void> {
  const games = await tables(trx)
    .selectFrom('game')
    .select(['id', 'started_at'])
    .where('status', 'in', ['running', 'paused'])
    .execute();
  for (const game of games)
    for (const { side } of await seenBy(trx, game, personId, []))
      await tables(trx)
        .insertInto('seen')
        .values({ game_id: game.id, address_mark: mark, side, how: 'address given up', at: now })
        .execute();
}

/** Game master and opponents agreed that this person may play this side. */
export async function admit(
  trx: Trx,
  given: { gameId: number; personId: number; side: SideId; proposalId: number; now: Date },
): Promise<void> {
  await tables(trx)
    .insertInto('admitted')
    .values({
      game_id: given.gameId,
      person_id: given.personId,
      side: given.side,
      proposal_id: given.proposalId,
      at: given.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function isAdmitted(db: Reader, gameId: number, personId: number, side: SideId): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('admitted')
    .select('person_id')
    .where('game_id', '=', gameId)
    .where('person_id', '=', personId)
    .where('side', '=', side)
    .executeTakeFirst();
  return row !== undefined;
}
