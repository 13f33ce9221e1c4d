/** The law of the house bites: in a small house with a breach of each kind every one is found, and nothing else. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type House, lookAtHouse } from './house.ts';

const FILES: Record<string, string> = {
  'kernel/types.ts': 'export type Word = string;',
  'kernel/dice.ts': "import { createHmac } from 'node:crypto';\nexport const made = createHmac;",
  'kernel/impure.ts': "import fs from 'node:fs';\nexport const read = fs.readFileSync;",
  'board/hex.ts':
    "import type { Word } from '../kernel/types.ts';\nimport { ring } from './ring.ts';\nexport const hex: Word = ring;",
  'board/ring.ts': "import type { hex } from './hex.ts';\nexport const ring = 'ring' as typeof hex;",
  'systems/one/system.ts': "import { two } from '../two/system.ts';\nexport const one = two;",
  'systems/two/system.ts': "import type { Word } from '../../kernel/types.ts';\nexport const two: Word = '2';",
  'systems/index.ts': "import { one } from './one/system.ts';\nexport const systems = [one];",
  'render/paint/ink.ts': "import { sheet } from '../sheet/sheet.ts';\nexport const ink = sheet;",
  'render/sheet/sheet.ts': "import zlib from 'node:zlib';\nexport const sheet = zlib;",
  'render/attic/trunk.ts': "export const trunk = 'old';",
  'mail/bytes/mime.ts':
    "import events from 'node:events';\nimport gone from './gone.ts';\nexport const mime = [events, gone];",
  'extra/thing.ts': "import { two } from '../systems/two/system.ts';\nexport const thing = two;",
  'cli/verb.ts':
    "import fs from 'node:fs';\nimport { two } from '../systems/two/system.ts';\nexport const verb = [fs, two];",
};
let root = '';
let house: House;

beforeAll(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-house-'));
  for (const [file, text] of Object.entries(FILES)) {
    fs.mkdirSync(path.join(root, 'src', path.dirname(file)), { recursive: true });
    fs.writeFileSync(path.join(root, 'src', file), text);
  }
  house = await lookAtHouse(root);
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

test('an import that the table does not have, one that leads nowhere, and a file of no area are found', () => {
  expect([...house.wrong].sort()).toEqual([
    'src/extra/thing.ts -> src/systems/two/system.ts',
    'src/kernel/impure.ts -> fs',
    'src/mail/bytes/mime.ts -> ./gone.ts',
    'src/render/sheet/sheet.ts -> zlib',
    'src/systems/one/system.ts -> src/systems/two/system.ts',
  ]);
});

test('a circle is found, of types as well', () => {
  expect(house.circles).toHaveLength(1);
  expect(house.circles[0]).toContain('src/board/ring.ts');
});

test('an import from a higher room is found, and a file that stands in no room', () => {
  expect(house.upward).toEqual(['src/render/paint/ink.ts -> src/render/sheet/sheet.ts']);
  expect(house.homeless).toEqual(['src/render/attic/trunk.ts']);
});
