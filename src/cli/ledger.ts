/** `fieldpost ledger`: how far the rules of each system are proved. Reads scenarios/<system>/rules.tsv and the tests. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface LedgerRow {
  id: string;
  /** Why the rule doesn't apply by mail; empty: it does. */
  byMail: string;
  part: string;
}

export interface LedgerCount {
  rules: number;
  proved: number;
  notApplicable: number;
  open: number;
}

interface SystemLedger extends LedgerCount {
  system: string;
  /** Where the ledger has a column `part`. */
  parts?: (LedgerCount & { part: string })[];
}

/** Reads a ledger. The first line names the columns; `id` must be there and be different in each row. */
export function readLedger(text: string): LedgerRow[] {
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const columns = head.split('\t');
  const at = (name: string): number => columns.indexOf(name);
  if (at('id') < 0) throw new Error('the ledger has no column "id"');
  const seen = new Set<string>();
  return lines.map((line, i) => {
    const cells = line.split('\t');
    const cell = (name: string): string => (at(name) < 0 ? '' : (cells[at(name)] ?? '').trim());
    const id = cell('id');
    if (id === '' || seen.has(id))
      throw new Error(`the ledger's row ${i + 2} has ${id ? `the id ${id} again` : 'no id'}`);
    seen.add(id);
    return { id, byMail: cell('by_mail').replace(/^-$/, ''), part: cell('part') };
  });
}

/**
 * The texts by which tests may name rules: titles, and what is in the tables that `.each` and loops take titles from.
 * Titles of skipped tests and of tests still to be written don't count.
 */
export function provingTexts(source: string): string[] {
  const texts: string[] = [];
  const tables = new Set<string>();
  for (const match of source.matchAll(/\b(?:test|it|describe)((?:\.\w+)*)\s*\(/g)) {
    if (/skip|todo/.test(match[1]!)) continue;
    const after = match.index + match[0].length;
    if (!match[1]!.endsWith('.each')) {
      const title = /^\s*(['"`])((?:\\.|(?!\1).)*)\1/s.exec(source.slice(after, after + 2000));
      if (title) texts.push(title[2]!);
      continue;
    }
    const end = closing(source, after - 1);
    texts.push(...stringsIn(source.slice(after, end)));
    const title = /^\)\s*\(\s*(['"`])((?:\\.|(?!\1).)*)\1/s.exec(source.slice(end, end + 2000));
    if (title) texts.push(title[2]!);
    const named = /^\s*([\w$]+)/.exec(source.slice(after, end));
    if (named) tables.add(named[1]!);
  }
  for (const match of source.matchAll(/\bof\s+(?:Object\.\w+\()?([\w$]+)/g)) tables.add(match[1]!);
  for (const table of tables) {
    const declared = new RegExp(`\\bconst ${table.replace(/\$/g, '\\$')}\\b[^=]*=\\s*[[{]`).exec(source);
    if (!declared) continue;
    const open = declared.index + declared[0].length - 1;
    texts.push(...stringsIn(source.slice(open, closing(source, open))));
  }
  return texts;
}

function stringsIn(text: string): string[] {
  return [...text.matchAll(/(['"`])((?:\\.|(?!\1).)*)\1/gs)].map((match) => match[2]!);
}

/** The index of the bracket that closes the one at `open`, strings skipped. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    const c = text[i]!;
    if (c === "'" || c === '"' || c === '`') {
      for (i++; i < text.length && text[i] !== c; i++) if (text[i] === '\\') i++;
    } else if ('([{'.includes(c)) depth++;
    else if (')]}'.includes(c) && --depth === 0) return i;
  }
  return text.length;
}

/** Which of the ids stand in the texts as words of their own: `1.1-a` is not named by `1.1-ab` or `C1.1-a`. */
export function idsNamed(ids: readonly string[], texts: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const text of texts)
    for (const word of text.split(/[\s,;:()[\]{}"'`|/]+/)) words.add(word.replace(/^[.-]+|[.-]+$/g, ''));
  return new Set(ids.filter((id) => words.has(id)));
}

/** Counts the rows; a row with a reason in `by_mail` is not applicable, whether a test names it or not. */
export function countRows(rows: readonly LedgerRow[], proved: ReadonlySet<string>): LedgerCount {
  const notApplicable = rows.filter((row) => row.byMail !== '').length;
  const shown = rows.filter((row) => row.byMail === '' && proved.has(row.id)).length;
  return { rules: rows.length, proved: shown, notApplicable, open: rows.length - notApplicable - shown };
}

interface Ledger {
  count: SystemLedger;
  open: string[];
}

/** The ledger of every folder of scenarios/ that has one. `root` is the repository. */
export function ledgers(root = ROOT): Ledger[] {
  const scenarios = path.join(root, 'scenarios');
  const systems = fs.existsSync(scenarios) ? fs.readdirSync(scenarios).sort() : [];
  return systems.flatMap((system) => {
    const file = path.join(scenarios, system, 'rules.tsv');
    if (!fs.existsSync(file)) return [];
    const rows = readLedger(fs.readFileSync(file, 'utf8'));
    const texts = testsOf(path.join(root, 'test/systems', system)).flatMap(provingTexts);
    const proved = idsNamed(
      rows.map((row) => row.id),
      texts,
    );
    const count: SystemLedger = { system, ...countRows(rows, proved) };
    const parts = [...new Set(rows.map((row) => row.part))].filter((part) => part !== '');
    if (parts.length > 0)
      count.parts = parts.map((part) => ({
        part,
        ...countRows(
          rows.filter((row) => row.part === part),
          proved,
        ),
      }));
    return [{ count, open: rows.filter((row) => row.byMail === '' && !proved.has(row.id)).map((row) => row.id) }];
  });
}

function testsOf(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
}

function table(all: readonly Ledger[]): string {
  const rows = [['', 'rules', 'proved', 'not applicable', 'open']];
  for (const { count } of all) {
    const cells = (name: string, of: LedgerCount): string[] => [
      name,
      ...[of.rules, of.proved, of.notApplicable, of.open].map(String),
    ];
    rows.push(cells(count.system, count), ...(count.parts ?? []).map((part) => cells(`  ${part.part}`, part)));
  }
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '))
    .join('\n');
}

/** Adds the verb to the command line. */
export function ledgerVerb(program: Command): void {
  program
    .command('ledger')
    .description('how many rules of each game are implemented and proved by a test that names them')
    .option('--json', 'as JSON, for programs')
    .option('--open', 'name the rules that are still open')
    .action((options: { json?: boolean; open?: boolean }) => {
      const all = ledgers();
      if (options.json) process.stdout.write(`${JSON.stringify(all.map(({ count }) => count))}\n`);
      else process.stdout.write(`${table(all)}\n`);
      if (options.open && !options.json)
        for (const { count, open } of all)
          if (open.length > 0) process.stdout.write(`\n${count.system}, open:\n${open.join(' ')}\n`);
    });
}
