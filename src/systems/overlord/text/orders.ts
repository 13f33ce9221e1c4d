/**
 * The order language of Overlord in one table: from it come parsing, the echo, the help and the order form. One order a
 * line, verb first, clauses by their keyword in any order.
 */
import type { Verb, VerbClause } from '../../../kernel/types.ts';
import type { Campaign } from '../content/campaign.ts';
import type { OverlordOrder, OverlordStanding, UnitPath } from '../types.ts';
import {
  clauseWord,
  type Draft,
  emptyDraft,
  failed,
  type LineReading,
  readAttackPaths,
  readHex,
  readHexes,
  readNumber,
  readPath,
  readUnits,
  takeWord,
} from './linereading.ts';

/** What doctrine can be about. */
const DOCTRINES = ['RETREAT', 'FIRST', 'LOSSES', 'ADVANCE', 'WITHDRAW', 'NAVAL'] as const;
/** What one can be asked. */
const ASKS = ['RETREAT', 'FIRST', 'LOSSES', 'ADVANCE', 'BREAKOUT', 'WITHDRAW'] as const;
/** Directions that RETREAT doctrine may name. */
const COMPASS = ['NORTH', 'EAST', 'SOUTH', 'WEST'] as const;

interface Clause extends VerbClause {
  /** Reads what follows the keyword; false when a fault was found. */
  read(reading: LineReading, draft: Draft): boolean;
  print(draft: Draft): string;
}

interface Entry {
  verb: Verb;
  clauses: readonly Clause[];
  /** Reads what stands between the verb and the first clause. */
  subject(reading: LineReading, draft: Draft): boolean;
  printSubject(draft: Draft): string;
  /** Clauses a line can't do without, by keyword. */
  needs: readonly string[];
  build(draft: Draft): OverlordOrder | OverlordStanding;
}

const arrow = (path: readonly string[]): string => (path.length > 0 ? `-> ${path.join(' ')}` : '');
const printPaths = (word: string, paths: readonly UnitPath[]): string =>
  paths.map(({ unit, path, edge }) => [word, unit, arrow(path), edge ?? ''].filter(Boolean).join(' ')).join(' ');

const PATH: Clause = {
  name: '->',
  pattern: '-> hex hex …',
  help: { key: 'overlord.help clause ->' },
  read: (reading, draft) =>
    readPath(reading, draft.path, (edge) => {
      draft.edge = edge;
    }),
  print: (draft) => [arrow(draft.path), draft.edge ?? ''].filter(Boolean).join(' '),
};
const ROAD: Clause = {
  name: 'ROAD',
  pattern: 'ROAD n',
  help: { key: 'overlord.help clause ROAD' },
  read: (reading, draft) =>
    readNumber(reading, (n) => {
      draft.road = n;
    }),
  print: (draft) => (draft.road === null ? '' : `ROAD ${draft.road}`),
};
const AT: Clause = {
  name: 'AT',
  pattern: 'AT hex',
  help: { key: 'overlord.help clause AT' },
  read: (reading, draft) =>
    readHex(reading, (hex) => {
      draft.at = hex;
    }),
  print: (draft) => (draft.at === null ? '' : `AT ${draft.at}`),
};
const ONLY: Clause = {
  name: 'ONLY',
  pattern: 'ONLY unit …',
  help: { key: 'overlord.help clause ONLY' },
  read: (reading, draft) => readUnits(reading, draft.only),
  print: (draft) => (draft.only.length > 0 ? `ONLY ${draft.only.join(' ')}` : ''),
};
const WITH: Clause = {
  name: 'WITH',
  pattern: 'WITH unit …',
  help: { key: 'overlord.help clause WITH' },
  read: (reading, draft) => readUnits(reading, draft.with),
  print: (draft) => (draft.with.length > 0 ? `WITH ${draft.with.join(' ')}` : ''),
};
const SUPPORT: Clause = {
  name: 'SUPPORT',
  pattern: 'SUPPORT TAC n NAVAL n',
  help: { key: 'overlord.help clause SUPPORT' },
  read: readSupport,
  print: ({ tac, naval }) =>
    tac + naval === 0
      ? ''
      : ['SUPPORT', tac ? `TAC ${tac}` : '', naval ? `NAVAL ${naval}` : ''].filter(Boolean).join(' '),
};
const LOSSES: Clause = {
  name: 'LOSSES',
  pattern: 'LOSSES unit …',
  help: { key: 'overlord.help clause LOSSES' },
  read: (reading, draft) => readUnits(reading, draft.losses),
  print: (draft) => (draft.losses.length > 0 ? `LOSSES ${draft.losses.join(' ')}` : ''),
};
const ADVANCE: Clause = {
  name: 'ADVANCE',
  pattern: 'ADVANCE unit -> hex hex',
  help: { key: 'overlord.help clause ADVANCE' },
  read: (reading, draft) => readAttackPaths(reading, draft.advance, draft.target),
  print: (draft) => printPaths('ADVANCE', draft.advance),
};
const BREAKOUT: Clause = {
  name: 'BREAKOUT',
  pattern: 'BREAKOUT unit -> hex hex … [SOUTH|EAST]',
  help: { key: 'overlord.help clause BREAKOUT' },
  read: (reading, draft) => readAttackPaths(reading, draft.breakout, draft.target),
  print: (draft) => printPaths('BREAKOUT', draft.breakout),
};
const IF: Clause = {
  name: 'IF',
  pattern: 'IF CLEAR hex | IF STANDS unit',
  help: { key: 'overlord.help clause IF' },
  read: readCondition,
  print: (draft) => draft.when.map(({ kind, what }) => `IF ${kind} ${what}`).join(' '),
};

