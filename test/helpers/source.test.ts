import { expect, test } from 'vitest';
import { bare, divisions, functionsOf, identifiersOf, importsOf, sortsWithoutOrder } from './source.ts';

test('comments, strings, templates and patterns are no code', () => {
  const text = "const a = 'x / Date'; // await\n/* process */ const b = /a\\/[/]b/g.test(`c / $" + '{d / 2} Date`);';
  expect(bare(text)).toHaveLength(text.length);
  expect(divisions(text)).toEqual([2]);
  expect(identifiersOf(text).map(({ name }) => name)).toEqual(['const', 'a', 'const', 'b', 'test', 'd']);
});

test('a slash after a value divides, after an operator or keyword it opens a pattern', () => {
  expect(divisions('const half = (a + b) / 2;\nconst x = list[0] / y;')).toEqual([1, 2]);
  expect(divisions('return /a/.test(b) && /c/.test(d);\nconst p = [/x/, /y/];')).toEqual([]);
});

test('imports of values and types, side effects and dynamic ones', () => {
  const text =
    "import fs from 'node:fs';\nimport type {\n  A,\n} from './a.ts';\nimport './b.ts';\nawait import('./c.ts'); // import './d.ts'";
  expect(importsOf(text).map(({ specifier }) => specifier)).toEqual(['node:fs', './a.ts', './b.ts', './c.ts']);
});

test('sorting without an order', () => {
  expect(sortsWithoutOrder('a.sort();\nb.sort((x, y) => x - y);\nc.toSorted( );')).toEqual([1, 3]);
});

test('functions, methods and arrows are measured to their closing brace', () => {
  const text = [
    'export function one<T extends { a: string }>(a: T): { b: string } | undefined {',
    '  if (a) { return undefined; }',
    '  return { b: a.a };',
    '}',
    'const two = (x: number): number => {',
    '  return x;',
    '};',
    'const three = {',
    "  *four(x: { y: () => void } = {}): Generator<'a' | 'b', void, string[]> {",
    '    yield "a";',
    '  },',
    '};',
    'function holds(what: unknown): asserts what { if (!what) throw new Error(`no $' + '{what}`); }',
  ].join('\n');
  expect(functionsOf(text)).toEqual([
    { name: 'one', line: 1, lines: 4 },
    { name: 'four', line: 9, lines: 3 },
    { name: 'holds', line: 13, lines: 1 },
    { name: 'two', line: 5, lines: 3 },
  ]);
});
