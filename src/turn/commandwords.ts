/**
 * The words of the mail commands: one table from which commands are recognised (mail/profile), read and explained (HELP).
 * A command is a whole line or a whole subject, in any case; `synonyms` are words that other judges taught, answered with
 * the present one. What a command does is in commands/obey.ts and the files beside it; what it says is in templates/en/club.json.
 */
import { forgiven, frameWord } from '../kernel/frame.ts';
import { suggest } from '../kernel/orders.ts';
import type { MailCommand } from '../mail/lines/lines.ts';

export const COMMANDS_PER_MAIL_MAX = 20;
const COMMAND_LENGTH_MAX = 300;

/** Who may use a command. `intake` commands belong to an order mail and are obeyed by accept.ts. */
export type CommandRole = 'anyone' | 'player' | 'master' | 'intake';

export interface CommandRow {
  name: string;
  /** As HELP shows it: small letters are to be filled in. */
  usage: string;
  role: CommandRole;
  /** Source of the whole line's pattern, in any case; named groups are the arguments. */
  pattern: string;
  /** Old words: pattern of the whole line with the same groups, and what is taught. */
  synonyms?: { pattern: string; taught: string }[];
}

const GAME = '(?<game>[a-z]{2,4}-\\d{4})';
const SIDE = '(?<side>[a-z][a-z0-9-]{0,30})';
const MAYBE_GAME = `(?: +${GAME})?`;
const TURN = '(?<turn>\\d{1,4})';
const DATE = '\\d{4}[-./]\\d{1,2}[-./]\\d{1,2}';
const ADDRESS = '(?<address>\\S{1,64}@\\S{1,190})';
const REST = '(?<rest>\\S.*)';

/** A command that belongs to an order mail: how it is written stands in the frame's own table. */
function ofFrame(word: string, usage: string): CommandRow {
  const row = frameWord(word);
  const end = row.forgives === '' ? '' : ` *${forgiven(row)}`;
  return {
    name: word,
    usage,
    role: 'intake',
    pattern: `(?:${row.pattern})${end}`,
    ...(row.synonyms.length > 0
      ? { synonyms: [{ pattern: `(?:${row.synonyms.join('|')})${end}`, taught: word }] }
      : {}),
  };
}

