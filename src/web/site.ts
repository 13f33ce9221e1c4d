/** What every page is given: the service, the templates, who is looking. Sessions, forms' tokens, plain errors. */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { sha256 } from '../kernel/hash.ts';
import type { Param } from '../kernel/types.ts';
import type { WebPages } from '../render/letters/webpages.ts';
import { gameByRef } from '../store/games.ts';
import { sessionPerson } from '../store/members.ts';
import type { GameRow, PersonRow } from '../store/schema.ts';
import { mastersSomething } from '../turn/commands/anyone.ts';
import type { Looking } from '../turn/context.ts';
import type { Deeds } from '../turn/deeds.ts';

const COOKIE = 'fieldpost';
export const SESSION_DAYS = 30;
const FLASH = 'fieldpost-said';
const FLASH_CHARS_MAX = 1500;

export interface Site {
  service: Looking;
  deeds: Deeds;
  pages: WebPages;
  /** The demo club's mailboxes are shown. */
  demo: boolean;
}

/** Who is looking. */
export interface Visit {
  person: PersonRow | null;
  /** The session's token; empty for a stranger. */
  token: string;
  csrf: string;
  isMaster: boolean;
}

/** What went wrong, as a page may say it: by its key in templates/en/web.json. */
export class PageError extends Error {
  override name = 'PageError';
  readonly status: number;
  readonly key: string;
  constructor(status: number, key: string) {
    super(key);
    this.status = status;
    this.key = key;
  }
}

/** A text of the pages, by its key in templates/en/web.json. */
export function told(
  site: { service: Pick<Looking, 'wording'> },
  key: string,
  params: Record<string, Param> = {},
): string {
  return site.service.wording.say({ key: `web.${key}`, params });
}

/** The same words for what is not there and what may not be seen. */
export function notFound(): PageError {
  return new PageError(404, 'no page');
}

function cookieOf(request: Request, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return decodeSafely(part.slice(at + 1).trim());
  }
  return undefined;
}

function decodeSafely(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function setCookie(site: Site, response: Response, name: string, value: string, maxAgeSeconds: number): void {
  response.cookie(name, value, {
    httpOnly: true,
    sameSite: 'lax',
    secure: site.service.config.baseUrl.startsWith('https:'),
    path: '/',
    maxAge: maxAgeSeconds * 1000,
  });
}

/** What is kept of a session's token. */
export function sessionHash(token: string): string {
  return sha256(`session ${token}`);
}

export function startSession(site: Site, response: Response, token: string): void {
  setCookie(site, response, COOKIE, token, SESSION_DAYS * 86_400);
}

export async function endSession(site: Site, response: Response, visit: Visit): Promise<void> {
  if (visit.token !== '') await site.deeds.signOut(sessionHash(visit.token));
  response.clearCookie(COOKIE, { path: '/' });
}

/** The token that every form of a session carries. */
function csrfOf(service: Pick<Looking, 'secret'>, token: string): string {
  return token === '' ? '' : sha256(`form ${token} ${service.secret.toString('hex')}`).slice(0, 40);
}

/** Reads who is looking before any page is made. */
export function visitor(site: Site): RequestHandler {
  return async (request: Request, response: Response, next: NextFunction) => {
    const token = cookieOf(request, COOKIE) ?? '';
    const { db } = site.service;
    const known = /^[0-9a-f]{64}$/.test(token);
    const person = known ? await sessionPerson(db, sessionHash(token), site.service.now()) : undefined;
    const visit: Visit = {
      person: person ?? null,
      token: person ? token : '',
      csrf: person ? csrfOf(site.service, token) : '',
      isMaster: person ? await mastersSomething(site.service, person.id) : false,
    };
    response.locals.visit = visit;
    next();
  };
}

export function visitOf(response: Response): Visit {
  return response.locals.visit as Visit;
}

/** The person who must be signed in for this page; a stranger is asked to sign in. */
export function mustPerson(response: Response): PersonRow {
  const { person } = visitOf(response);
  if (!person) throw new PageError(401, 'sign in first');
  return person;
}

/** Refuses a form that did not come from our own page of this session. */
export function checkForm(site: Site, request: Request, response: Response): Record<string, string> {
  const visit = visitOf(response);
  const body = (request.body ?? {}) as Record<string, unknown>;
  const sent = String(body.csrf ?? '');
  if (visit.token === '' || sent !== csrfOf(site.service, visit.token)) throw new PageError(403, 'form expired');
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) if (typeof value === 'string') fields[name] = value;
  return fields;
}

/** Renders a page with what all pages need. */
export function show(
  site: Site,
  request: Request,
  response: Response,
  name: string,
  title: string,
  section: string,
  data: Record<string, unknown>,
): void {
  const visit = visitOf(response);
  const { config } = site.service;
  const flash = cookieOf(request, FLASH) ?? '';
  if (flash !== '') response.clearCookie(FLASH, { path: '/' });
  response.type('html').send(
    site.pages.page(name, {
      title,
      section,
      lang: 'en',
      club: config.club.name,
      zone: visit.person?.zone ?? config.club.zone,
      person: visit.person ? { name: visit.person.name } : null,
      isMaster: visit.isMaster,
      csrf: visit.csrf,
      flash,
      feed: true,
      ...data,
    }),
  );
}

/** Sends on to a page, which then shows what was said. */
export function say(site: Site, response: Response, to: string, words: readonly string[]): void {
  setCookie(site, response, FLASH, words.join(' ').replace(/\s+/g, ' ').slice(0, FLASH_CHARS_MAX), 60);
  response.redirect(303, to);
}

/** The game of a path. */
export async function gameOf(site: Site, request: Request): Promise<GameRow> {
  const ref = String(request.params.ref ?? '');
  const game = /^[A-Za-z]{2,4}-\d{4,6}$/.test(ref) ? await gameByRef(site.service.db, ref) : undefined;
  if (!game) throw notFound();
  return game;
}
