/**
 * The source is tested like data: who imports whom, words that would make a judge impure, sizes, files nobody reaches.
 * The reading of TypeScript is done by test/helpers/source.ts, since the compiler has no programming interface any more.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { type House, lookAtHouse } from './helpers/house.ts';
import {
  bare,
  commentsOf,
  divisions,
  functionsOf,
  identifiersOf,
  importsOf,
  sortsWithoutOrder,
} from './helpers/source.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FILE_LINES_MAX = 500;
const TEST_LINES_MAX = 700;
const FUNCTION_LINES_MAX = 70;

interface Source {
  /** Relative to the root, with forward slashes. */
  file: string;
  text: string;
}

const NOT_OURS = new Set(['node_modules', 'dist', 'data', 'coverage', 'gallery', '.git']);

/** Every file of the repository, also those not yet under version control, relative to the root. */
function listed(folder = ''): string[] {
  return fs.readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return folder === '' && NOT_OURS.has(entry.name) ? [] : listed(name);
    return entry.isFile() && !name.endsWith('.log') ? [name] : [];
  });
}

const files = listed().sort();
const sources: Source[] = files
  .filter((file) => /^(src|test)\/.*\.ts$/.test(file))
  .map((file) => ({ file, text: fs.readFileSync(path.join(ROOT, file), 'utf8') }));
const production = sources.filter(({ file }) => file.startsWith('src/'));
const pure = production.filter(({ file }) => /^src\/(kernel|board|systems)\//.test(file));

/** Prints a figure of the house, which has to be nought. */
function figure(name: string, found: readonly string[]): void {
  process.stdout.write(`${name}: ${found.length}\n`);
  expect(found).toEqual([]);
}

/** A limit against hanging, not a measure. */
const LOOK_MS_MAX = 240_000;
/** Whoever reads fewer modules than this hasn't seen the house. */
const MODULES_MIN = 300;

describe('who imports whom', () => {
  let house: House;
  beforeAll(async () => {
    house = await lookAtHouse();
  }, LOOK_MS_MAX);

  test('the whole house is seen, every import stands in the table, every file in a room', () => {
    expect(house.modules).toBeGreaterThanOrEqual(MODULES_MIN);
    expect(house.wrong).toEqual([]);
    expect(house.homeless).toEqual([]);
  });

  test('import circles: 0', () => {
    figure('circles', house.circles);
  });

  test('upward imports: 0', () => {
    figure('upward imports', house.upward);
  });

  test('only kernel/view.ts makes a View', () => {
    const makers = production.filter(
      ({ file, text }) => file !== 'src/kernel/view.ts' && /\bas\s+(unknown\s+as\s+)?View\b/.test(text),
    );
    expect(makers.map(({ file }) => file)).toEqual([]);
  });

  test('imports of ours are written with .ts and nothing is exported as default or re-exported', () => {
    const wrong: string[] = [];
    for (const { file, text } of sources) {
      for (const { specifier } of importsOf(text))
        if (specifier.startsWith('.') && !/\.(ts|json)$/.test(specifier)) wrong.push(`${file}: ${specifier}`);
      if (file.startsWith('src/') && /^export (default|\*|\{[^}]*\} from)/m.test(text))
        wrong.push(`${file}: re-export`);
    }
    expect(wrong).toEqual([]);
  });
});

const FOLDER_FILES_MAX = 20;

