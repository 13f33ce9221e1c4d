/** The web pages: express with server-rendered pages that need no script. Everything they show comes from turn/archive/show.ts. */
import type { Server } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import rateLimit from 'express-rate-limit';
import helmet from 'helmet';
import { openPages, webFolders } from '../render/letters/webpages.ts';
import type { Looking } from '../turn/context.ts';
import type { Deeds } from '../turn/deeds.ts';
import { deskPages } from './desk.ts';
import { health } from './health.ts';
import { unsubscribePages } from './leaving.ts';
import { type Deliver, demoPages } from './mailboxes.ts';
import { openMetrics } from './metrics.ts';
import { playerPages } from './mine.ts';
import { publicPages } from './public.ts';
import { signInPages } from './signin.ts';
import { notFound, PageError, type Site, show, told, visitOf, visitor } from './site.ts';

const PER_MINUTE = { requests: 300, forms: 60 };
const FORM_BYTES_MAX = 200 * 1024;

export interface WebOptions {
  host: string;
  port: number;
  /** Port of the mail listener, for the health page; none in tests of pages alone. */
  smtpPort?: number;
  imapState?(): string | undefined;
  /** Hands a mail to our own listener, for the demo's pages. */
  deliver?: Deliver;
  /** Requests and forms of one asker in a minute; tests ask more. */
  perMinute?: { requests: number; forms: number };
  /** Folders of pages, later ones over earlier ones; else ours and `templates/web` in the data folder. */
  templates?: readonly string[];
}

export interface Web {
  port: number;
  close(): Promise<void>;
}

/** Starts the pages. Rejects when the port can't be had. */
export async function startWeb(service: Looking, deeds: Deeds, options: WebOptions): Promise<Web> {
  const app = makeApp(service, deeds, options);
  const server = await new Promise<Server>((resolve, reject) => {
    const opening = app.listen(options.port, options.host, (error?: Error) =>
      error ? reject(error) : resolve(opening),
    );
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function makeApp(service: Looking, deeds: Deeds, options: WebOptions): express.Express {
  const app = express();
  const demo = service.config.demo && options.deliver !== undefined;
  const pages = openPages(options.templates ?? webFolders(service.config.dataDir));
  const site: Site = { service, deeds, pages, demo };
  app.disable('x-powered-by');
  // Behind a proxy on this machine, or one that the operator names, the asker's address is the one it gives.
  app.set('trust proxy', ['loopback', ...service.config.trustedProxies]);
  app.set('query parser', 'simple');
  mountHealth(app, service, options);
  app.use(guard(service));
  app.get('/:file', (request, response, next) => {
    const asset = site.pages.asset(String(request.params.file));
    if (!asset) return next();
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.type(String(request.params.file).endsWith('.js') ? 'text/javascript' : 'text/css').send(asset);
  });
  const most = options.perMinute ?? PER_MINUTE;
  const limits = { standardHeaders: 'draft-8' as const, legacyHeaders: false, windowMs: 60_000 };
  app.use(rateLimit({ ...limits, limit: most.requests }));
  app.use(rateLimit({ ...limits, limit: most.forms, skip: (request) => request.method !== 'POST' }));
  if (demo) mountDemo(app, site, options);
  app.use(express.urlencoded({ extended: false, limit: FORM_BYTES_MAX }));
  app.use(visitor(site));
  app.use((_request, response, next) => {
    // What a person sees is never kept by a cache on the way.
    if (visitOf(response).person) response.setHeader('Cache-Control', 'private, no-store');
    next();
  });
  app.use(unsubscribePages(site));
  app.use(signInPages(site));
  app.use(publicPages(site));
  app.use(playerPages(site));
  app.use(deskPages(site));
  app.use(() => {
    throw notFound();
  });
  app.use(onError(site));
  return app;
}

function guard(service: Looking): express.RequestHandler {
  const secure = service.config.baseUrl.startsWith('https:');
  return helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'none'"],
        imgSrc: ["'self'", 'data:'],
        styleSrc: ["'self'"],
        // Maps carry the letters they need; a picture is bound by the page it stands in.
        fontSrc: ['data:'],
        scriptSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        upgradeInsecureRequests: secure ? [] : null,
      },
    },
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: secure,
  });
}

/** Addresses of this machine, as a request has them. */
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

function mountHealth(app: express.Express, service: Looking, options: WebOptions): void {
  const metrics = openMetrics(service);
  const asked = { smtpPort: options.smtpPort, imapState: options.imapState ?? (() => undefined) };
  app.get('/healthz', async (_request, response) => {
    const { ok, parts } = await health(service, asked);
    response.status(ok ? 200 : 503).json({ ok, ...parts });
  });
  app.get('/readyz', async (_request, response) => {
    const { ok } = await health(service, asked);
    response
      .status(ok ? 200 : 503)
      .type('text')
      .send(ok ? 'ready\n' : 'not ready\n');
  });
  app.get('/metrics', async (request, response, next) => {
    if (!service.config.metrics && !LOOPBACK.test(request.ip ?? '')) return next();
    response.type(metrics.contentType).send(await metrics.metrics());
  });
}

function mountDemo(app: express.Express, site: Site, options: WebOptions): void {
  const { club } = site.service.config;
  const common = (title: string): Record<string, unknown> => ({
    title,
    club: club.name,
    zone: club.zone,
    lang: 'en',
    section: '',
    feed: false,
    person: null,
    isMaster: false,
    csrf: '',
    flash: '',
  });
  const { pages } = site;
  app.use(
    '/demo',
    demoPages(site.service, { pages, deliver: options.deliver!, smtpPort: options.smtpPort ?? 0, common }),
  );
}

function onError(site: Site) {
  return (problem: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const known = problem instanceof PageError ? problem : undefined;
    const status = known?.status ?? (problem as { status?: number }).status ?? 500;
    if (!known && status >= 500)
      site.service.log.error(
        { why: problem instanceof Error ? problem.message : String(problem), path: request.path },
        'a page failed',
      );
    if (status === 401 && request.method === 'GET') {
      response.redirect(303, '/signin');
      return;
    }
    const words = told(site, known?.key ?? (status < 500 ? 'unread request' : 'our fault'));
    response.status(status);
    if (!response.locals.visit) response.locals.visit = { person: null, token: '', csrf: '', isMaster: false };
    show(site, request, response, 'error', told(site, status === 404 ? 'title not found' : 'title sorry'), '', {
      status,
      words,
    });
  };
}
