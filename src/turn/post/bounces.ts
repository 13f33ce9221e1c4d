/** Mails of ours that came back: a permanent failure silences the seat until it writes again, and its master is told. */

import type { InboundMessage } from '../../mail/inbound.ts';
import { parsePlusTag } from '../../mail/sender/address.ts';
import type { Trx } from '../../store/db.ts';
import { gameById, seatById } from '../../store/games.ts';
import { mailOutByMessageId } from '../../store/mail.ts';
import { setUnreachable } from '../../store/people.ts';
import type { GameRow, MailOutRow, SeatRow } from '../../store/schema.ts';
import { setSeatUnreachable } from '../../store/seats.ts';
import type { Service } from '../context.ts';
import { mailMaster, notice } from './outbox.ts';

/** The envelope sender of a mail of ours: names it without telling anybody how to forge a bounce of another one. */
export function bounceAddress(service: Pick<Service, 'profile'>, messageId: string): string {
  const tag = /^<([0-9a-f]+)@/.exec(messageId)?.[1] ?? '';
  return `bounces+${tag}@${service.profile.ownDomain}`;
}

/** Records a bounce. Only one that names a mail we really sent (by its secret number) silences anybody. */
export async function noteBounce(
  service: Service,
  trx: Trx,
  message: InboundMessage,
  rcptTo: readonly string[],
): Promise<{ verdict: string; game?: GameRow; seat?: SeatRow; detail?: Record<string, unknown> }> {
  const { bounce } = message;
  const detail = { status: bounce?.status ?? null, recipient: bounce?.finalRecipient ?? null };
  const sent = await mailMeant(service, trx, message, rcptTo);
  if (!bounce?.permanent || !sent) return { verdict: bounce?.permanent ? 'bounce' : 'bounce delayed', detail };
  const now = service.now();
  await setUnreachable(trx, sent.to_address, now);
  if (sent.seat_id === null) return { verdict: 'bounce', detail };
  const seat = await seatById(trx, sent.seat_id);
  const game = await gameById(trx, seat.game_id);
  if (seat.mail_failed_at === null) {
    await setSeatUnreachable(trx, seat.id, now);
    const facts = notice(service, 'bounced', { game: game.ref, side: seat.side, status: bounce.status ?? '?' });
    await mailMaster(service, trx, game, { kind: 'notice', facts });
  }
  return { verdict: 'bounce', game, seat, detail };
}

async function mailMeant(
  service: Service,
  trx: Trx,
  message: InboundMessage,
  rcptTo: readonly string[],
): Promise<MailOutRow | undefined> {
  const ids = [...rcptTo, ...message.recipients].flatMap((address) => {
    const own = parsePlusTag(address, service.profile);
    return own?.mailbox === 'bounces' && own.tag ? [`<${own.tag}@${service.profile.ownDomain}>`] : [];
  });
  if (message.bounce?.originalMessageId) ids.push(message.bounce.originalMessageId);
  return mailOutByMessageId(trx, ids);
}
