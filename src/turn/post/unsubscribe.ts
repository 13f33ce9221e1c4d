/**
 * Leaving what is optional with one click (RFC 8058): a link in the header of such mails that switches off its one setting
 * and nothing else. It needs no sign-in, so its code is made from the service's secret and good for that setting alone.
 */
import { sha256 } from '../../kernel/hash.ts';
import { dropRoles } from '../../store/club.ts';
import { inTransaction } from '../../store/db.ts';
import { gameById, gameByRef } from '../../store/games.ts';
import { changePerson } from '../../store/members.ts';
import { personById } from '../../store/people.ts';
import type { GameRow, MailFacts, MailOutRow, Optional, PersonSettings } from '../../store/schema.ts';
import type { Service } from '../context.ts';

const MAC_CHARS = 32;
const CODE = /^(\d{1,12})-(digest|reminders|observer)-([A-Z]{2,4}-\d{4,6}|club)-([0-9a-f]{32})$/;

/** The command that does the same by mail. */
const COMMANDS: Record<Optional, (ref: string) => string> = {
  digest: () => 'SET DIGEST OFF',
  reminders: () => 'SET REMIND OFF',
  observer: (ref) => `SIGNOFF ${ref}`,
};

function macOf(service: Pick<Service, 'secret'>, about: string): string {
  return sha256(`unsubscribe ${about} ${service.secret.toString('hex')}`).slice(0, MAC_CHARS);
}

/** The code of one person's one setting. */
function unsubscribeCode(
  service: Pick<Service, 'secret'>,
  personId: number,
  what: Optional,
  ref: string | null,
): string {
  const about = `${personId}-${what}-${ref ?? 'club'}`;
  return `${about}-${macOf(service, about)}`;
}

/**
 * How a mail of the outbox is unsubscribed from; undefined where it isn't optional. One click only where the page is reached
 * by https and the mail is signed: what comes unsigned could be forged to unsubscribe somebody.
 */
export function unsubscribeOf(
  service: Service,
  row: MailOutRow,
  game: GameRow | null,
  to: string,
): { links: string[]; oneClick: boolean } | undefined {
  const { optional } = row.facts as Partial<Extract<MailFacts, { make: 'notice' }>>;
  if (optional === undefined || row.person_id === null) return undefined;
  const ref = optional === 'observer' ? (game?.ref ?? null) : null;
  const mailto = `mailto:${to}?subject=${encodeURIComponent(COMMANDS[optional](ref ?? ''))}`;
  const oneClick = service.config.baseUrl.startsWith('https://') && service.dkim !== undefined;
  const page = `${service.config.baseUrl}/unsubscribe/${unsubscribeCode(service, row.person_id, optional, ref)}`;
  return { links: oneClick ? [page, mailto] : [mailto], oneClick };
}

/** What a code is good for; undefined for a false one. */
export function readUnsubscribe(
  service: Pick<Service, 'secret'>,
  code: string,
): { personId: number; what: Optional; ref: string | null } | undefined {
  const match = CODE.exec(code);
  if (!match) return undefined;
  const [, person, what, ref, mac] = match;
  if (mac !== macOf(service, `${person}-${what}-${ref}`)) return undefined;
  return { personId: Number(person), what: what as Optional, ref: ref === 'club' ? null : ref! };
}

/** Switches off what a code is good for, and nothing else. False for a code that is false or of somebody who is gone. */
export async function unsubscribe(service: Service, code: string): Promise<boolean> {
  const read = readUnsubscribe(service, code);
  if (!read) return false;
  return inTransaction(service.db, async (trx) => {
    const person = await personById(trx, read.personId);
    if (!person || person.erased_at !== null) return false;
    const settings = { ...(person.settings as PersonSettings) };
    if (read.what === 'observer') {
      const game = read.ref === null ? undefined : await gameByRef(trx, read.ref);
      if (game) await dropRoles(trx, person.id, game.id, ['observer', 'monitor']);
    } else {
      if (read.what === 'digest') delete settings.digestHour;
      else settings.remind = [];
      await changePerson(trx, person.id, { settings });
    }
    return true;
  });
}

/** The list that the mails of a game are: its name for people and for machines. */
export async function listOf(
  service: Pick<Service, 'db' | 'profile'>,
  row: MailOutRow,
): Promise<{ game: GameRow; list: { name: string; id: string } } | undefined> {
  if (row.game_id === null) return undefined;
  const game = await gameById(service.db, row.game_id);
  return { game, list: { name: game.title, id: `${game.ref}.${service.profile.ownDomain}`.toLowerCase() } };
}
