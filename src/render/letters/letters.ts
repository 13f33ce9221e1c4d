/**
 * The mails players read: report, receipt and notice as plain text and HTML. Layout stands in templates/mail/*.hbs, words in
 * templates/<language>/service.json; nothing a player wrote is ever put into HTML unescaped.
 */
import Handlebars from 'handlebars';
import type { DecidedBy, DieRoll, Report } from '../../kernel/types.ts';
import { languageOf, mailLayout, saidForm, saidRoll, type Wording } from '../words.ts';
import { BULLET, EXACT, laidOut } from './flow.ts';

/** Largest HTML part: Gmail cuts mails at 102 KB. */
export const HTML_LIMIT = 100_000;
/** Longest mailto link that mail programs take. */
export const MAILTO_LIMIT = 1500;
/** Content id of the inline map picture. */
export const MAP_CID = 'map@fieldpost';

export interface MailFrame {
  club: string;
  game: string;
  title: string;
  side: string | null;
  sideName: string;
  turnLabel: string;
  /** Already in the reader's own zone. */
  due: string | null;
  nextTurn?: string;
  mailto?: string;
  baseUrl?: string;
  /** The mail answers one of the reader's. */
  answers?: boolean;
  /** An old report, sent again: a thread of its own, without anything due. */
  old?: boolean;
}

export interface ComposedMail {
  subject: string;
  text: string;
  html: string;
}

export interface ReportInput {
  frame: MailFrame;
  system: string;
  report: Report;
  decisions: { text: string; by: DecidedBy }[];
  /** The open dice of the phase. */
  dice: DieRoll[];
  key?: { n: number; open: string; previous: string };
  house: string[];
  notices: string[];
  /** The map picture is attached inline as `MAP_CID`. */
  thumbnail?: boolean;
}

export interface ReceiptInput {
  frame: MailFrame;
  number: number;
  /** The receipt whose orders these replace; of orders that were kept or filed without a receipt the number is below 1. */
  supersedes: number | null;
  /** What the orders do to those before: take their place, are the first, or are the same again. */
  replaced: 'orders' | 'kept' | 'first' | 'same' | 'nothing';
  /** What stands, where the mail itself brought no order: FINAL alone, or nothing of it was filed. */
  onFile?: string[];
  hash: string;
  replyTo: { subject: string; date: string | null; messageId: string | null };
  lines: { n: number; text: string; status: 'ok' | 'warning' | 'error'; messages: { text: string; rule?: string }[] }[];
  mailProblems: string[];
  /** Said before anything else: hints, doctrine kept, what the mail did besides. */
  notices?: string[];
  /** The mail filed something; left out: it did unless it had problems. */
  filed?: boolean;
  /** The lines are filed only when they are accepted; FINAL among them counts from then on. */
  offered?: boolean;
  /** The forecast is of what stood before, not of the lines of this mail. */
  standing?: boolean;
  /** Earlier lines that no longer stand. */
  dropped: string[];
  forecast: string[];
  final: boolean;
  wait: boolean;
  due: string | null;
}

export interface NoticeInput {
  frame: MailFrame;
  title: string;
  paragraphs: string[];
  facts?: [string, string][];
  links?: { text: string; url: string }[];
}

type Values = Record<string, unknown>;
interface Layouts {
  text(name: string, values: Values): string;
  html(name: string, values: Values): string;
}

const opened = new WeakMap<Wording, Layouts>();

/** One line without control characters: what a player wrote must not break out of its place. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ');
}

function layoutsOf(wording: Wording): Layouts {
  const known = opened.get(wording);
  if (known) return known;
  const engine = Handlebars.create();
  engine.registerHelper('say', (key: string, options: Handlebars.HelperOptions) => {
    const params: Record<string, string | number | boolean> = {};
    for (const [name, value] of Object.entries(options.hash as Values))
      params[name] = typeof value === 'number' || typeof value === 'boolean' ? value : oneLine(String(value ?? ''));
    return wording.say({ key, params });
  });
  engine.registerHelper('heading', (title: string) => oneLine(title).toUpperCase());
  // Blanks before a line stand: they show what belongs to what.
  const nested = (line: string): string => line.replace(/^ +/, (blanks) => '\u00a0'.repeat(blanks.length));
  engine.registerHelper('nested', nested);
  engine.registerHelper('lines', (text: string) => text.split('\n').map(nested));
  engine.registerHelper('bullet', (text: string) => BULLET + oneLine(text));
  engine.registerHelper('exact', (text: string) => EXACT + text.replace(/[\u0000-\u001f\u2028\u2029]+/g, ' '));
  // Compiled once: given as text they would be compiled anew for each mail.
  const part = (name: string): Handlebars.TemplateDelegate =>
    engine.compile(mailLayout(wording, `${name}.html`), { preventIndent: true });
  for (const name of ['heading', 'lines']) engine.registerPartial(name, part(name));
  const compiled = new Map<string, Handlebars.TemplateDelegate>();
  const template = (name: string, noEscape: boolean): Handlebars.TemplateDelegate => {
    const made = compiled.get(name) ?? engine.compile(mailLayout(wording, name), { noEscape, preventIndent: true });
    compiled.set(name, made);
    return made;
  };
  const layouts: Layouts = {
    text: (name, values) => laidOut(template(`${name}.text`, true)(values)),
    html: (name, values) => {
      const frame = template('frame.html', false);
      return frame(
        { ...values, lang: languageOf(wording) },
        { partials: { content: template(`${name}.html`, false) } },
      );
    },
  };
  opened.set(wording, layouts);
  return layouts;
}

function frameValues(frame: MailFrame): Values {
  return {
    club: frame.club,
    game: frame.game,
    title: frame.title,
    gameTitle: frame.title,
    sideName: frame.sideName,
    turn: frame.turnLabel,
    due: frame.due,
    next: frame.nextTurn ?? frame.turnLabel,
    mailto: frame.mailto,
    old: frame.old === true,
  };
}

/** Characters of a subject: what mail programs keep of it. */
const SUBJECT_CHARS = 140;

