import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countRows, idsNamed, ledgers, provingTexts, readLedger } from '../../src/cli/ledger.ts';

describe('readLedger', () => {
  test('finds its columns by name', () => {
    const text = 'id\tsection\tby_mail\tpart\n1.1-a\tMove\t\tbase\n1.1-b\tMove\tno table\tbase\n1.2\tFire\t-\tlate\n';
    expect(readLedger(text)).toEqual([
      { id: '1.1-a', byMail: '', part: 'base' },
      { id: '1.1-b', byMail: 'no table', part: 'base' },
      { id: '1.2', byMail: '', part: 'late' },
    ]);
  });

  test('refuses a ledger without ids and an id given twice', () => {
    expect(() => readLedger('rule\nx')).toThrow('no column "id"');
    expect(() => readLedger('id\trule\nA\tx\nA\ty')).toThrow("the ledger's row 3 has the id A again");
    expect(() => readLedger('id\trule\n\tx')).toThrow("the ledger's row 2 has no id");
  });
});

describe('provingTexts', () => {
  test('titles, tables of each, and lists that titles are made from', () => {
    const source = `
      test('OVL-1: a unit moves', () => { expect('OVL-9').toBe(1); });
      describe("OVL-2", () => it.concurrent(\`OVL-3 stops\`, f));
      test.each([['OVL-4', 1], ["OVL-5 (b)", 2]])('%s and OVL-6', f);
      const rows = [{ id: 'OVL-7' }];
      for (const row of rows) test(row.id, f);
      test.skip('OVL-8', f);
      test.todo('OVL-10');`;
    const texts = provingTexts(source).join(' ');
    for (const n of [1, 2, 3, 4, 5, 6, 7]) expect(texts).toContain(`OVL-${n}`);
    for (const n of [8, 9, 10]) expect(texts).not.toContain(`OVL-${n}`);
  });
});

test('an id is named only as a word of its own', () => {
  const ids = ['1-a', '1.1-a', 'C0.1a', 'OVL-MOV-01'];
  expect([...idsNamed(ids, ['1.1-a: moves', 'C0.1ab', 'OVL-MOV-012'])]).toEqual(['1.1-a']);
  expect([...idsNamed(ids, ['(1-a, C0.1a).', 'OVL-MOV-01/OVL-MOV-02'])]).toEqual(['1-a', 'C0.1a', 'OVL-MOV-01']);
});

test('a row with a reason is not applicable even where a test names it', () => {
  const rows = readLedger('id\tby_mail\nA\t\nB\tno table\nC\t\n');
  expect(countRows(rows, new Set(['A', 'B']))).toEqual({ rules: 3, proved: 1, notApplicable: 1, open: 1 });
});

describe('ledgers of a folder', () => {
  let root: string;
  const write = (name: string, text: string): void => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  };

  beforeAll(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-ledger-'));
    write('scenarios/race/rules.tsv', 'id\tby_mail\tpart\nR1\t\tbase\nR2\t\tlate\nR3\tno table\tlate\n');
    write('scenarios/quiet/notes.txt', '');
    write('test/systems/race/deep/moves.test.ts', "test('R1 moves', f);");
    write('test/systems/other/moves.test.ts', "test('R2 moves', f);");
  });
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  test('counts per system and part, from the tests of that system alone', () => {
    expect(ledgers(root)).toEqual([
      {
        count: {
          system: 'race',
          rules: 3,
          proved: 1,
          notApplicable: 1,
          open: 1,
          parts: [
            { part: 'base', rules: 1, proved: 1, notApplicable: 0, open: 0 },
            { part: 'late', rules: 2, proved: 0, notApplicable: 1, open: 1 },
          ],
        },
        open: ['R2'],
      },
    ]);
  });
});
