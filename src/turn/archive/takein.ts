/**
 * An exported game taken into this club. It proves nothing of anybody: whoever is not known here already has to answer from
 * his address before it speaks for him or gets a report, and since its dice keys were in the archive, they are burnt.
 */
import { assert, Fault } from '../../kernel/assert.ts';
import { chainKey } from '../../kernel/dice.ts';
import { inTransaction, type Reader, type Trx } from '../../store/db.ts';
import { currentPhase, gameById, gameByRef, lastRef, logAction, seatsOf, useUpRef } from '../../store/games.ts';
import { personByAddress } from '../../store/people.ts';
import { type GameRecord, type RecordRow, restoreRecord } from '../../store/record.ts';
import type { GameRow } from '../../store/schema.ts';
import { seal } from '../../store/seal.ts';
import type { Service } from '../context.ts';
import { offerCode } from '../errand.ts';
import { dicePurpose } from '../keys.ts';
import { renewKeys } from '../phase/restore.ts';
import { tellAddress, tellPerson } from '../post/notices.ts';
import { newToken } from '../seats.ts';
import type { Bundle } from './export.ts';

const REF = /^([A-Z]{2,4})-(\d{4,6})$/;

export interface TakeIn {
  by: string;
  door: string;
  /** Its number here, where the one it has is taken or not wanted. */
  as?: string;
}

/** The first number of a system that no game had here. */
async function freeRef(db: Reader, prefix: string): Promise<string> {
  return `${prefix}-${String((await lastRef(db, prefix)) + 1).padStart(4, '0')}`;
}

/** The number the game gets here. Throws one clear line, with a number that is free, where it can't have that. */
async function refHere(db: Reader, game: RecordRow, as: string | undefined): Promise<string> {
  const [, prefix = ''] = REF.exec(String(game.ref)) ?? [];
  const ref = (as ?? String(game.ref)).toUpperCase();
  if (REF.exec(ref)?.[1] !== prefix)
    throw new Fault(`--as must be a number like ${await freeRef(db, prefix)}, not ${as}`);
  if (await gameByRef(db, ref)) {
    const free = await freeRef(db, prefix);
    throw new Fault(`there is a game ${ref} here already; this one can have the next number: --as ${free}`);
  }
  return ref;
}

/**
 * Writes an exported game into this store. A game that was not over is paused, for its master to look at and resume; its
 * seats get new addresses and its dice new keys. Returns its number in the store.
 */
export async function importGame(service: Service, bundle: Bundle, given: TakeIn): Promise<number> {
  const { record } = bundle;
  const game = record.game[0];
  assert(game, 'the record holds no game');
  const ref = await refHere(service.db, game, given.as);
  const running = game.status !== 'over' && game.status !== 'cancelled';
  if (running && service.scenarios.open(String(game.scenario)).hash !== bundle.open.hash)
    throw new Fault(`the scenario ${game.scenario} of this club differs from the one the game is played with`);
  if (record.key_chain.some((row) => typeof row.root !== 'string'))
    throw new Fault(`game ${game.ref} was exported without its dice keys and can't be played on`);
  return inTransaction(service.db, async (trx) => {
    const id = await restoreRecord(trx, unproved(record, service.now()), importing(service, game, ref, running));
    const [prefix, number] = ref.split('-');
    await useUpRef(trx, String(prefix), Number(number));
    const { by: who, door } = given;
    const was = ref === game.ref ? {} : { was: String(game.ref) };
    await logAction(trx, { at: service.now(), gameId: id, who, door, what: 'import', detail: was, public: true });
    if (running) await goOnHere(service, trx, await gameById(trx, id), record);
    return id;
  });
}

function importing(
  service: Service,
  game: RecordRow,
  ref: string,
  running: boolean,
): Parameters<typeof restoreRecord>[2] {
  const settings = (game.settings ?? {}) as GameRow['settings'];
  return {
    seat: () => {
      const token = newToken(service);
      return { token_hash: token.hash, token_sealed: token.sealed };
    },
    chain: (row, gameId) => {
      const root = Buffer.from(String(row.root), 'hex');
      assert(chainKey(root, 0).toString('hex') === row.head, `a dice chain of ${game.ref} does not lead to its head`);
      const purpose = dicePurpose(gameId, String(row.kind));
      return { root_sealed: seal(service.secret, purpose, root, service.randomBytes(12)) };
    },
    game: () => ({
      ref,
      // Dice are named by the number the game began with, or its earlier rolls could not be checked any more.
      settings: ref === game.ref ? settings : { ...settings, diceName: settings.diceName ?? String(game.ref) },
      ...(running ? { status: 'paused', pause_reason: 'imported' } : {}),
    }),
  };
}

/** The record with every address unproved, one for each person, and nothing left open that names people by number. */
function unproved(record: GameRecord, now: Date): GameRecord {
  const first = new Map<unknown, RecordRow>();
  for (const row of record.address) {
    const other = first.get(row.person_id);
    if (!other || Number(row.place ?? 0) < Number(other.place ?? 0)) first.set(row.person_id, row);
  }
  return {
    ...record,
    address: [...first.values()].map((row) => ({ ...row, confirmed_at: null })),
    proposal: record.proposal.map((row) =>
      row.closed_at === null ? { ...row, closed_at: now.toISOString(), result: 'lapsed' } : row,
    ),
  };
}

/** New dice keys, and a mail to everybody who plays or runs it: with a code for whoever is not known here yet. */
async function goOnHere(service: Service, trx: Trx, game: GameRow, record: GameRecord): Promise<void> {
  const phase = await currentPhase(trx, game);
  const heads = phase ? await renewKeys(service, trx, game, phase, 'import') : { open: '', secret: '' };
  const people = new Set((await seatsOf(trx, game.id)).map((seat) => seat.person_id));
  people.add(game.master_id);
  const params = { club: service.config.club.name, game: game.ref, title: game.title };
  const asked = new Set<string>();
  for (const row of record.address) {
    const address = String(row.address).toLowerCase();
    const known = await personByAddress(trx, address);
    if (known && people.has(known.id)) await tellPerson(service, trx, known.id, { key: 'imported', params }, { game });
    if (known || asked.has(String(row.person_id)) || !concerns(record, row)) continue;
    asked.add(String(row.person_id));
    const name = String(record.person.find((one) => one.id === row.person_id)?.name ?? 'A player');
    const after = [{ text: 'REPORT', gameRef: game.ref, press: null }];
    const now = service.now();
    const code = await offerCode(
      { service, trx, now },
      { kind: 'signup', address, payload: { name, after }, days: 30 },
    );
    await tellAddress(
      service,
      trx,
      address,
      { key: 'imported asked', params: { ...params, ...heads, code }, title: `CONFIRM ${code}` },
      { game },
    );
  }
}

/** Does this address belong to somebody who holds a seat of the game or runs it, and is it his first? */
function concerns(record: GameRecord, row: RecordRow): boolean {
  const person = row.person_id;
  const plays = record.seat.some((seat) => seat.person_id === person) || record.game[0]?.master_id === person;
  return plays && unproved(record, new Date(0)).address.some((one) => one.address === row.address);
}
