/**
 * The house as dependency-cruiser sees it: who may import whom, in which order the rooms of a hall stand, and that nothing
 * goes round in a circle. The tables here are the law; the rules for the tool are made from them.
 */
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Row {
  /** Areas that may be imported. A trailing `types` means: only types (`import type`). */
  ours: string[];
  outside: string[];
  /** What single files may import besides. */
  files?: Record<string, string[]>;
}

/** The table of imports, as data. `self` is always allowed. */
const TABLE: Record<string, Row> = {
  kernel: {
    ours: [],
    outside: [],
    files: { dice: ['node:crypto'], hash: ['node:crypto'], orders: ['fastest-levenshtein'] },
  },
  board: { ours: ['kernel'], outside: [] },
  system: { ours: ['kernel', 'board'], outside: [], files: { scenario: ['zod'] } },
  'systems/index': { ours: ['kernel', 'system.ts'], outside: [] },
  scenarios: { ours: ['kernel', 'systems/index'], outside: ['node:fs', 'node:path', 'node:url'] },
  config: { ours: ['kernel'], outside: ['node:fs', 'node:net', 'node:path', 'node:os', 'node:crypto', 'node:url'] },
  mail: {
    ours: ['kernel/types', 'kernel/hash', 'kernel/assert', 'kernel/frame'],
    outside: [
      'imapflow',
      'nodemailer',
      'smtp-server',
      '@zone-eu/mailsplit',
      'iconv-lite',
      'libmime',
      'html-to-text',
      'mailauth',
      'node:stream',
    ],
    // DNS look-ups of the sender check; waiting times that differ; errors of a stream; addresses of this machine.
    files: {
      auth: ['node:dns/promises'],
      imap: ['node:crypto'],
      mime: ['node:events'],
    },
  },
  render: {
    ours: ['kernel/types', 'kernel/looks', 'kernel/assert', 'kernel/fraction'],
    outside: ['pdfkit', 'handlebars', 'node:fs', 'node:path', 'node:url', 'node:module'],
    // The rasteriser; streams of a PDF are packed by ourselves, so that the same scene gives the same bytes.
    files: { png: ['@napi-rs/canvas'], pdfpaint: ['node:zlib'], indexed: ['node:zlib'] },
  },
  store: {
    ours: ['kernel/types', 'kernel/hash', 'kernel/assert'],
    outside: ['kysely', 'pg'],
    files: {
      db: ['node:fs', 'node:path', 'node:url', 'graphile-worker'],
      pickup: ['graphile-worker', 'node:events'],
      budgets: ['rate-limiter-flexible'],
      processes: ['node:fs', 'node:os'],
      seal: ['node:crypto'],
      embedded: [
        'node:fs',
        'node:path',
        'node:os',
        'node:module',
        'node:crypto',
        'node:child_process',
        'node:net',
        'node:util',
      ],
    },
  },
  turn: {
    ours: ['kernel', 'systems/index', 'scenarios', 'mail', 'render', 'store', 'config'],
    outside: [],
    files: { instants: ['temporal-polyfill'], bundle: ['yazl', 'yauzl', 'node:stream'] },
  },
  web: {
    ours: ['kernel/types', 'kernel/hash', 'kernel/assert', 'store', 'turn', 'render', 'config'],
    outside: ['express', 'helmet', 'express-rate-limit', 'prom-client', 'node:http'],
  },
};

/**
 * The rooms of each hall, lowest first: a file imports from its own room and from rooms before it. Single files at the
 * door of a hall stand in the order like rooms. What a hall doesn't name has one room.
 */
const ROOMS: Record<string, string> = {
  mail: 'log profile bytes lines sender inbound copies doors',
  render: 'words paint pieces ground sheet letters',
  turn: 'context seats keys commandwords time errand post filing phase commands intake democlub archive deeds work',
  'systems/combatcommander': 'types verbs content text campaign bot telling system',
  'systems/normandie':
    'data language events types refusal content counters ground text fight actions turn player bot telling system',
  'systems/overlord': 'types content field combat text turn bot telling system',
};