function readSupport(reading: LineReading, draft: Draft): boolean {
  let found = false;
  for (;;) {
    const word = reading.words[reading.at]?.upper;
    if (word !== 'TAC' && word !== 'NAVAL') break;
    reading.at += 1;
    found = true;
    if (
      !readNumber(reading, (n) => {
        if (word === 'TAC') draft.tac = n;
        else draft.naval = n;
      })
    )
      return false;
  }
  return found || failed(reading, 'CLAUSE UNCLEAR', { clause: SUPPORT.pattern });
}

function readCondition(reading: LineReading, draft: Draft): boolean {
  const kind = takeWord(reading)?.upper;
  if (kind === 'CLEAR') return readHex(reading, (what) => draft.when.push({ kind, what }));
  if (kind === 'STANDS') {
    const units: string[] = [];
    if (!readUnits(reading, units)) return false;
    for (const what of units) draft.when.push({ kind, what });
    return true;
  }
  return failed(reading, 'CLAUSE UNCLEAR', { clause: IF.pattern });
}

const subjectUnits = (reading: LineReading, draft: Draft): boolean => readUnits(reading, draft.subject);
const printUnits = (draft: Draft): string => draft.subject.join(' ');

function verb(name: string, pattern: string, clauses: readonly Clause[], examples: string[], standing?: true): Verb {
  const shown = clauses.map(({ name: word, pattern: form, help: text }) => ({ name: word, pattern: form, help: text }));
  const base: Verb = { verb: name, pattern, help: { key: `overlord.help ${name}` }, clauses: shown, examples };
  return standing ? { ...base, standing } : base;
}

const MOVE_CLAUSES = [PATH, IF];
const ENTER_CLAUSES = [ROAD, AT, PATH, IF];
const LAND_CLAUSES = [AT, PATH, IF];
const ATTACK_CLAUSES = [ONLY, WITH, SUPPORT, LOSSES, ADVANCE, BREAKOUT, IF];

