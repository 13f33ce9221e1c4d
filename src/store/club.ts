/** Roles without a seat, waiting lists, tenures, proposals and votes, press, rulings. */
import { sql } from 'kysely';
import type { ClubRole, PressRow, ProposalKind, ProposalRow, RulingEdit, RulingRow, TenureRow } from './club-schema.ts';
import { type Db, type Reader, tables } from './db.ts';
import { json, type SeatRow } from './schema.ts';

// ---- roles

export interface RoleHolder {
  game_id: number;
  person_id: number;
  role: ClubRole;
  token_sealed: Buffer;
}

export async function addRole(
  db: Db,
  role: { gameId: number; personId: number; role: ClubRole; tokenHash: string; tokenSealed: Buffer; now: Date },
): Promise<void> {
  await tables(db)
    .insertInto('role_token')
    .values({
      game_id: role.gameId,
      person_id: role.personId,
      role: role.role,
      token_hash: role.tokenHash,
      token_sealed: role.tokenSealed,
      created_at: role.now,
    })
    .onConflict((conflict) => conflict.columns(['game_id', 'person_id', 'role']).doNothing())
    .execute();
}

export async function dropRoles(
  db: Db,
  personId: number,
  gameId: number | undefined,
  roles: readonly ClubRole[],
): Promise<number> {
  let query = tables(db)
    .deleteFrom('role_token')
    .where('person_id', '=', personId)
    .where('role', 'in', [...roles]);
  if (gameId !== undefined) query = query.where('game_id', '=', gameId);
  const gone = await query.executeTakeFirst();
  return Number(gone.numDeletedRows);
}