/** What may import everything: the doors of the process. */
const EVERYTHING = '^src/(main\\.ts$|cli(\\.ts$|/))';
const SINGLE = new Set(['systems/index', 'scenarios', 'config']);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** The place of an area or file of ours, as a pattern of paths. */
function ours(entry: string): string {
  if (entry === 'system.ts') return '^src/systems/[^/]+/system\\.ts$';
  return SINGLE.has(entry) || entry.includes('/') ? `^src/${entry}\\.ts$` : `^src/${entry}/`;
}

/** A package or a part of node, where the tool finds it. */
function outside(name: string): string {
  return name.startsWith('node:') ? `^${name.slice('node:'.length)}$` : `^node_modules/(@types/)?${escaped(name)}/`;
}

function tableRules(): IForbiddenRuleType[] {
  return Object.entries(TABLE).flatMap(([area, row]) => {
    const folder = area === 'system' ? '^src/systems/([^/]+)/' : ours(area);
    const own = area === 'system' ? '^src/systems/$1/' : ours(area);
    const allowed = [own, ...row.ours.map(ours), ...row.outside.map(outside)];
    if (area === 'render') allowed.push('^node_modules/.*font');
    const files = Object.entries(row.files ?? {}).map(([name, more]) => ({
      path: [`${folder}${name}\\.ts$`, `${folder}.+/${name}\\.ts$`],
      more,
    }));
    const rule = (from: IForbiddenRuleType['from'], to: string[]): IForbiddenRuleType => ({
      name: 'table of imports',
      severity: 'error',
      from,
      to: { pathNot: to },
    });
    return [
      rule({ path: folder, pathNot: files.flatMap((file) => file.path) }, allowed),
      ...files.map((file) => rule({ path: file.path }, [...allowed, ...file.more.map(outside)])),
    ];
  });
}

const roomPath = (hall: string, rooms: readonly string[]): string => `^src/${hall}/(${rooms.join('|')})(\\.ts$|/)`;

function roomRules(): IForbiddenRuleType[] {
  return Object.entries(ROOMS).flatMap(([hall, order]) => {
    const rooms = order.split(' ');
    return rooms.slice(0, -1).map(
      (room, i): IForbiddenRuleType => ({
        name: 'upward',
        severity: 'error',
        from: { path: roomPath(hall, [room]) },
        to: { path: roomPath(hall, rooms.slice(i + 1)) },
      }),
    );
  });
}

export interface House {
  modules: number;
  circles: string[];
  upward: string[];
  /** Against the table, not to be found, or of no area that the table names. */
  wrong: string[];
  /** Files of a hall with rooms that stand in none of them. */
  homeless: string[];
}

/** Looks at all of src below a root. */
export async function lookAtHouse(root = ROOT): Promise<House> {
  const areas = Object.keys(TABLE).map((area) => (area === 'system' ? '^src/systems/[^/]+/' : ours(area)));
  const rules: IForbiddenRuleType[] = [
    { name: 'circle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'not found', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'of no area', severity: 'error', from: { path: '^src/', pathNot: [...areas, EVERYTHING] }, to: {} },
    ...tableRules(),
    ...roomRules(),
  ];
  const { output } = await cruise(['src'], {
    baseDir: root,
    parser: 'swc',
    tsPreCompilationDeps: true,
    moduleSystems: ['es6'],
    doNotFollow: { path: 'node_modules' },
    validate: true,
    ruleSet: { forbidden: rules },
  });
  const { modules, summary } = output as ICruiseResult;
  const own = modules.map(({ source }) => source).filter((source) => source.startsWith('src/'));
  const found = (...names: string[]): string[] =>
    summary.violations
      .filter(({ rule }) => names.includes(rule.name))
      .map(({ from, to, cycle }) => [from, ...(cycle?.map(({ name }) => name) ?? [to])].join(' -> '));
  const homeless = Object.entries(ROOMS).flatMap(([hall, order]) => {
    const room = new RegExp(roomPath(hall, order.split(' ')));
    return own.filter((source) => source.startsWith(`src/${hall}/`) && !room.test(source));
  });
  return {
    modules: own.length,
    circles: found('circle'),
    upward: found('upward'),
    wrong: [...new Set(found('table of imports', 'not found', 'of no area'))],
    homeless,
  };
}
