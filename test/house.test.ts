/**
 * What nobody uses, as knip sees it: exports, files, packages. What only a resolver finds (fonts, the database's binaries, the
 * parser of the import table) is named in knip.json.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const KNIP = fileURLToPath(new URL('../node_modules/knip/bin/knip.js', import.meta.url));
/** Kinds of findings, as the tool calls them. */
const KINDS = [
  'files',
  'exports',
  'types',
  'dependencies',
  'devDependencies',
  'unlisted',
  'unresolved',
  'duplicates',
] as const;

type Finding = { name: string } | { name: string }[];
type Issue = { file: string } & Partial<Record<(typeof KINDS)[number], Finding[]>>;

test('nothing is exported, kept or installed that nobody uses', () => {
  const args = [
    KNIP,
    '--no-progress',
    '--no-exit-code',
    '--reporter',
    'json',
    '--include',
    'files,exports,types,dependencies,unlisted,unresolved,duplicates',
  ];
  const { issues } = JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })) as {
    issues: Issue[];
  };
  const found = issues.flatMap((issue) =>
    KINDS.flatMap((kind) => (issue[kind] ?? []).flat().map(({ name }) => `${issue.file}: ${kind} ${name}`)),
  );
  process.stdout.write(`unused exports, files and packages: ${found.length}\n`);
  expect(found).toEqual([]);
});
