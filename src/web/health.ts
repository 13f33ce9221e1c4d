/** Whether the service is well, and the demo's pages: the least that a service shows of itself. */
import type { Server } from 'node:http';
import express from 'express';
import { sql } from 'kysely';
import { openPages } from '../render/webpages.ts';
import type { Service } from '../turn/context.ts';
import { type Deliver, demoPages } from './demo.ts';

export interface Web {
  port: number;
  close(): Promise<void>;
}

export interface WebOptions {
  host: string;
  port: number;
  smtpPort: number;
  imapState(): string | undefined;
  deliver: Deliver;
}

/** Is everything up that must be? The store answers, the listener listens, the mailbox is being read. */
export async function health(
  service: Service,
  options: WebOptions,
): Promise<{ ok: boolean; parts: Record<string, string> }> {
  const parts: Record<string, string> = { listener: `port ${options.smtpPort}` };
  try {
    await sql`select 1`.execute(service.db);
    parts.store = 'up';
  } catch {
    parts.store = 'down';
  }
  const imap = options.imapState();
  if (imap !== undefined) parts.imap = imap;
  return { ok: parts.store === 'up' && imap !== 'auth-failed', parts };
}

/** Starts the pages. Rejects when the port can't be had. */
export async function startWeb(service: Service, options: WebOptions): Promise<Web> {
  const app = express();
  app.disable('x-powered-by');
  app.get('/healthz', async (_request, response) => {
    const { ok, parts } = await health(service, options);
    response.status(ok ? 200 : 503).json({ ok, ...parts });
  });
  const pages = openPages();
  app.get('/style.css', (_request, response) => void response.type('css').send(pages.asset('style.css')));
  if (service.config.demo) {
    const { club } = service.config;
    const common = (title: string) => ({
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
    app.use('/demo', demoPages(service, { pages, deliver: options.deliver, smtpPort: options.smtpPort, common }));
    app.get('/', (_request, response) => response.redirect('/demo'));
  }
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
