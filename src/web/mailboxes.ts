/**
 * The demo club's pages: both players' mailboxes with every mail and its files, and a form that writes a mail as either
 * player through the real listener. Mounted only where the demo is on, which is never on a host others can reach.
 */
import express, { type Router } from 'express';
import type { WebPages } from '../render/letters/webpages.ts';
import { gameByRef, seatsOf } from '../store/games.ts';
import { mailbox, mailOutById } from '../store/mail.ts';
import { addressesOf, personById } from '../store/people.ts';
import { openMail } from '../store/trust/sealed.ts';
import { isDemoAddress, viewMail } from '../turn/archive/mailview.ts';
import type { Looking } from '../turn/context.ts';
import { DEMO_ADDRESSES, demoGame } from '../turn/democlub.ts';
import { addressOfSeat } from '../turn/seats.ts';
import { told } from './site.ts';

const MAILS_SHOWN = 100;
const WORDS_BYTES_MAX = 100 * 1024;

/** Hands a written mail to our own listener, as a player's mail program would. */
export type Deliver = (mail: { from: string; to: string; subject: string; text: string }) => Promise<void>;

export interface DemoOptions {
  pages: WebPages;
  deliver: Deliver;
  smtpPort: number;
  /** What goes to every page: title, club, zone … */
  common(title: string): Record<string, unknown>;
}

interface DemoSeat {
  address: string;
  name: string;
  side: string;
  /** Where this seat's orders go. */
  orders: string;
}

/** The pages, to be mounted at `/demo`. */
export function demoPages(service: Looking, options: DemoOptions): Router {
  const router = express.Router();
  const { pages, common } = options;
  router.use(express.urlencoded({ extended: false, limit: WORDS_BYTES_MAX }));
  router.get('/', async (_request, response) => {
    const seats = await demoSeats(service);
    const game = await demoGame(service);
    const mails = await Promise.all(seats.map((seat) => boxOf(service, seat)));
    response.send(
      pages.page('demo', {
        ...common(told({ service }, 'title demo')),
        game: game ?? '',
        mails,
        smtpPort: options.smtpPort,
      }),
    );
  });
  router.get('/mail/:id', async (request, response) => {
    const mail = await demoMail(service, Number(request.params.id));
    if (!mail)
      return void response.status(404).send(pages.page('demo-none', common(told({ service }, 'no such mail'))));
    const view = await viewMail(mail.raw);
    const files = view.files.map((file, i) => ({ name: file.name, type: file.type, n: i, kb: kilobytes(file.bytes) }));
    response.send(pages.page('demo-mail', { ...common(view.subject), id: mail.id, mail: { ...view, files } }));
  });
  router.get('/mail/:id/file/:n', async (request, response) => {
    const mail = await demoMail(service, Number(request.params.id));
    const file = mail && (await viewMail(mail.raw)).files[Number(request.params.n)];
    if (!file)
      return void response.status(404).send(pages.page('demo-none', common(told({ service }, 'no such file'))));
    response
      .type(file.type)
      .setHeader('Content-Disposition', `inline; filename="${file.name.replace(/[^\w.-]/g, '_')}"`);
    response.send(file.bytes);
  });
  router.post('/send', async (request, response) => {
    const { from, subject, text } = request.body as Record<string, string | undefined>;
    const seat = (await demoSeats(service)).find((one) => `${one.side}/${one.address}` === from);
    if (!seat)
      return void response.status(400).send(pages.page('demo-none', common(told({ service }, 'no such player'))));
    const line = (subject ?? '').replace(/\s+/g, ' ').slice(0, 200);
    await options.deliver({ from: seat.address, to: seat.orders, subject: line, text: text ?? '' });
    response.redirect(303, '/demo');
  });
  return router;
}

async function demoSeats(service: Looking): Promise<DemoSeat[]> {
  const ref = await demoGame(service);
  const game = ref === undefined ? undefined : await gameByRef(service.db, ref);
  if (!game) return [];
  const { scenario } = service.scenarios.open(game.scenario);
  const seats: DemoSeat[] = [];
  for (const seat of await seatsOf(service.db, game.id)) {
    const person = seat.person_id === null ? undefined : await personById(service.db, seat.person_id);
    const address = person && (await addressesOf(service.db, person.id)).find(isDemoAddress);
    if (!person || !address) continue;
    const side = scenario.sides.find((one) => one.id === seat.side)?.name ?? seat.side;
    seats.push({ address, name: person.name, side, orders: addressOfSeat(service, seat) });
  }
  return seats;
}

async function boxOf(service: Looking, seat: DemoSeat) {
  const rows = await mailbox(service.db, seat.address, MAILS_SHOWN);
  const mails = rows.map((row) => ({
    id: row.id,
    subject: row.subject ?? 'being written …',
    kind: row.kind,
    at: row.created_at.toISOString().slice(0, 16).replace('T', ' '),
    ready: row.raw !== null,
  }));
  return { ...seat, key: `${seat.side}/${seat.address}`, mails };
}

async function demoMail(service: Looking, id: number): Promise<{ id: number; raw: Buffer } | undefined> {
  const row = Number.isSafeInteger(id) ? await mailOutById(service.db, id) : undefined;
  if (!row || row.raw === null || !DEMO_ADDRESSES.includes(row.to_address)) return undefined;
  return { id: row.id, raw: openMail(service.secret, row.raw) };
}

function kilobytes(bytes: Buffer): number {
  return Math.max(1, Math.round(bytes.length / 1024));
}
