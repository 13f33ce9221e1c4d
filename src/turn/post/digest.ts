/** One mail a day instead of a notice each time, for whoever asked for it (SET DIGEST hour). What is urgent never waits. */
import { inTransaction, type Trx } from '../../store/db.ts';
import { enqueue } from '../../store/jobs.ts';
import { addDigestItem, takeDigestItems } from '../../store/members.ts';
import { personById } from '../../store/people.ts';
import type { MailFacts } from '../../store/schema.ts';
import type { Service } from '../context.ts';
import { nextDeadline, usualRule } from '../time/instants.ts';
import { mailPerson } from './outbox.ts';

/** Notices that may wait: nothing is to be done about them before tomorrow. */
const MAY_WAIT = new Set([
  'new player',
  'seat vacant',
  'seat free',
  'schedule changed',
  'stand-in began',
  'stand-in handed back',
  'proposal refused',
  'announcement',
  'press',
]);

/** Puts a notice aside for the person's next digest; false when he wants none or it can't wait. */
export async function putAside(
  service: Service,
  trx: Trx,
  personId: number,
  notice: { key: string; facts: Extract<MailFacts, { make: 'notice' }>; gameId: number | null },
): Promise<boolean> {
  if (!MAY_WAIT.has(notice.key)) return false;
  const person = await personById(trx, personId);
  const hour = person?.settings?.digestHour;
  if (!person || hour === undefined) return false;
  const now = service.now();
  await addDigestItem(trx, {
    personId,
    gameId: notice.gameId,
    title: notice.facts.title,
    paragraphs: notice.facts.paragraphs,
    now,
  });
  const rule = { ...usualRule(1, person.zone), hour };
  const half = new Date(now.getTime() - 12 * 3_600_000);
  // The first time the clock shows that hour from now on.
  const today = nextDeadline(rule, half);
  const runAt = today > now ? today : nextDeadline(rule, now);
  await enqueue(trx, { kind: 'digest', payload: { personId }, runAt, dedupeKey: `digest:${personId}` }, now);
  return true;
}

/** Mails everything put aside for a person. */
export async function sendDigest(service: Service, personId: number): Promise<void> {
  await inTransaction(service.db, async (trx) => {
    const items = await takeDigestItems(trx, personId);
    if (items.length === 0) return;
    const say = (key: string): string => service.wording.say({ key: `club.${key}`, params: { count: items.length } });
    const paragraphs = items.flatMap((item) => [`== ${item.title}`, ...item.paragraphs]);
    await mailPerson(
      service,
      trx,
      { id: personId },
      {
        kind: 'notice',
        facts: {
          make: 'notice',
          title: say('digest title'),
          paragraphs: [say('digest'), ...paragraphs],
          optional: 'digest',
        },
      },
    );
  });
}
