/** Work that goes wrong again and again: nobody's mail is lost over it, and those concerned hear of it at once. */
import { parseMailboxes } from '../../mail/sender/address.ts';
import type { JobRow } from '../../store/club-schema.ts';
import { inTransaction, type Trx } from '../../store/db.ts';
import { gameById, seatByToken } from '../../store/games.ts';
import { countReply } from '../../store/mail.ts';
import { personByAddress } from '../../store/people.ts';
import type { MailInRow } from '../../store/schema.ts';
import { mailInOpened } from '../../store/trust/sealed.ts';
import type { Service } from '../context.ts';
import { tokenIn } from '../intake/accept.ts';
import { tellMaster, tellPerson, tellSeat } from '../post/notices.ts';
import { tokenHash } from '../seats.ts';

const WHY_CHARS_MAX = 500;
/** So many such notices a day for one address: anybody may write its name above a mail. */
const A_DAY_MAX = 3;

/** A mail that can't be read is kept and tried on; its author, his game's master and the operator are told. */
export async function tellMailTrouble(service: Service, mailId: number, why: string): Promise<void> {
  await inTransaction(service.db, async (trx) => {
    const row = await mailInOpened(trx, service.secret, mailId);
    if (row?.state !== 'new' || row.raw === null) return;
    const params = { number: mailId, why: why.slice(0, WHY_CHARS_MAX) };
    await tellMaster(service, trx, null, { key: 'mail trouble operator', params });
    await tellAuthor(service, trx, row, row.raw, params);
  });
}

async function tellAuthor(
  service: Service,
  trx: Trx,
  row: MailInRow,
  raw: Buffer,
  params: { number: number; why: string },
): Promise<void> {
  const token = tokenIn(raw, service.profile, row.envelope?.rcptTo ?? []);
  const seat = token === undefined ? undefined : await seatByToken(trx, tokenHash(token));
  if (seat) {
    const game = await gameById(trx, seat.game_id);
    await tellSeat(service, trx, game, seat, { key: 'mail trouble', params: { ...params, game: game.ref } });
    if (game.master_id !== null)
      await tellMaster(service, trx, game, { key: 'mail trouble master', params: { ...params, game: game.ref } });
    return;
  }
  const written = /^from[ \t]*:(.*(?:\r?\n[ \t].*)*)/im.exec(raw.subarray(0, 65_536).toString('latin1'))?.[1] ?? '';
  const address = parseMailboxes(written.replace(/\r?\n/g, ' '))[0]?.address;
  const person = address ? await personByAddress(trx, address) : undefined;
  if (!address || !person) return;
  const today = service.now().toISOString().slice(0, 10);
  if ((await countReply(trx, address, 'trouble', today)) > A_DAY_MAX) return;
  await tellPerson(service, trx, person.id, { key: 'mail trouble', params: { ...params, game: '-' } });
}

/** Any other job: the operator is told, and the master where it is about a game. */
export async function tellJobTrouble(service: Service, job: JobRow, why: string): Promise<void> {
  await inTransaction(service.db, async (trx) => {
    const game = job.game_id === null ? null : await gameById(trx, job.game_id);
    const params = { kind: job.kind, number: job.id, game: game?.ref ?? '-', why: why.slice(0, WHY_CHARS_MAX) };
    await tellMaster(service, trx, null, { key: 'job trouble', params });
    if (game?.master_id) await tellMaster(service, trx, game, { key: 'job trouble', params });
  });
}
