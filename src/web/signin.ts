/** Signing in by a link that is mailed to a member's address. The link opens a form, so that a mail scanner uses nothing up. */
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import rateLimit from 'express-rate-limit';
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
  told,
  visitOf,
} from './site.ts';

const TRIES_MAX = 30;
const ADDRESS_CHARS_MAX = 254;
const WINDOW_MS = 15 * 60_000;
const CODE = /^[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$/;

/** A form of another site starts no session: who signs in is to know that he does, and as whom. */
function ownSite(request: Request, _response: Response, next: NextFunction): void {
  if (request.method === 'POST') {
    const from = request.headers.origin;
    const foreign = request.headers['sec-fetch-site'];
    const host = from !== undefined && URL.canParse(from) ? new URL(from).host : undefined;
    if ((foreign !== undefined && foreign !== 'same-origin') || (from !== undefined && host !== request.headers.host))
      throw new PageError(403, 'foreign form');
  }
  next();
}

export function signInPages(site: Site): Router {
  const router = express.Router();
  const { service } = site;
  const slow = rateLimit({ windowMs: WINDOW_MS, limit: TRIES_MAX, standardHeaders: 'draft-8', legacyHeaders: false });
  router.get('/signin', (request, response) =>
    show(site, request, response, 'signin', told(site, 'title sign in'), 'signin', { code: '', sent: false }),
  );
  router.use('/signin', ownSite);
  router.post('/signin', slow, async (request, response) => {
    const address = String((request.body as Record<string, unknown>)?.address ?? '')
      .trim()
      .toLowerCase();
    if (address.length <= ADDRESS_CHARS_MAX) await site.deeds.mailSignIn(address, request.ip ?? null);
    // The same page whether the address is known or not.
    show(site, request, response, 'signin', told(site, 'title sign in'), 'signin', { code: '', sent: true });
  });
  router.get('/signin/:code', slow, (request, response) => {
    const code = String(request.params.code).toUpperCase();
    if (!CODE.test(code)) throw new PageError(400, 'half a link');
    response.setHeader('Cache-Control', 'no-store');
    show(site, request, response, 'signin', told(site, 'title sign in'), 'signin', { code, sent: false });
  });
  router.post('/signin/:code', slow, async (request, response) => {
    const code = String(request.params.code).toUpperCase();
    const token = service.randomBytes(32).toString('hex');
    const taken = CODE.test(code) && (await site.deeds.signIn(code, sessionHash(token), SESSION_DAYS));
    if (!taken) throw new PageError(400, 'old link');
    startSession(site, response, token);
    response.redirect(303, '/mine');
  });
  router.post('/signout', async (request, response) => {
    checkForm(site, request, response);
    await endSession(site, response, visitOf(response));
    say(site, response, '/', [told(site, 'signed out')]);
  });
  return router;
}