/** Every verb, in the order the help shows them. */
export const ENTRIES: readonly Entry[] = [
  {
    verb: verb('MOVE', 'MOVE unit … -> hex hex …', MOVE_CLAUSES, [
      'MOVE DE12SS -> 3916 3815 3814',
      'MOVE US90/1 -> 1208 1209',
    ]),
    clauses: MOVE_CLAUSES,
    subject: subjectUnits,
    printSubject: printUnits,
    needs: ['->'],
    build: ({ line, subject, path, when }) => ({ verb: 'MOVE', line, subject, path, when }),
  },
  {
    verb: verb('ENTER', 'ENTER unit … ROAD n [AT hex] [-> hex …]', ENTER_CLAUSES, [
      'ENTER DE271 ROAD 2 -> 1527 1526',
      'ENTER DE346 ROAD 5 AT 4215',
    ]),
    clauses: ENTER_CLAUSES,
    subject: subjectUnits,
    printSubject: printUnits,
    needs: [],
    build: ({ line, subject, road, at, path, when }) => ({ verb: 'ENTER', line, subject, road, at, path, when }),
  },
  {
    verb: verb('LAND', 'LAND unit … AT hex [-> hex …]', LAND_CLAUSES, [
      'LAND US9 AT 1307 -> 1308',
      'LAND BR49/1 BR49/2 AT 2410',
    ]),
    clauses: LAND_CLAUSES,
    subject: subjectUnits,
    printSubject: printUnits,
    needs: ['AT'],
    build: ({ line, subject, at, path, when }) => ({ verb: 'LAND', line, subject, at: at ?? '', path, when }),
  },
  {
    verb: verb('REPLACE', 'REPLACE unit … AT hex [-> hex …]', LAND_CLAUSES, ['REPLACE US4/2 AT 0703']),
    clauses: LAND_CLAUSES,
    subject: subjectUnits,
    printSubject: printUnits,
    needs: ['AT'],
    build: ({ line, subject, at, path, when }) => ({ verb: 'REPLACE', line, subject, at: at ?? '', path, when }),
  },
  {
    verb: verb('EXIT', 'EXIT unit … [-> hex …] [SOUTH|EAST]', MOVE_CLAUSES, ['EXIT US2A/1 -> 2728 SOUTH']),
    clauses: MOVE_CLAUSES,
    subject: subjectUnits,
    printSubject: printUnits,
    needs: [],
    build: ({ line, subject, path, edge, when }) => ({ verb: 'EXIT', line, subject, path, edge, when }),
  },
  {
    verb: verb('ATTACK', 'ATTACK hex [ONLY unit …] WITH unit …', ATTACK_CLAUSES, [
      'ATTACK 2810 WITH DE21/1 DE21/2 DE21/3 ADVANCE DE21/3 -> 2810',
      'ATTACK 2410 ONLY BR56/1 WITH DEPL/1 DEPL/2 LOSSES DEPL/2',
      'ATTACK 2110 WITH US1/1 US1/2 US29/1 SUPPORT TAC 6 BREAKOUT US1/1 -> 2110 2210 2311',
      'ATTACK 1810 WITH US29/2 US29/3 IF CLEAR 2110',
    ]),
    clauses: ATTACK_CLAUSES,
    subject: (reading, draft) =>
      readHex(reading, (hex) => {
        draft.target = hex;
      }),
    printSubject: (draft) => draft.target ?? '',
    needs: ['WITH'],
    build: (draft) => {
      const { line, only, tac, naval, losses, advance, breakout, when } = draft;
      const target = draft.target ?? '';
      return { verb: 'ATTACK', line, target, only, with: draft.with, tac, naval, losses, advance, breakout, when };
    },
  },
  {
    verb: verb('INTERDICT', 'INTERDICT hex n, hex n …', [], ['INTERDICT 3113 3, 3814 2']),
    clauses: [],
    subject: readHexes,
    printSubject: (draft) => draft.hexes.map(({ hex, factors }) => `${hex} ${factors}`).join(', '),
    needs: [],
    build: ({ line, hexes }) => ({ verb: 'INTERDICT', line, hexes }),
  },
  {
    verb: verb('HOLD', 'HOLD unit …', [], ['HOLD US82P']),
    clauses: [],
    subject: subjectUnits,
    printSubject: printUnits,
    needs: [],
    build: ({ line, subject }) => ({ verb: 'HOLD', line, subject }),
  },
  {
    verb: verb(
      'DOCTRINE',
      'DOCTRINE RETREAT ROAD, EAST, hex … | FIRST unit … | LOSSES MIN|WEAK [KEEP unit …] | ADVANCE ONE|ALL | WITHDRAW unit … | NAVAL hex … MAX n',
      [],
      [
        'DOCTRINE RETREAT ROAD, EAST',
        'DOCTRINE FIRST DE21 DE12SS/1',
        'DOCTRINE LOSSES MIN',
        'DOCTRINE WITHDRAW DE711 DE346',
        'DOCTRINE NAVAL 2009 2510 MAX 4',
      ],
      true,
    ),
    clauses: [],
    subject: readDoctrine,
    printSubject: ({ about, values, most }) =>
      [about.toUpperCase(), values.length > 0 ? values.join(' ') : 'NONE', most === null ? '' : `MAX ${most}`]
        .filter(Boolean)
        .join(' '),
    needs: [],
    build: ({ line, about, values, most }) => {
      const order = { verb: 'DOCTRINE', line, key: about, about, values, most } as const;
      return values.length > 0 ? order : { ...order, withdraw: true };
    },
  },
  {
    verb: verb('ASK', 'ASK RETREAT|FIRST|LOSSES|ADVANCE|BREAKOUT|WITHDRAW [OFF]', [], ['ASK BREAKOUT'], true),
    clauses: [],
    subject: readAsk,
    printSubject: ({ about, values }) => [about.toUpperCase(), ...values].join(' '),
    needs: [],
    build: ({ line, about, values }) => {
      const order = { verb: 'ASK', line, key: `ask ${about}`, about } as const;
      return values.length > 0 ? { ...order, withdraw: true } : order;
    },
  },
];

/** The verbs as the contract shows them. */
export const VERBS: Verb[] = ENTRIES.map((entry) => entry.verb);

