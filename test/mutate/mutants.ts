/** Mutants of a folder: StrykerJS's instrumenter makes them all, a seed draws some, a list names those that change nothing. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { filesBelow } from './modules.ts';

export interface Mutant {
  id: string;
  file: string;
  line: number;
  column: number;
  /** The kind of change, by StrykerJS's name. */
  mutator: string;
  /** The first line of what is changed, as it stands in the file. */
  code: string;
  from: string;
  to: string;
}

/** A mutant that no test can kill, since it changes nothing that can be seen: named by its text, not by its place. */
export interface Equivalent {
  file: string;
  code: string;
  from: string;
  to: string;
  reason: string;
}

/** Texts and records of data: a change there is a change of wording, or of what another mutant changes too. */
const LEFT_OUT = ['StringLiteral', 'ObjectLiteral'];

const quiet = () => undefined;
const silent = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: quiet,
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  fatal: quiet,
};

/** All mutants below a file or folder, and its sources with each of them built in behind a switch. */
export async function mutantsOf(
  root: string,
  name: string,
): Promise<{ mutants: Mutant[]; sources: Map<string, string> }> {
  const names = filesBelow(root, name);
  const texts = new Map(names.map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')]));
  const made = await new Instrumenter(silent).instrument(
    names.map((file) => ({ name: file, mutate: true, content: texts.get(file)! })),
    { plugins: null, ignorers: [], excludedMutations: LEFT_OUT },
  );
  const mutants = made.mutants
    .filter(({ mutatorName }) => !LEFT_OUT.includes(mutatorName))
    .map(({ id, fileName, location: { start, end }, mutatorName, replacement }): Mutant => {
      const lines = texts
        .get(fileName)!
        .split('\n')
        .slice(start.line, end.line + 1);
      const code = lines[0]!.trim();
      lines.push(lines.pop()!.slice(0, end.column));
      lines[0] = lines[0]!.slice(start.column);
      const place = { line: start.line + 1, column: start.column + 1 };
      return {
        id,
        file: fileName,
        ...place,
        mutator: mutatorName,
        code,
        from: oneLine(lines.join('\n')),
        to: oneLine(replacement),
      };
    });
  return { mutants, sources: new Map(made.files.map(({ name: file, content }) => [file, content])) };
}

/** `size` of the mutants, the same for the same seed and sources, in the order of the files. */
export function drawn(mutants: readonly Mutant[], seed: number, size: number): Mutant[] {
  const weight = ({ file, line, column, mutator, from, to }: Mutant) =>
    createHash('sha256').update([seed, file, line, column, mutator, from, to].join('\t')).digest('hex');
  const weighed = mutants.map((mutant) => ({ mutant, weight: weight(mutant) }));
  weighed.sort((a, b) => (a.weight < b.weight ? -1 : 1));
  const chosen = new Set(weighed.slice(0, size).map(({ mutant }) => mutant));
  return mutants.filter((mutant) => chosen.has(mutant));
}

/** The list `equivalents.tsv`. Throws when a row has not five columns. */
export function readEquivalents(text: string): Equivalent[] {
  const [, ...rows] = text.split('\n').filter((row) => row !== '');
  return rows.map((row) => {
    const columns = row.split('\t');
    if (columns.length !== 5 || columns.includes('')) throw new Error(`equivalents.tsv: not five columns: ${row}`);
    const [file, code, from, to, reason] = columns as [string, string, string, string, string];
    return { file, code, from, to, reason };
  });
}

export function names(equivalent: Equivalent, mutant: Mutant): boolean {
  return (['file', 'code', 'from', 'to'] as const).every((key) => equivalent[key] === mutant[key]);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
