/** Signing in by a link that is mailed to a member's address. The link opens a form, so that a mail scanner uses nothing up. */
import express, { type Router } from 'express';
import rateLimit from 'express-rate-limit';
import { inTransaction } from '../store/db.ts';
import { addSession } from '../store/members.ts';
import { personByAddress, personFor } from '../store/people.ts';
import type { PersonRow } from '../store/schema.ts';
import { takeCode } from '../turn/commands/obey.ts';
import type { Service } from '../turn/context.ts';
import { offerCode } from '../turn/errand.ts';
import { tellPerson } from '../turn/post/notices.ts';
import {
  checkForm,
  endSession,
  PageError,
  SESSION_DAYS,
  type Site,
  say,
  sessionHash,
  show,
  startSession,
  visitOf,
} from './site.ts';

const DAY_MS = 86_400_000;
const TRIES_MAX = 30;
const ADDRESS_CHARS_MAX = 254;
const WINDOW_MS = 15 * 60_000;
/** SET NAME changes it. */
const OPERATOR_NAME = 'Game master';
const CODE = /^[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$/;

export function signInPages(site: Site): Router {
  const router = express.Router();
  const { service } = site;
  const slow = rateLimit({ windowMs: WINDOW_MS, limit: TRIES_MAX, standardHeaders: 'draft-8', legacyHeaders: false });
  router.get('/signin', (request, response) =>
    show(site, request, response, 'signin', 'Sign in', 'signin', { code: '', sent: false }),
  );
  router.post('/signin', slow, async (request, response) => {
    const address = String((request.body as Record<string, unknown>)?.address ?? '')
      .trim()
      .toLowerCase();
    const person = address.length <= ADDRESS_CHARS_MAX ? await memberOf(service, address) : undefined;
    if (person)
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
    // The same page whether the address is known or not.
    show(site, request, response, 'signin', 'Sign in', 'signin', { code: '', sent: true });
  });
  router.get('/signin/:code', slow, (request, response) => {
    const code = String(request.params.code).toUpperCase();
    if (!CODE.test(code)) throw new PageError(400, 'This link is not complete. Copy it whole from the mail.');
    response.setHeader('Cache-Control', 'no-store');
    show(site, request, response, 'signin', 'Sign in', 'signin', { code, sent: false });
  });
  router.post('/signin/:code', slow, async (request, response) => {
    const code = String(request.params.code).toUpperCase();
    const now = service.now();
    const token = service.randomBytes(32).toString('hex');
    const taken = await inTransaction(service.db, async (trx) => {
      const found = CODE.test(code) ? await takeCode(service, trx, code) : undefined;
      if (found)
        await addSession(trx, {
          tokenHash: sessionHash(token),
          personId: found.personId,
          now,
          expiresAt: new Date(now.getTime() + SESSION_DAYS * DAY_MS),
        });
      return found;
    });
    if (!taken) throw new PageError(400, 'This link was used or is too old. Ask for a new one.');
    startSession(site, response, token);
    response.redirect(303, '/mine');
  });
  router.post('/signout', async (request, response) => {
    checkForm(site, request, response);
    await endSession(site, response, visitOf(response));
    say(site, response, '/', ['You are signed out.']);
  });
  return router;
}

/** The member of an address. The operator named in the settings is one from his first sign-in on. */
async function memberOf(service: Service, address: string): Promise<PersonRow | undefined> {
  if (address !== service.config.operatorEmail?.toLowerCase()) return personByAddress(service.db, address);
  const { club } = service.config;
  return personFor(service.db, { address, name: OPERATOR_NAME, zone: club.zone }, service.now());
}
