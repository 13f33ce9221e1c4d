/**
 * What the pages may change: each a deed of turn/, for somebody signed in. The pages themselves get a service that they
 * can only look through, so whatever a page does is done here, with its record.
 */

import { inTransaction } from '../store/db.ts';
import { logAction } from '../store/games.ts';
import { sendAgain } from '../store/mail.ts';
import { addSession, dropSession } from '../store/members.ts';
import { personByAddress, personFor } from '../store/people.ts';
import type { GameRow, MailOutRow, PersonRow, SeatRow } from '../store/schema.ts';
import { campaignBook } from './archive/campaignbook.ts';
import { type ExportOptions, exportGame } from './archive/export.ts';
import { handInByPage, type PageOrders, type PageReceipt } from './archive/show.ts';
import { type Look, noteLook } from './commands/impartial.ts';
import { commandOf, takeCode } from './commands/obey.ts';
import { maySendLinkByPage } from './commands/spending.ts';
import type { Service } from './context.ts';
import { offerCode, type Said } from './errand.ts';
import { tellPerson } from './post/notices.ts';
import { unsubscribe } from './post/unsubscribe.ts';

const DAY_MS = 86_400_000;
/** SET NAME changes it. */
const OPERATOR_NAME = 'Game master';

/** A command as a form of a page gives it: the name and the arguments of the mail command. */
interface PageCommand {
  person: PersonRow;
  seat?: SeatRow;
  name: string;
  args: Record<string, string>;
  press?: string;
}

export interface Deeds {
  command(given: PageCommand): Promise<Said>;
  /** Orders checked or filed; undefined when the seat can file nothing now. */
  handIn(given: PageOrders): Promise<PageReceipt | undefined>;
  /** Puts on record, for the players to read at the end, what somebody did or saw at the desk. */
  note(game: GameRow | null, who: string, what: string, why: string | null): Promise<void>;
  /** A look at hidden things from the desk: on record, remembered, told to the players at once. */
  look(game: GameRow, look: Omit<Look, 'door'>): Promise<void>;
  sendAgain(mail: MailOutRow): Promise<void>;
  exportGame(ref: string, options: ExportOptions): Promise<Buffer>;
  /** The book of a game that is over; made once. */
  book(game: GameRow): Promise<Buffer>;
  /** Mails a link to sign in, if the address is a member's; nobody learns whether it is. */
  mailSignIn(address: string, host: string | null): Promise<void>;
  /** Uses a link up for a session of so many days; false when it was used or is too old. */
  signIn(code: string, tokenHash: string, days: number): Promise<boolean>;
  signOut(tokenHash: string): Promise<void>;
  /** Switches off what the code of an optional mail is good for; false for a false code. */
  unsubscribe(code: string): Promise<boolean>;
}

/** The deeds of a service. */
export function deedsOf(service: Service): Deeds {
  return {
    command: (given) => inTransaction(service.db, (trx) => commandOf(service, trx, { ...given, door: 'web' })),
    handIn: (given) => handInByPage(service, given),
    note: (game, who, what, why) =>
      logAction(service.db, {
        at: service.now(),
        gameId: game?.id ?? null,
        who,
        door: 'web',
        what,
        why,
        public: game !== null,
      }),
    look: (game, look) =>
      inTransaction(service.db, (trx) => noteLook({ service, trx }, game, { ...look, door: 'web' })),
    sendAgain: (mail) => inTransaction(service.db, (trx) => sendAgain(trx, mail, service.now())),
    exportGame: (ref, options) => exportGame(service, ref, options),
    book: (game) => campaignBook(service, game),
    mailSignIn: (address, host) => mailSignIn(service, address, host),
    signIn: (code, tokenHash, days) => signIn(service, code, tokenHash, days),
    signOut: (tokenHash) => dropSession(service.db, tokenHash),
    unsubscribe: (code) => unsubscribe(service, code),
  };
}

async function mailSignIn(service: Service, address: string, host: string | null): Promise<void> {
  const person = await memberOf(service, address);
  if (!person || !(await maySendLinkByPage({ service, host }, person.id))) return;
  await inTransaction(service.db, async (trx) => {
    const code = await offerCode(
      { service, trx, now: service.now() },
      { kind: 'signin', address, personId: person.id, days: 1 / 48 },
    );
    const url = `${service.config.baseUrl}/signin/${code}`;
    await tellPerson(service, trx, person.id, {
      key: 'desk link',
      title: service.wording.say({ key: 'club.desk link title' }),
      params: { url },
    });
  });
}

/** The member of an address. The operator named in the settings is one from his first sign-in on. */
async function memberOf(service: Service, address: string): Promise<PersonRow | undefined> {
  if (address !== service.config.operatorEmail?.toLowerCase()) return personByAddress(service.db, address);
  const { club } = service.config;
  return personFor(service.db, { address, name: OPERATOR_NAME, zone: club.zone }, service.now());
}

async function signIn(service: Service, code: string, tokenHash: string, days: number): Promise<boolean> {
  const now = service.now();
  return inTransaction(service.db, async (trx) => {
    const found = await takeCode(service, trx, code);
    if (!found) return false;
    const expiresAt = new Date(now.getTime() + days * DAY_MS);
    await addSession(trx, { tokenHash, personId: found.personId, now, expiresAt });
    return true;
  });
}