/** The one subject of all mails of a game, so that they are one thread; what a mail is says its first line. */
export function gameSubject(
  { game, title, turnLabel, answers, old }: Pick<MailFrame, 'game' | 'title' | 'turnLabel' | 'answers' | 'old'>,
  wording: Wording,
): string {
  const key = old ? 'service.subject.old' : 'service.subject.game';
  const params = { game, title: quiet(title), turn: turnLabel, answers: answers === true };
  return cut(oneLine(wording.say({ key, params })));
}

/** A title in capitals throughout, as a subject may show it: spam shouts. */
function quiet(title: string): string {
  if (title !== title.toUpperCase()) return title;
  return title.replace(/\p{Lu}{2,}/gu, (word) => word.slice(0, 1) + word.slice(1).toLowerCase());
}

function cut(subject: string): string {
  return subject.length <= SUBJECT_CHARS ? subject : `${subject.slice(0, SUBJECT_CHARS - 1).trimEnd()}…`;
}

/** The longest start, up to a slash, that all contexts share. */
function commonPrefix(contexts: readonly string[]): string {
  const first = contexts[0];
  if (first === undefined || contexts.length < 2) return '';
  let length = first.lastIndexOf('/') + 1;
  while (length > 0 && !contexts.every((context) => context.startsWith(first.slice(0, length))))
    length = first.lastIndexOf('/', length - 2) + 1;
  return first.slice(0, length);
}

/** The turn report of one side, or of the public (`frame.side` null). */
export function composeReport(input: ReportInput, wording: Wording): ComposedMail {
  const { frame, report } = input;
  const subject = gameSubject(frame, wording);
  const kind = frame.old ? '.old' : frame.side === null ? '.public' : '';
  const summary = wording.say({
    key: `service.summary.report${kind}`,
    params: { turn: frame.turnLabel, side: frame.sideName, due: frame.due ?? '' },
  });
  const open = input.dice.filter((roll) => !roll.secret);
  const prefix = commonPrefix(open.map((roll) => roll.context));
  const values: Values = {
    ...frameValues(frame),
    subject,
    summary,
    headline: wording.say(report.headline),
    sections: report.sections.map((section) => ({
      title: wording.say(section.title),
      lines: section.lines.map((line) => wording.say(line)),
    })),
    decisions: input.decisions.map(({ text, by }) => ({
      text,
      by: wording.say({ key: `service.report.decided.${by}` }),
    })),
    notices: input.notices,
    hasDice: open.length > 0 || input.key !== undefined,
    prefix,
    dice: open.map((roll) => ({
      context: roll.context.slice(prefix.length),
      ...saidRoll(roll, wording),
    })),
    key: input.key,
    house: input.house,
    form: saidForm(report.orderForm, wording),
    thumbnail: input.thumbnail === true,
    cid: MAP_CID,
  };
  const layouts = layoutsOf(wording);
  return { subject, text: layouts.text('report', values), html: shortened(layouts, 'report', values) };
}

/** HTML under the limit: without dice and form if need be, then with ever shorter sections. */
function shortened(layouts: Layouts, name: string, values: Values): string {
  let html = layouts.html(name, values);
  if (Buffer.byteLength(html) <= HTML_LIMIT) return html;
  const sections = (values.sections ?? []) as { title: string; lines: string[] }[];
  for (const most of [200, 60, 20, 6, 1]) {
    html = layouts.html(name, {
      ...values,
      short: true,
      dice: [],
      form: [],
      sections: sections.slice(0, 40).map((section) => ({ ...section, lines: section.lines.slice(0, most) })),
    });
    if (Buffer.byteLength(html) <= HTML_LIMIT) return html;
  }
  throw new Error('a report that cannot be made short enough for mail');
}

