import { expect } from 'vitest';
import type { Web } from '../../src/web/server.ts';
import type { Correspondent } from './club.ts';
import type { TestService } from './service.ts';

/** What came back from a page. */
interface Page {
  status: number;
  text: string;
  type: string;
  headers: Headers;
}

/** A reader of the pages: keeps cookies, follows redirects after forms. */
export interface Reader {
  get(path: string): Promise<Page>;
  /** Sends a form; the session's token is put in unless `fields` gives one. */
  post(path: string, fields?: Record<string, string>): Promise<Page>;
  cookies: Map<string, string>;
}

export function reader(web: Web): Reader {
  const cookies = new Map<string, string>();
  let csrf = '';
  const request = async (path: string, init: RequestInit = {}): Promise<Page> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`http://127.0.0.1:${web.port}${path}`, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string>), ...(cookie ? { cookie } : {}) },
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      if (value === '') cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    const next = response.headers.get('location');
    if (response.status === 303 && next) return request(next);
    const text = await response.text();
    csrf = /name="csrf" value="([0-9a-f]{40})"/.exec(text)?.[1] ?? csrf;
    return {
      status: response.status,
      text,
      type: response.headers.get('content-type') ?? '',
      headers: response.headers,
    };
  };
  return {
    cookies,
    get: (path) => request(path),
    post: (path, fields = {}) =>
      request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ csrf, ...fields }).toString(),
      }),
  };
}

/** Signs a person in by the link that is mailed to him. */
export async function signIn(web: Web, one: TestService, person: Correspondent): Promise<Reader> {
  const visitor = reader(web);
  await visitor.post('/signin', { address: person.address });
  await one.settle();
  const code = /\/signin\/([A-Z0-9-]{14})/.exec(person.newest().text)?.[1];
  expect(code, 'a link came').toBeDefined();
  await visitor.get(`/signin/${code}`);
  const page = await visitor.post(`/signin/${code}`);
  expect(page.status).toBe(200);
  return visitor;
}