function readAsk(reading: LineReading, draft: Draft): boolean {
  const about = takeWord(reading)?.upper ?? '';
  if (!(ASKS as readonly string[]).includes(about))
    return failed(reading, 'ASK UNKNOWN', { word: about, words: [...ASKS] });
  draft.about = about.toLowerCase();
  if (reading.words[reading.at]?.upper === 'OFF') {
    reading.at += 1;
    draft.values = ['OFF'];
  }
  return true;
}

/** `DOCTRINE RETREAT ROAD, EAST, 2313` and its kin; the values are checked word by word. */
function readDoctrine(reading: LineReading, draft: Draft): boolean {
  const about = takeWord(reading)?.upper ?? '';
  if (!(DOCTRINES as readonly string[]).includes(about))
    return failed(reading, 'DOCTRINE UNKNOWN', { word: about, words: [...DOCTRINES] });
  draft.about = about.toLowerCase();
  if (reading.words[reading.at]?.upper === 'NONE') {
    reading.at += 1;
    return true;
  }
  while (reading.at < reading.words.length) {
    const word = reading.words[reading.at]!.upper;
    if (about === 'NAVAL' && word === 'MAX') {
      reading.at += 1;
      if (
        !readNumber(reading, (n) => {
          draft.most = n;
        })
      )
        return false;
      continue;
    }
    if (!readDoctrineValue(reading, draft, about, word)) return false;
  }
  return draft.values.length > 0 || failed(reading, 'DOCTRINE UNKNOWN', { word: about, words: [...DOCTRINES] });
}

function readDoctrineValue(reading: LineReading, draft: Draft, about: string, word: string): boolean {
  const words: Record<string, readonly string[]> = {
    RETREAT: ['ROAD', ...COMPASS],
    LOSSES: ['MIN', 'WEAK', 'KEEP'],
    ADVANCE: ['ONE', 'ALL'],
  };
  if (words[about]?.includes(word)) {
    reading.at += 1;
    draft.values.push(word);
    // KEEP alone says nothing.
    if (word === 'KEEP' && reading.at >= reading.words.length) return readUnits(reading, draft.values);
    return true;
  }
  if (about === 'RETREAT' || about === 'NAVAL') return readHex(reading, (hex) => draft.values.push(hex));
  if (about === 'ADVANCE') return failed(reading, 'WORD NOT UNDERSTOOD', { word, verb: 'DOCTRINE ADVANCE' });
  return readUnits(reading, draft.values);
}

/** One line of an order or standing order, as it would be read again. */
export function printOrder(order: OverlordOrder | OverlordStanding): string {
  const entry = ENTRIES.find((candidate) => candidate.verb.verb === order.verb)!;
  const draft: Draft = { ...emptyDraft(order.line), ...order };
  if (order.verb === 'ASK' && order.withdraw) draft.values = ['OFF'];
  const parts = [order.verb, entry.printSubject(draft), ...entry.clauses.map((clause) => clause.print(draft))];
  return parts.filter((part) => part !== '').join(' ');
}

/** What an order speaks for: its units (a formation for all of its own), or the hex it is about. */
export function subjectsOf(campaign: Campaign, order: OverlordOrder): string[] {
  if (order.verb === 'ATTACK') return [order.target];
  if (order.verb === 'INTERDICT') return order.hexes.map(({ hex }) => `INTERDICT ${hex}`);
  return order.subject.flatMap((name) => campaign.formations.get(name)?.units ?? [name]);
}

/** Reads the clauses of a line into the draft; false when a fault was found. */
export function readClauses(reading: LineReading, entry: Entry, draft: Draft): boolean {
  const seen = new Set<string>();
  while (reading.at < reading.words.length) {
    const word = reading.words[reading.at]!;
    const clause = entry.clauses.find((candidate) => candidate.name === word.upper);
    if (!clause) {
      if (clauseWord(word)) return failed(reading, 'CLAUSE NOT HERE', { clause: word.upper, verb: entry.verb.verb });
      if (entry.verb.verb === 'EXIT' && (word.upper === 'SOUTH' || word.upper === 'EAST')) {
        draft.edge = word.upper;
        reading.at += 1;
        continue;
      }
      return failed(reading, 'WORD NOT UNDERSTOOD', {
        word: word.text,
        verb: entry.verb.verb,
        pattern: entry.verb.pattern,
      });
    }
    reading.at += 1;
    seen.add(clause.name);
    if (!clause.read(reading, draft)) return false;
  }
  if (draft.edge !== null && entry.verb.verb !== 'EXIT')
    return failed(reading, 'EXIT WANTED', { edge: draft.edge, verb: entry.verb.verb });
  const missing = entry.needs.find((name) => !seen.has(name));
  if (missing) return failed(reading, 'CLAUSE MISSING', { clause: missing, pattern: entry.verb.pattern });
  return true;
}