const STATUS = {
  ok: { colour: '#0b6e4f', mark: 'fp-good' },
  warning: { colour: '#8a5a00', mark: 'fp-warn' },
  error: { colour: '#b3261e', mark: 'fp-bad' },
} as const;

/** What a receipt says of the orders before. */
const REPLACES: Record<ReceiptInput['replaced'], string | undefined> = {
  orders: 'service.receipt.supersedes',
  kept: 'service.receipt.kept',
  first: 'service.receipt.first',
  same: 'service.receipt.same',
  nothing: undefined,
};

/** The answer to an order mail: every line with what became of it. */
export function composeReceipt(input: ReceiptInput, wording: Wording): ComposedMail {
  const { frame } = input;
  const errors = input.lines.filter((line) => line.status === 'error').length;
  const subject = gameSubject(frame, wording);
  // Only what was mailed is counted; a check at the page has no number.
  const number = Math.max(0, input.number);
  const summary = wording.say({
    key: number > 0 ? 'service.summary.receipt' : 'service.summary.check',
    params: { turn: frame.turnLabel, side: frame.sideName, number, errors },
  });
  const width = Math.max(2, ...input.lines.map((line) => String(line.n).length));
  const filed = input.filed ?? input.mailProblems.length === 0;
  const values: Values = {
    ...frameValues(frame),
    subject,
    summary,
    filed,
    offered: input.offered ?? false,
    standing: input.standing ?? false,
    notices: input.notices ?? [],
    number,
    replaces: REPLACES[input.replaced],
    hasLines: input.lines.length > 0,
    supersedes: input.supersedes,
    onFile: (input.onFile ?? []).map(oneLine),
    hash: input.hash,
    replyTo: input.replyTo,
    mailProblems: input.mailProblems,
    dropped: input.dropped.map(oneLine),
    forecast: input.forecast,
    final: input.final,
    wait: input.wait,
    due: input.due,
    lines: input.lines.map((line) => {
      const word = wording.say({ key: `service.receipt.${line.status}` });
      return {
        n: line.n,
        text: line.text,
        word,
        ...STATUS[line.status],
        echo: `${String(line.n).padStart(width)} ${word.padEnd(7)} ${oneLine(line.text)}`,
        messages: line.messages.map(({ text, rule }) => ({
          text: rule ? `${text} (${wording.say({ key: 'service.receipt.rule', params: { rule } })})` : text,
        })),
      };
    }),
  };
  const layouts = layoutsOf(wording);
  return { subject, text: layouts.text('receipt', values), html: layouts.html('receipt', values) };
}

/** Any other mail of the service. */
export function composeNotice(input: NoticeInput, wording: Wording): ComposedMail {
  const { frame } = input;
  const params = { game: frame.game, title: input.title };
  const subject =
    frame.title === ''
      ? cut(oneLine(wording.say({ key: 'service.subject.notice', params })))
      : gameSubject(frame, wording);
  const values: Values = {
    ...frameValues(input.frame),
    subject,
    summary: input.title,
    title: input.title,
    paragraphs: input.paragraphs,
    facts: (input.facts ?? []).map(([name, value]) => ({ name, value })),
    links: (input.links ?? []).filter((link) => /^(https?:|mailto:)/i.test(link.url)),
  };
  const layouts = layoutsOf(wording);
  return { subject, text: layouts.text('notice', values), html: layouts.html('notice', values) };
}

/** The order form as a file: CRLF-free lines ready to edit. */
export function orderFormText(lines: readonly string[]): string {
  return `${lines.map((line) => line.replace(/[\r\n]+/g, ' ').trimEnd()).join('\n')}\n`;
}

/** FINAL and END, with or without a comment. */
const FORM_ENDS = /^\s*(?:final|end)\s*(?:#.*)?$/i;

/**
 * A link that opens a mail with the given order lines. Lines that would make it longer than `MAILTO_LIMIT` characters are
 * left out from the end; FINAL and END stay wherever they stand, and `shortened` then says that something is missing.
 */
export function mailtoLink(address: string, subject: string, lines: readonly string[], shortened: string): string {
  const head = `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}?subject=${encodeURIComponent(subject)}&body=`;
  const build = (kept: readonly string[]): string => head + encodeURIComponent(kept.join('\r\n'));
  if (build(lines).length <= MAILTO_LIMIT) return build(lines);
  const ends = lines.filter((line) => FORM_ENDS.test(line));
  const kept = lines.filter((line) => !ends.includes(line));
  while (kept.length > 0 && build([...kept, shortened, ...ends]).length > MAILTO_LIMIT) kept.pop();
  return build([...kept, shortened, ...ends]);
}