describe('folders', () => {
  test(`folders with more than ${FOLDER_FILES_MAX} files: 0`, () => {
    const counts = new Map<string, number>();
    for (const { file } of sources) {
      const folder = path.posix.dirname(file);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    const over = [...counts].filter(([folder, n]) => n > FOLDER_FILES_MAX && folder !== 'test/helpers');
    figure(
      'folders over the limit',
      over.map(([folder, n]) => `${folder}: ${n}`),
    );
  });
});

describe('one word, one meaning', () => {
  const twice = (words: readonly (readonly [word: string, file: string])[]): string[] => {
    const files = new Map<string, string[]>();
    for (const [word, file] of words) files.set(word, [...(files.get(word) ?? []), file]);
    return [...files].filter(([, all]) => all.length > 1).map(([word, all]) => `${word}: ${all.join(', ')}`);
  };

  test('exported type names used twice: 0', () => {
    const types = production.flatMap(({ file, text }) =>
      [...bare(text).matchAll(/^export (?:interface|type|class|enum) (\w+)/gm)].map(
        ([, name]) => [name!, file] as const,
      ),
    );
    const found = twice(types);
    figure('exported type names used twice', found);
  });

  test('a file name stands once in the house; games share the names of what each of them has', () => {
    /** Folders that say what their files are: a verb of the command line, the questions and deeds of a noun. */
    const SAID_BY_FOLDER = /^src\/(cli|store)\//;
    const house = production.filter(({ file }) => !/^src\/systems\/\w+\//.test(file) && !SAID_BY_FOLDER.test(file));
    const own = new Set(house.map(({ file }) => path.posix.basename(file)));
    const games = production.filter(({ file }) => /^src\/systems\/\w+\//.test(file));
    const named = [
      ...house.map(({ file }) => [path.posix.basename(file), file] as const),
      ...games.map(({ file }) => [`${file.split('/')[2]} ${path.posix.basename(file)}`, file] as const),
    ];
    /** What the kernel has once for all games, and each game for itself: its types and its order language. */
    const EVERYWHERE = new Set(['types.ts', 'orders.ts']);
    const taken = games.filter(({ file }) => {
      const name = path.posix.basename(file);
      return own.has(name) && !EVERYWHERE.has(name);
    });
    expect([...twice(named), ...taken.map(({ file }) => `${file}: a name of the house`)]).toEqual([]);
  });
});

test('kernel and renderer know no side and no nation of any game: looks come with the scenario', () => {
  const looks = files
    .filter((file) => /^scenarios\/\w+\/looks\.json$/.test(file))
    .map((file) => JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8')) as Record<'sides' | 'nations', object>);
  const names = looks.flatMap(({ sides, nations }) => [...Object.keys(sides), ...Object.keys(nations)]);
  const literal = new RegExp(`(['"\`.])(${[...new Set(names)].join('|')})\\b`);
  const found = production
    .filter(({ file }) => /^src\/(kernel|render|board)\//.test(file))
    .flatMap(({ file, text }) => {
      const words = text
        .split('\n')
        .flatMap((line) => (/^\s*(\*|\/\/|\/\*)/.test(line) ? [] : (literal.exec(line)?.[0] ?? [])));
      return words.map((word) => `${file}: ${word}`);
    });
  expect(looks.length).toBeGreaterThan(0);
  expect(found).toEqual([]);
});

describe('the store', () => {
  const outside = production.filter(({ file }) => !file.startsWith('src/store/'));
  /** What opens a handle, and what a query is made of. */
  const QUERY =
    /\.(selectFrom|insertInto|updateTable|deleteFrom|executeTakeFirst(OrThrow)?)\(|\bsql(<[^>]*>)?`|\btables\(|as unknown as Kysely/g;

  test('query-builder calls outside store: 0', () => {
    const calls = outside.flatMap(({ file, text }) => {
      const builders = importsOf(text).filter(({ specifier }) => specifier === 'kysely' || specifier === 'pg');
      return [...(text.match(QUERY) ?? []), ...builders.map(({ specifier }) => specifier)].map((w) => `${file}: ${w}`);
    });
    figure('query-builder calls outside store', calls);
  });

  test('the pages have a handle to read by and no way to another: they change things by calling turn', () => {
    const pages = outside.filter(({ file }) => file.startsWith('src/web/'));
    const wrong = pages.flatMap(({ file, text }) =>
      [...text.matchAll(/\b(inTransaction|openDb|Db|Trx|Service|as never|as unknown as)\b/g)].map(
        ([word]) => `${file}: ${word}`,
      ),
    );
    expect(wrong).toEqual([]);
  });
});

const BANNED = new Set(
  'Date process async await setTimeout setInterval setImmediate queueMicrotask fetch Intl toLocaleString localeCompare console'.split(
    ' ',
  ),
);

describe('kernel, board and systems are pure', () => {
  test.each(pure.map(({ file, text }) => [file, text] as const))('%s', (file, text) => {
    const wrong = identifiersOf(text)
      .filter(({ name, before }) => BANNED.has(name) || (name === 'random' && before === 'Math.'))
      .map(({ name, line }) => `line ${line}: ${name}`);
    for (const line of sortsWithoutOrder(text)) wrong.push(`line ${line}: sort() without a comparator`);
    if (file !== 'src/kernel/fraction.ts') for (const line of divisions(text)) wrong.push(`line ${line}: a division`);
    expect(wrong).toEqual([]);
  });
});

describe('sizes', () => {
  test('files', () => {
    const long = sources
      .map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 }))
      .filter(({ file, lines }) => lines > (file.startsWith('src/') ? FILE_LINES_MAX : TEST_LINES_MAX));
    expect(long).toEqual([]);
  });

  test('functions', () => {
    const long = production.flatMap(({ file, text }) =>
      functionsOf(text)
        .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
        .map(({ name, lines, line }) => `${file}:${line} ${name} has ${lines} lines`),
    );
    expect(long).toEqual([]);
  });
});

describe('the repository speaks of itself alone', () => {
  const texts = files.filter(
    (file) =>
      /\.(ts|js|json|md|sql|hbs|tsv|yml|yaml|txt|css|html)$|^Dockerfile$|^\.ci\//.test(file) &&
      file !== 'package-lock.json',
  );
  /** Written in parts, so that this file doesn't find itself. */
  const FORBIDDEN: [RegExp, string][] = [
    [new RegExp(`(^|[^\\w.])/(${['work', 'root', 'home', 'Users'].join('|')})/[\\w.]`), 'a path of one machine'],
    [new RegExp(['\\.\\.', 'shared/'].join('/')), 'a path outside the repository'],
    [new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`), 'work left undone'],
    [new RegExp(['@ts', 'ignore'].join('-')), 'a check switched off'],
    [new RegExp(['@ts', 'nocheck'].join('-')), 'a check switched off'],
  ];

  test('no path of one machine, nothing marked as undone, no check switched off', () => {
    const found: string[] = [];
    for (const file of texts) {
      const lines = fs.readFileSync(path.join(ROOT, file), 'utf8').split('\n');
      lines.forEach((line, i) => {
        for (const [pattern, what] of FORBIDDEN) if (pattern.test(line)) found.push(`${file}:${i + 1} ${what}`);
      });
    }
    expect(found).toEqual([]);
  });

  describe('a comment refers to what is here', () => {
    const remarks = sources.map(({ file, text }) => ({ file, words: commentsOf(text).join('\n') }));
    const read = (pattern: RegExp): string =>
      files
        .filter((file) => pattern.test(file))
        .map((file) => fs.readFileSync(path.join(ROOT, file), 'utf8'))
        .join('\n');

    test('to no paper that is not in the repository', () => {
      const paper = new RegExp(['DES' + 'IGN', 'corpus' + ' rules?', 'sec' + 'tion \\d', 'iss' + 'ue #?\\d'].join('|'));
      const found = sources.flatMap(({ file, text }) => {
        const words = paper.exec(text)?.[0];
        return words && !text.includes(`'${words}`) ? [`${file}: ${words}`] : [];
      });
      expect(found).toEqual([]);
    });

    test('to no rule or ruling that neither a ledger, a scenario nor a template has', () => {
      const known = new Set(
        read(/^scenarios\/.*(rulings\.\w+|rules\.tsv)$|^templates\/en\/\w+\.json$/).match(/[A-Z\d][\w.-]*\w/g) ?? [],
      );
      for (const id of [...known]) known.add(id.replace(/^OVL-/, ''));
      const ids =
        /\b(?:[A-Z]{1,3}-[A-Z]{3}-\d{2}|[A-Z]{1,3}-\d{2}|E\d{2}|\d+\.\d+(?:\.\d+)?-[a-z][a-z\d]*(?:-[a-z])?)\b/g;
      const found = remarks
        .filter(({ file }) => /^src\/(board|systems)\//.test(file))
        .flatMap(({ file, words }) =>
          (words.match(ids) ?? [])
            .filter((id) => !known.has(id) && ![...known].some((full) => full.startsWith(`${id}-`)))
            .map((id) => `${file}: ${id}`),
        );
      expect(found).toEqual([]);
    });

    test('to no file that is not there', () => {
      /** Names that stand for any file of a kind. */
      const EXAMPLES = new Set(['_name.hbs', 'src/systems/bulge/system.ts']);
      const documents = files.filter((file) => /^[A-Z]+\.md$/.test(file));
      const said = [
        ...remarks,
        ...documents.map((file) => ({ file, words: fs.readFileSync(path.join(ROOT, file), 'utf8') })),
      ];
      const found = said.flatMap(({ file, words }) =>
        (words.match(/(?<![\w<>*{/.-])[\w][\w./-]*\.(?:ts|hbs|tsv|sql)\b/g) ?? [])
          .filter((name) => !EXAMPLES.has(name) && !files.some((one) => one === name || one.endsWith(`/${name}`)))
          .map((name) => `${file}: ${name}`),
      );
      expect(found).toEqual([]);
    });
  });

  test('no file larger than two megabytes', () => {
    const large = files.filter((file) => fs.statSync(path.join(ROOT, file)).size > 2 * 1024 * 1024);
    expect(large).toEqual([]);
  });
});
