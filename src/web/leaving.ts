/** The page behind the link in the header of optional mails. A mail program's POST is enough (RFC 8058); a person sees a button. */
import express, { type Request, type Response, type Router } from 'express';
import { readUnsubscribe } from '../turn/post/unsubscribe.ts';
import { notFound, type Site, show } from './site.ts';

export function unsubscribePages(site: Site): Router {
  const router = express.Router();
  // Programs that look at links before people do only ask; nothing but a POST changes anything.
  router.get('/unsubscribe/:code', (request, response) => page(site, request, response, false));
  router.post('/unsubscribe/:code', async (request, response) => {
    if (!(await site.deeds.unsubscribe(String(request.params.code)))) throw notFound();
    page(site, request, response, true);
  });
  return router;
}

function page(site: Site, request: Request, response: Response, done: boolean): void {
  const code = String(request.params.code);
  const read = readUnsubscribe(site.service, code);
  if (!read) throw notFound();
  response.setHeader('Cache-Control', 'no-store');
  const title = site.service.wording.say({ key: 'club.unsubscribe page' });
  show(site, request, response, 'unsubscribe', title, '', { title, code, done, what: read.what, ref: read.ref ?? '' });
}
