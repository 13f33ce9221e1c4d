/**
 * What stands in for `vitest` when tests are run again and again for one mutant after the other: the same words, the same
 * `expect`, but tests are kept as a list to be run by number. A word that isn't known here fails the run by its name.
 */
import { expect } from 'vitest';

type Body = (...given: unknown[]) => unknown;

export interface CollectedTest {
  name: string;
  /** What stands before all tests of its suites; does nothing the second time. */
  open: () => Promise<void>;
  run: () => Promise<void>;
}

interface Suite {
  name: string;
  outer: Suite | undefined;
  beforeAll: Body[];
  beforeEach: Body[];
  afterEach: Body[];
  opened: boolean;
}

/** The words of a test file, and the tests that they have named so far. */
export function collector(): { words: Record<string, unknown>; tests: CollectedTest[] } {
  const tests: CollectedTest[] = [];
  let suite = suiteIn(undefined, '');

  const describe = (name: string, ...given: unknown[]): void => {
    const body = bodyOf(given);
    const outer = suite;
    suite = suiteIn(outer, `${outer.name} ${name}`.trim());
    body();
    suite = outer;
  };
  const test = (name: string, ...given: unknown[]): void => {
    const body = bodyOf(given);
    const home = suite;
    tests.push({
      name: `${home.name} ${name}`.trim(),
      open: () => openAround(home),
      run: () => runIn(home, body),
    });
  };
  const words = {
    describe: Object.assign(describe, { each: each(describe) }),
    test: Object.assign(test, { each: each(test) }),
    beforeAll: (body: Body) => suite.beforeAll.push(body),
    beforeEach: (body: Body) => suite.beforeEach.push(body),
    afterEach: (body: Body) => suite.afterEach.push(body),
    afterAll: () => undefined,
    expect,
  };
  const strict = new Proxy(words as Record<string, unknown>, {
    get(known, word) {
      if (typeof word === 'string' && !(word in known) && word !== '__esModule')
        throw new Error(`test/mutate/collected.ts has no "${word}" of vitest yet`);
      return Reflect.get(known, word);
    },
  });
  return { words: strict, tests };
}

/** The body of a test: settings such as a time limit may stand before or after it. */
function bodyOf(given: readonly unknown[]): Body {
  const body = given.find((one) => typeof one === 'function');
  if (!body) throw new Error('a test without a body');
  return body as Body;
}

function suiteIn(outer: Suite | undefined, name: string): Suite {
  return { name, outer, beforeAll: [], beforeEach: [], afterEach: [], opened: false };
}

/** `test.each(rows)(name, body)`: a row that is an array is spread over the arguments. */
function each(word: (name: string, body: Body) => void) {
  return (rows: readonly unknown[]) =>
    (name: string, ...given: unknown[]): void => {
      const body = bodyOf(given);
      for (const row of rows) word(name, () => (Array.isArray(row) ? body(...row) : body(row)));
    };
}

/** From the outermost to the suite itself. */
function around(suite: Suite | undefined): Suite[] {
  return suite ? [...around(suite.outer), suite] : [];
}

async function openAround(suite: Suite): Promise<void> {
  for (const at of around(suite)) {
    if (at.opened) continue;
    at.opened = true;
    for (const open of at.beforeAll) await open();
  }
}

async function runIn(suite: Suite, body: Body): Promise<void> {
  await openAround(suite);
  for (const at of around(suite)) for (const before of at.beforeEach) await before();
  try {
    await body();
  } finally {
    for (const at of around(suite).toReversed()) for (const after of at.afterEach) await after();
  }
}
