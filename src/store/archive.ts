/** Bytes made from stored facts (maps), kept as they were first made. */
import { sha256 } from '../kernel/hash.ts';
import { type Db, type Reader, tables } from './db.ts';

export async function storedArtifact(
  db: Reader,
  phaseId: number,
  viewer: string,
  kind: string,
): Promise<Buffer | undefined> {
  const row = await tables(db)
    .selectFrom('artifact')
    .select('bytes')
    .where('phase_id', '=', phaseId)
    .where('viewer', '=', viewer)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row?.bytes;
}

/** Keeps bytes unless some are kept already. */
export async function keepArtifact(
  db: Db,
  made: { phaseId: number; viewer: string; kind: string; contentType: string; bytes: Buffer; now: Date },
): Promise<void> {
  await tables(db)
    .insertInto('artifact')
    .values({
      phase_id: made.phaseId,
      viewer: made.viewer,
      kind: made.kind,
      content_type: made.contentType,
      bytes: made.bytes,
      digest: sha256(made.bytes),
      created_at: made.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
