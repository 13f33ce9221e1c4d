/** People and their addresses. */
import { type Db, type Reader, tables } from './db.ts';
import type { PersonRow } from './schema.ts';

/** The person who writes from this address, if we know one: an address that nobody has answered from is nobody's. */
export async function personByAddress(db: Reader, address: string): Promise<PersonRow | undefined> {
  return tables(db)
    .selectFrom('person')
    .innerJoin('address', 'address.person_id', 'person.id')
    .selectAll('person')
    .where('address.address', '=', address.toLowerCase())
    .where('address.confirmed_at', 'is not', null)
    .where('person.erased_at', 'is', null)
    .executeTakeFirst();
}

/** Every address of a person, the one mails go to first. */
export async function addressesOf(db: Reader, personId: number): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('address')
    .select('address')
    .where('person_id', '=', personId)
    .orderBy('place')
    .orderBy('created_at')
    .execute();
  return rows.map((row) => row.address);
}

/** The first address of a person from which nothing came back; the first of all where all have failed. */
export async function workingAddress(db: Reader, personId: number): Promise<string | undefined> {
  const row = await tables(db)
    .selectFrom('address')
    .select('address')
    .where('person_id', '=', personId)
    .where('confirmed_at', 'is not', null)
    .orderBy((address) => address('failed_at', 'is not', null))
    .orderBy('place')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return row?.address;
}

export async function personById(db: Reader, id: number): Promise<PersonRow | undefined> {
  return tables(db).selectFrom('person').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The person of this address, made when there is none yet. The name counts only for a new one. */
export async function personFor(
  db: Db,
  given: { address: string; name: string; zone: string },
  now: Date,
): Promise<PersonRow> {
  const address = given.address.toLowerCase();
  const known = await personByAddress(db, address);
  if (known) return known;
  // Taken in with a game, and now its owner has answered.
  const waiting = await tables(db)
    .updateTable('address')
    .set({ confirmed_at: now })
    .where('address', '=', address)
    .returning('person_id')
    .executeTakeFirst();
  const met = waiting && (await personById(db, waiting.person_id));
  if (met) return met;
  const person = await tables(db)
    .insertInto('person')
    .values({ name: given.name, zone: given.zone, created_at: now, erased_at: null })
    .returningAll()
    .executeTakeFirstOrThrow();
  await tables(db)
    .insertInto('address')
    .values({ address, person_id: person.id, confirmed_at: now, failed_at: null, created_at: now })
    .execute();
  return person;
}

/** Did mail to this address come back for good? */
export async function isUnreachable(db: Reader, address: string): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('address')
    .select('failed_at')
    .where('address', '=', address)
    .executeTakeFirst();
  return row !== undefined && row.failed_at !== null;
}

/** Since when mail to an address comes back for good; null: it works. */
export async function setUnreachable(db: Db, address: string, since: Date | null): Promise<void> {
  await tables(db).updateTable('address').set({ failed_at: since }).where('address', '=', address).execute();
}