export async function roleByToken(db: Reader, tokenHash: string): Promise<RoleHolder | undefined> {
  return tables(db)
    .selectFrom('role_token')
    .select(['game_id', 'person_id', 'role', 'token_sealed'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

export async function rolesIn(db: Reader, gameId: number): Promise<RoleHolder[]> {
  return tables(db)
    .selectFrom('role_token')
    .select(['game_id', 'person_id', 'role', 'token_sealed'])
    .where('game_id', '=', gameId)
    .orderBy('id')
    .execute();
}

/** The first role that a person has in a game. */
export async function roleIn(
  db: Reader,
  gameId: number,
  personId: number,
): Promise<{ token_sealed: Buffer } | undefined> {
  return tables(db)
    .selectFrom('role_token')
    .select('token_sealed')
    .where('game_id', '=', gameId)
    .where('person_id', '=', personId)
    .orderBy('id')
    .executeTakeFirst();
}

/** Whoever looks on in a game: observers and monitors. */
export async function watchersOf(db: Reader, gameId: number): Promise<number[]> {
  const rows = await tables(db)
    .selectFrom('role_token')
    .select('person_id')
    .distinct()
    .where('role', '!=', 'master')
    .where('game_id', '=', gameId)
    .execute();
  return rows.map((row) => row.person_id);
}

// ---- waiting lists

export async function addWaiting(
  db: Db,
  row: { gameId: number; personId: number; side: string | null; now: Date },
): Promise<void> {
  await tables(db)
    .insertInto('waiting')
    .values({ game_id: row.gameId, person_id: row.personId, side: row.side, created_at: row.now })
    .onConflict((conflict) => conflict.columns(['game_id', 'person_id']).doUpdateSet({ side: row.side }))
    .execute();
}

export interface Waiting {
  id: number;
  person_id: number;
  side: string | null;
  name: string;
}

export async function waitingFor(db: Reader, gameId: number): Promise<Waiting[]> {
  return tables(db)
    .selectFrom('waiting')
    .innerJoin('person', 'person.id', 'waiting.person_id')
    .select(['waiting.id', 'waiting.person_id', 'waiting.side', 'person.name'])
    .where('waiting.game_id', '=', gameId)
    .orderBy('waiting.id')
    .execute();
}

export async function dropWaiting(db: Db, gameId: number, personId: number): Promise<boolean> {
  const gone = await tables(db)
    .deleteFrom('waiting')
    .where('game_id', '=', gameId)
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

// ---- who held a seat

export async function startTenure(
  db: Db,
  row: { seatId: number; personId: number; standIn?: boolean; untilDay?: string; now: Date },
): Promise<void> {
  await tables(db)
    .insertInto('tenure')
    .values({
      seat_id: row.seatId,
      person_id: row.personId,
      stand_in: row.standIn ?? false,
      until_day: row.untilDay ?? null,
      from_at: row.now,
    })
    .execute();
}

export async function endTenure(
  db: Db,
  seatId: number,
  which: 'holder' | 'stand-in' | 'all',
  why: string,
  now: Date,
): Promise<number> {
  let query = tables(db)
    .updateTable('tenure')
    .set({ to_at: now, ended_by: why })
    .where('seat_id', '=', seatId)
    .where('to_at', 'is', null);
  if (which !== 'all') query = query.where('stand_in', '=', which === 'stand-in');
  const ended = await query.executeTakeFirst();
  return Number(ended.numUpdatedRows);
}

export async function tenuresOf(db: Reader, seatId: number): Promise<(TenureRow & { name: string })[]> {
  return tables(db)
    .selectFrom('tenure')
    .innerJoin('person', 'person.id', 'tenure.person_id')
    .selectAll('tenure')
    .select('person.name')
    .where('seat_id', '=', seatId)
    .orderBy('tenure.id')
    .execute();
}

/** The stand-in of a seat, if one is at work. */
export async function standIn(db: Reader, seatId: number): Promise<TenureRow | undefined> {
  return tables(db)
    .selectFrom('tenure')
    .selectAll()
    .where('seat_id', '=', seatId)
    .where('stand_in', '=', true)
    .where('to_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

/** Everybody who stands in for the holder of a seat just now. */
export async function standInsOf(db: Reader, seatId: number): Promise<number[]> {
  const rows = await tables(db)
    .selectFrom('tenure')
    .select('person_id')
    .where('seat_id', '=', seatId)
    .where('stand_in', '=', true)
    .where('to_at', 'is', null)
    .execute();
  return rows.map((row) => row.person_id);
}

/** Whoever held a seat last, stand-ins apart. */
export async function lastHolder(db: Reader, seatId: number): Promise<number | undefined> {
  const row = await tables(db)
    .selectFrom('tenure')
    .select('person_id')
    .where('seat_id', '=', seatId)
    .where('stand_in', '=', false)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row?.person_id;
}

/** Stand-ins whose last day is over. */
export async function standInsBefore(db: Reader, day: string): Promise<TenureRow[]> {
  return tables(db)
    .selectFrom('tenure')
    .selectAll()
    .where('stand_in', '=', true)
    .where('to_at', 'is', null)
    .where('until_day', '<', day)
    .execute();
}

/** Seats a person holds, and those where he stands in. */
export async function seatsOfPerson(db: Reader, personId: number): Promise<SeatRow[]> {
  return tables(db)
    .selectFrom('seat')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('person_id', '=', personId),
        eb.exists(
          eb
            .selectFrom('tenure')
            .select('tenure.id')
            .whereRef('tenure.seat_id', '=', 'seat.id')
            .where('tenure.person_id', '=', personId)
            .where('tenure.stand_in', '=', true)
            .where('tenure.to_at', 'is', null),
        ),
      ]),
    )
    .orderBy('id')
    .execute();
}

/** The seats of a game with the names of those who hold them, in the order of the scenario's sides. */
export async function seatsWithNames(
  db: Reader,
  gameId: number,
): Promise<(SeatRow & { name: string | null; zone: string | null })[]> {
  return tables(db)
    .selectFrom('seat')
    .leftJoin('person', 'person.id', 'seat.person_id')
    .selectAll('seat')
    .select(['person.name', 'person.zone'])
    .where('game_id', '=', gameId)
    .orderBy('seat.id')
    .execute();
}

// ---- proposals

export async function addProposal(
  db: Db,
  row: {
    gameId: number;
    phaseId: number;
    kind: ProposalKind;
    side: string;
    detail: Record<string, unknown>;
    now: Date;
    closesAt: Date;
  },
): Promise<number> {
  const { id } = await tables(db)
    .insertInto('proposal')
    .values({
      game_id: row.gameId,
      phase_id: row.phaseId,
      kind: row.kind,
      side: row.side,
      detail: json(row.detail),
      created_at: row.now,
      closes_at: row.closesAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function openProposals(db: Reader, gameId: number): Promise<ProposalRow[]> {
  return tables(db)
    .selectFrom('proposal')
    .selectAll()
    .where('game_id', '=', gameId)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .execute();
}

export async function closeProposal(
  db: Db,
  id: number,
  result: NonNullable<ProposalRow['result']>,
  now: Date,
): Promise<void> {
  await tables(db)
    .updateTable('proposal')
    .set({ closed_at: now, result })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .execute();
}

/** Proposals nobody answered in time lapse. */
export async function lapseProposals(db: Db, now: Date): Promise<void> {
  await tables(db)
    .updateTable('proposal')
    .set({ closed_at: now, result: 'lapsed' })
    .where('closed_at', 'is', null)
    .where('closes_at', '<', now)
    .execute();
}

export async function castVote(
  db: Db,
  vote: { proposalId: number; side: string; yes: boolean; now: Date },
): Promise<void> {
  await tables(db)
    .insertInto('vote')
    .values({ proposal_id: vote.proposalId, side: vote.side, yes: vote.yes, at: vote.now })
    .onConflict((conflict) => conflict.columns(['proposal_id', 'side']).doUpdateSet({ yes: vote.yes, at: vote.now }))
    .execute();
}

export async function votesOn(db: Reader, proposalId: number): Promise<{ side: string; yes: boolean }[]> {
  return tables(db).selectFrom('vote').select(['side', 'yes']).where('proposal_id', '=', proposalId).execute();
}

/** Days that extensions by agreement or request gave in one phase already. */
export async function daysExtended(db: Reader, phaseId: number): Promise<number> {
  const rows = await tables(db)
    .selectFrom('proposal')
    .select('detail')
    .where('phase_id', '=', phaseId)
    .where('kind', '=', 'extend')
    .where('result', '=', 'carried')
    .execute();
  return rows.reduce((sum, row) => sum + Number(row.detail.days ?? 0), 0);
}

// ---- press

export async function addPress(
  db: Db,
  row: {
    gameId: number;
    phaseId: number | null;
    fromSide: string;
    personId: number | null;
    anonymous: boolean;
    to: string[];
    body: string;
    now: Date;
  },
): Promise<number> {
  const { id } = await tables(db)
    .insertInto('press')
    .values({
      game_id: row.gameId,
      phase_id: row.phaseId,
      from_side: row.fromSide,
      person_id: row.personId,
      anonymous: row.anonymous,
      to_sides: json(row.to),
      body: row.body,
      created_at: row.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function pressIn(db: Reader, gameId: number): Promise<PressRow[]> {
  return tables(db).selectFrom('press').selectAll().where('game_id', '=', gameId).orderBy('id').execute();
}

/** How much a side has written since then. */
export async function pressSince(db: Reader, gameId: number, fromSide: string, since: Date): Promise<number> {
  const row = await tables(db)
    .selectFrom('press')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('game_id', '=', gameId)
    .where('from_side', '=', fromSide)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** How many rows are kept of a person. */
export async function keptOf(db: Reader, personId: number, what: 'press' | 'absence' | 'waiting'): Promise<number> {
  const row = await tables(db)
    .selectFrom(what)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** Blanks what a person wrote; that something was written stays. */
export async function blankPress(db: Db, personId: number, now: Date): Promise<number> {
  const blanked = await tables(db)
    .updateTable('press')
    .set({ body: '', removed_at: now })
    .where('person_id', '=', personId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return Number(blanked.numUpdatedRows);
}

// ---- rulings

export async function addRuling(
  db: Db,
  row: { gameId: number; phaseId: number; text: string; edits: RulingEdit[]; byPerson: number | null; now: Date },
): Promise<number> {
  const { number } = await tables(db)
    .insertInto('ruling')
    .values((eb) => ({
      game_id: row.gameId,
      phase_id: row.phaseId,
      number: sql<number>`${eb
        .selectFrom('ruling')
        .select((inner) => inner.fn.coalesce(inner.fn.max('ruling.number'), inner.val(0)).as('n'))
        .where('ruling.game_id', '=', row.gameId)} + 1`,
      text: row.text,
      edits: json(row.edits),
      by_person: row.byPerson,
      created_at: row.now,
    }))
    .returning('number')
    .executeTakeFirstOrThrow();
  return number;
}

export async function rulingsIn(db: Reader, gameId: number): Promise<RulingRow[]> {
  return tables(db).selectFrom('ruling').selectAll().where('game_id', '=', gameId).orderBy('number').execute();
}

export async function undoRuling(db: Db, id: number, why: string, now: Date): Promise<void> {
  await tables(db).updateTable('ruling').set({ undone_at: now, undone_why: why }).where('id', '=', id).execute();
}