const ROWS: readonly CommandRow[] = [
  // ---- Anyone
  {
    name: 'HELP',
    usage: 'HELP [topic]',
    role: 'anyone',
    pattern: 'help(?: +(?<topic>\\S+(?: \\S+)?))?',
    synonyms: [
      { pattern: '\\?|info|manual', taught: 'HELP' },
      { pattern: 'get +(?<topic>\\S+)', taught: 'HELP topic' },
      { pattern: 'man +(?<topic>\\S+)', taught: 'HELP topic' },
    ],
  },
  {
    name: 'GAMES',
    usage: 'GAMES',
    role: 'anyone',
    pattern: 'games',
    synonyms: [{ pattern: 'list|list +games|openings', taught: 'GAMES' }],
  },
  {
    name: 'RULES',
    usage: 'RULES game',
    role: 'anyone',
    pattern: `rules${MAYBE_GAME}`,
    synonyms: [
      { pattern: `(?:list|whogame|whois) +${GAME}`, taught: 'RULES game' },
      { pattern: `settings +${GAME}`, taught: 'RULES game' },
    ],
  },
  {
    name: 'SIGNUP',
    usage: 'SIGNUP [name]',
    role: 'anyone',
    pattern: 'signup(?: +(?:as +)?(?<rest>[^\\s<>@][^<>@]{0,59}))?|sign up',
    synonyms: [{ pattern: 'register(?: +(?<rest>[^\\s<>@][^<>@]{0,59}))?', taught: 'SIGNUP name' }],
  },
  {
    name: 'CONFIRM',
    usage: 'CONFIRM code [PUBLIC|PRIVATE] [WORDS words]',
    role: 'anyone',
    pattern:
      'confirm +(?<code>[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4})(?: +(?<consent>public|private))?(?: +words +(?<words>\\S.*))?',
  },
  {
    name: 'JOIN',
    usage: 'JOIN game [side] [WORDS words]',
    role: 'anyone',
    pattern: `join +${GAME}(?: +(?!words\\b)(?:as +)?${SIDE})?(?: +words +(?<words>\\S.*))?`,
    synonyms: [
      { pattern: `play +${GAME}(?: +${SIDE})?`, taught: 'JOIN game side' },
      { pattern: `sign ?on +\\??(?:${SIDE}@)?${GAME}`, taught: 'JOIN game side' },
    ],
  },
  {
    name: 'WORDS',
    usage: 'WORDS game words',
    role: 'player',
    pattern: `words +${GAME} +(?<words>\\S.*)`,
  },
  {
    name: 'LEAVE',
    usage: 'LEAVE game',
    role: 'anyone',
    pattern: `leave +${GAME}`,
    synonyms: [{ pattern: `withdraw +${GAME}`, taught: 'LEAVE game' }],
  },
  {
    name: 'OBSERVE',
    usage: 'OBSERVE game',
    role: 'anyone',
    pattern: `observe +${GAME}`,
    synonyms: [
      { pattern: `watch +${GAME}`, taught: 'OBSERVE game' },
      { pattern: `observe +\\S+@${GAME}`, taught: 'OBSERVE game' },
    ],
  },
  { name: 'MONITOR', usage: 'MONITOR game', role: 'anyone', pattern: `monitor +${GAME}` },
  { name: 'SIGNOFF', usage: 'SIGNOFF [game]', role: 'anyone', pattern: `sign ?off${MAYBE_GAME}` },
  {
    name: 'TAKEOVER',
    usage: 'TAKEOVER side@game',
    role: 'anyone',
    pattern: `take ?over +(?:${SIDE}@)?${GAME}`,
    synonyms: [{ pattern: `replace +${SIDE}@${GAME}`, taught: 'TAKEOVER side@game' }],
  },
  { name: 'MYDATA', usage: 'MYDATA', role: 'anyone', pattern: 'my ?data' },
  { name: 'FORGET', usage: 'FORGET ME', role: 'anyone', pattern: 'forget +me' },
  { name: 'DESK', usage: 'DESK', role: 'anyone', pattern: 'desk|sign ?in' },
  // ---- Players
  {
    name: 'SIGNON',
    usage: 'SIGNON side@game code',
    role: 'player',
    pattern: 'sign ?on +\\S+@\\S+ +\\S+|sign ?on +\\S{2,12} +\\S+',
  },
  {
    name: 'STATUS',
    usage: 'STATUS [game]',
    role: 'player',
    pattern: `status${MAYBE_GAME}`,
    synonyms: [{ pattern: `show${MAYBE_GAME}`, taught: 'STATUS' }],
  },
  {
    name: 'REPORT',
    usage: 'REPORT [turn]',
    role: 'player',
    pattern: `(?:send +)?report(?: +(?:turn +)?${TURN})?`,
    synonyms: [
      { pattern: `result(?:s)?(?: +${TURN})?|resend(?: +${TURN.replace('turn', 'turn2')})?`, taught: 'REPORT turn' },
    ],
  },
  {
    name: 'MAP',
    usage: 'MAP [turn] [PDF|PNG|SVG] [BW]',
    role: 'player',
    pattern: `map(?: +(?:turn +)?${TURN})?(?:(?: +(?<format>pdf|png|svg))?(?<bw> +bw)?|(?<bw2> +bw) +(?<format2>pdf|png|svg))`,
  },
  {
    name: 'ORDERS',
    usage: 'ORDERS [turn]',
    role: 'player',
    pattern: `orders\\??(?: +(?:turn +)?${TURN})?`,
    synonyms: [{ pattern: `(?:list|show) +orders(?: +${TURN})?`, taught: 'ORDERS turn' }],
  },
  {
    name: 'FORM',
    usage: 'FORM [FULL]',
    role: 'player',
    pattern: 'form(?: +(?<full>full))?|order +form',
  },
  {
    name: 'HISTORY',
    usage: 'HISTORY [from-to]',
    role: 'player',
    pattern: 'history(?: +(?<from>\\d{1,4})(?: *- *(?<to>\\d{1,4}))?)?',
  },
  {
    name: 'DICE',
    usage: 'DICE [turn]',
    role: 'player',
    pattern: `dice(?: +(?:turn +)?${TURN})?`,
    synonyms: [{ pattern: `verify(?: +${TURN})?`, taught: 'DICE turn' }],
  },
  {
    name: 'PRESS',
    usage: 'PRESS TO side[,side]|ALL|GM [FROM ANON] … ENDPRESS',
    role: 'player',
    pattern: 'press(?: +to)? +(?<to>[a-z0-9-]+(?: *, *[a-z0-9-]+)*)(?<anon> +(?:from +)?anon(?:ymous)?)?',
    synonyms: [
      { pattern: '(?<to>broadcast)(?<anon> +(?:from +)?anon)?', taught: 'PRESS TO ALL' },
      { pattern: 'relay +(?:to +)?(?<to>[a-z0-9-]+)', taught: 'PRESS TO side' },
    ],
  },
  {
    name: 'VACATION',
    usage: 'VACATION from TO to | VACATION OFF',
    role: 'player',
    pattern: `vacation(?: +(?:from +)?(?<from>${DATE})(?: +to +|\\.\\.| *- +)(?<to>${DATE})| +(?<off>off|cancel))?`,
    synonyms: [
      {
        pattern: `absen(?:ce|t)(?: +(?:from +)?(?<from>${DATE})(?: +to +|\\.\\.| *- +)(?<to>${DATE})| +(?<off>off|cancel))?`,
        taught: 'VACATION from TO to',
      },
    ],
  },
  {
    name: 'EXTEND',
    usage: 'EXTEND days [reason]',
    role: 'player',
    pattern: 'extend +(?:by +)?\\+?(?<days>\\d{1,2})(?: *days?| *d)?(?:[ ,:]+(?<rest>\\S.*))?',
    synonyms: [{ pattern: '(?:delay|late) +(?<days>\\d{1,2})(?: *days?)?', taught: 'EXTEND days reason' }],
  },
  {
    name: 'PROPOSE',
    usage: 'PROPOSE DRAW|CONCEDE|PAUSE',
    role: 'player',
    pattern: 'propose +(?<what>draw|concede|concession|pause|end)',
    synonyms: [
      { pattern: '(?:i +)?(?<what>concede)', taught: 'PROPOSE CONCEDE' },
      { pattern: 'offer +(?<what>draw)', taught: 'PROPOSE DRAW' },
    ],
  },
  {
    name: 'VOTE',
    usage: 'VOTE YES|NO [n]',
    role: 'player',
    pattern: 'vote +(?<vote>yes|no|aye|nay)(?: +(?:on +)?#?(?<n>\\d{1,6}))?',
  },
  {
    name: 'SUBSTITUTE',
    usage: 'SUBSTITUTE address UNTIL date | SUBSTITUTE OFF',
    role: 'player',
    pattern: `substitute +(?:${ADDRESS} +until +(?<until>${DATE})|(?<off>off|cancel))`,
    synonyms: [{ pattern: `stand-?in +${ADDRESS} +until +(?<until>${DATE})`, taught: 'SUBSTITUTE address UNTIL date' }],
  },
  {
    name: 'RESIGN',
    usage: 'RESIGN',
    role: 'player',
    pattern: 'resign',
    synonyms: [{ pattern: 'quit', taught: 'RESIGN' }],
  },
  {
    name: 'SET',
    usage: 'SET ADDRESS|NAME|ZONE|PAPER|REMIND|DIGEST|LANGUAGE|ARCHIVE|TOKEN value',
    role: 'player',
    pattern:
      'set +(?<what>address|name|zone|paper|format|remind(?:ers?)?|digest|language|archive|token)(?: +(?<rest>\\S.*))?|set +(?!(?:final|wait|nowait|commit|ready|up)\\b)(?<what2>[a-z]{2,20})(?: +(?<rest2>\\S+))?',
    synonyms: [{ pattern: 'set +(?<what>password)(?: +(?<rest>\\S.*))?', taught: 'SET TOKEN NEW' }],
  },
  // ---- Part of an order mail: obeyed where orders are read
  ofFrame('FINAL', 'FINAL'),
  ofFrame('WAIT', 'WAIT'),
  ofFrame('CHECK', 'CHECK … END'),
  ofFrame('ADD', 'ADD … END'),
  ofFrame('CLEAR', 'CLEAR'),
  ofFrame('ACCEPT', 'ACCEPT n'),
  ofFrame('ANSWER', 'ANSWER q: n'),
  // ---- The game master
  {
    name: 'CREATE',
    usage: 'CREATE scenario [option=value …] [rule …] [SEAT side address …] [DEPUTY address]',
    role: 'master',
    pattern: `create +(?:game +)?(?<scenario>[a-z][\\w-]*(?:/| +)[\\w-]+)(?: +${REST})?`,
    synonyms: [{ pattern: `form +(?<scenario>[a-z][\\w-]*/[\\w-]+)(?: +${REST})?`, taught: 'CREATE scenario' }],
  },
  {
    name: 'START',
    usage: 'START game',
    role: 'master',
    pattern: `start${MAYBE_GAME}`,
    synonyms: [{ pattern: `activate${MAYBE_GAME}`, taught: 'START game' }],
  },
  {
    name: 'PAUSE',
    usage: 'PAUSE game [reason]',
    role: 'master',
    pattern: `pause${MAYBE_GAME}(?: +${REST})?`,
    synonyms: [{ pattern: `suspend${MAYBE_GAME}`, taught: 'PAUSE game' }],
  },
  {
    name: 'RESUME',
    usage: 'RESUME game | RESUME ALL',
    role: 'master',
    pattern: `resume(?:(?<all> +all)|${MAYBE_GAME})`,
  },
  {
    name: 'CANCEL',
    usage: 'CANCEL game reason',
    role: 'master',
    pattern: `cancel +${GAME}(?: +${REST})?`,
    synonyms: [{ pattern: `(?:terminate|finish|purge) +${GAME}(?: +${REST})?`, taught: 'CANCEL game' }],
  },
  {
    name: 'DEADLINE',
    usage: 'DEADLINE game date|+days [reason]',
    role: 'master',
    pattern: `deadline${MAYBE_GAME} +(?<when>\\+\\d{1,2}|${DATE}(?: +\\d{1,2}:\\d{2})?|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*(?: +\\d{1,2}:\\d{2})?)(?: +${REST})?`,
  },
  {
    name: 'SCHEDULE',
    usage: 'SCHEDULE game rule | SCHEDULE game ?',
    role: 'master',
    pattern: `schedule${MAYBE_GAME} *(?<rest>\\?|\\S.*)?`,
  },
  { name: 'PREVIEW', usage: 'PREVIEW game', role: 'master', pattern: `preview${MAYBE_GAME}(?<sure> +sure)?` },
  {
    name: 'PROCESS',
    usage: 'PROCESS game | PROCESS! game',
    role: 'master',
    pattern: `process(?<force>!)?${MAYBE_GAME}`,
  },
  {
    name: 'REWIND',
    usage: 'REWIND game n [KEEP] reason',
    role: 'master',
    pattern: `rewind${MAYBE_GAME} +(?:to +)?(?:phase +)?(?<n>\\d{1,5})(?<keep> +keep)?(?: +${REST})?`,
    synonyms: [
      {
        pattern: `roll ?back${MAYBE_GAME} +(?<n>\\d{1,5})(?<keep> +(?:keep|restore)(?: +orders)?)?(?: +${REST})?`,
        taught: 'REWIND game n',
      },
    ],
  },
  {
    name: 'RERUN',
    usage: 'RERUN game n [PUBLISH reason]',
    role: 'master',
    pattern: `re-?run${MAYBE_GAME} +(?:phase +)?(?<n>\\d{1,5})(?: +show +diff)?(?<publish> +publish)?(?: +${REST})?`,
  },
  {
    name: 'RULING',
    usage: 'RULING game text | RULING game UNDO n',
    role: 'master',
    pattern: `ruling${MAYBE_GAME}(?: +undo +(?<undo>\\d{1,6}))?(?: +${REST})?`,
  },
  {
    name: 'ADJUST',
    usage: 'ADJUST game path = value BECAUSE reason',
    role: 'master',
    pattern: `adjust${MAYBE_GAME} +(?<path>(?:table|hands|cup)\\S*) *= *(?<value>.+?) +because +${REST}`,
  },
  {
    name: 'SEAT',
    usage: 'SEAT game side address',
    role: 'master',
    pattern: `seat${MAYBE_GAME} +${SIDE} +${ADDRESS}`,
    synonyms: [{ pattern: `invite${MAYBE_GAME} +${SIDE} +${ADDRESS}`, taught: 'SEAT game side address' }],
  },
  {
    name: 'DEPUTY',
    usage: 'DEPUTY game address | DEPUTY game OFF',
    role: 'master',
    pattern: `deputy${MAYBE_GAME} +(?:${ADDRESS}|(?<off>off|none))`,
  },
  {
    name: 'DISMISS',
    usage: 'DISMISS game side reason',
    role: 'master',
    pattern: `dismiss${MAYBE_GAME} +${SIDE}(?: +${REST})?`,
  },
  {
    name: 'ANNOUNCE',
    usage: 'ANNOUNCE game text',
    role: 'master',
    pattern: `announce${MAYBE_GAME} +${REST}`,
    synonyms: [{ pattern: `official${MAYBE_GAME} +${REST}`, taught: 'ANNOUNCE game text' }],
  },
  { name: 'LISTS', usage: 'LISTS game list-id …', role: 'master', pattern: `lists${MAYBE_GAME}(?: +${REST})?` },
  {
    name: 'LOG',
    usage: 'LOG game [side] | LOG MAIL [n]',
    role: 'master',
    pattern: `log +(?<mail>mail)(?: +#?(?<n>\\d{1,12}))?|log${MAYBE_GAME}(?: +${SIDE})?`,
  },
  { name: 'MAIL', usage: 'MAIL n', role: 'master', pattern: 'mail +#?(?<n>\\d{1,12})' },
  { name: 'EXPORT', usage: 'EXPORT game', role: 'master', pattern: `export${MAYBE_GAME}` },
];

export const COMMAND_TABLE: readonly CommandRow[] = ROWS;

/** Commands that only tell something: a mail that is a CHECK may ask them too. */
export const TELLING: ReadonlySet<string> = new Set([
  ...[
    'HELP',
    'GAMES',
    'RULES',
    'MYDATA',
    'DESK',
    'SIGNON',
    'STATUS',
    'REPORT',
    'MAP',
    'ORDERS',
    'FORM',
    'HISTORY',
    'DICE',
  ],
  ...['LOG', 'MAIL', 'EXPORT'],
]);

interface Compiled {
  row: CommandRow;
  pattern: RegExp;
  taught?: string;
}

const COMPILED: readonly Compiled[] = ROWS.flatMap((row) => [
  { row, pattern: new RegExp(`^(?:${row.pattern})$`, 'i') },
  ...(row.synonyms ?? []).map((old) => ({
    row,
    pattern: new RegExp(`^(?:${old.pattern})$`, 'i'),
    taught: old.taught,
  })),
]);

/** The patterns for `Profile.commandPatterns`: whole lines, without groups' names, so that they can be joined. */
export function commandPatterns(): string[] {
  return COMPILED.map(({ pattern }) => pattern.source.slice('^(?:'.length, -')$'.length).replace(/\(\?<\w+>/g, '(?:'));
}

export interface ReadCommand {
  row: CommandRow;
  args: Record<string, string>;
  /** The present word, when an old one was used. */
  taught?: string;
}

/** Reads one command line; undefined when it is none. Blanks are free, case too; arguments keep their case. */
export function readCommand(text: string): ReadCommand | undefined {
  const line = text.trim().replace(/\s+/g, ' ').slice(0, COMMAND_LENGTH_MAX);
  for (const { row, pattern, taught } of COMPILED) {
    const match = pattern.exec(line);
    if (!match) continue;
    const args: Record<string, string> = {};
    for (const [name, value] of Object.entries(match.groups ?? {}))
      if (value !== undefined) args[name.replace(/\d$/, '')] = value.trim();
    if (args.game !== undefined) args.game = args.game.toUpperCase();
    return taught === undefined ? { row, args } : { row, args, taught };
  }
  return undefined;
}

/** A mail's commands, each once: who says the same in subject and body (or twice) means it once. */
export function distinctCommands(commands: readonly MailCommand[]): MailCommand[] {
  const meaning = ({ text }: MailCommand): string => {
    const read = readCommand(text);
    const said = read ? JSON.stringify([read.row.name, read.args]) : text.trim().replace(/\s+/g, ' ');
    return said.toLowerCase();
  };
  const kept: MailCommand[] = [];
  for (const command of commands) {
    const at = kept.findIndex((one) => meaning(one) === meaning(command));
    const same = kept[at];
    if (!same) kept.push(command);
    // Words to pass on stand in the body alone; a subject that announces them is no second press.
    else if (same.press === undefined) kept[at] = command;
    else if (command.press !== undefined && command.press !== same.press) kept.push(command);
  }
  return kept;
}

/** Up to three commands a line may have meant: by a misspelt first word, or by a right first word with a wrong rest. */
export function suggestCommands(text: string, roles: readonly CommandRole[]): CommandRow[] {
  const first = text.trim().split(/\s+/)[0]?.toUpperCase() ?? '';
  const rows = ROWS.filter((row) => roles.includes(row.role));
  const exact = rows.filter((row) => row.name === first);
  if (exact.length > 0) return exact;
  const names = suggest(
    first,
    rows.map((row) => row.name),
  );
  return names.map((name) => rows.find((row) => row.name === name)!);
}
