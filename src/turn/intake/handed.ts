/**
 * What a mail hands in: its order block with the commands that belong to it, or why there is none. Pure; `read-mail` uses
 * it as the intake does.
 */
import { error } from '../../kernel/orders.ts';
import type { Diagnostic } from '../../kernel/types.ts';
import type { InboundMessage } from '../../mail/inbound.ts';
import { COMMANDS_PER_MAIL_MAX, distinctCommands, type ReadCommand, readCommand } from '../commandwords.ts';
import type { HandedIn } from '../filing/decision.ts';

/** Where a mail came from, as far as a receipt tells. */
export interface Origin {
  source: 'mail' | 'web';
  mailId: number | null;
  /** When it came; undefined: now. */
  receivedAt?: Date;
}

/** The order lines without the chat among them. */
function blockLines(message: InboundMessage): string[] {
  return message.orderLines.filter((_, place) => !message.chat.includes(place));
}

/**
 * The order lines but for those that only name the game and those that are commands of their own (`MAIL 12`): these
 * belong to the commands of a mail without orders.
 */
export function writtenLines(message: InboundMessage): string[] {
  const own = message.commands.filter(({ text }) => readCommand(text)?.row.role !== 'intake').map(({ text }) => text);
  return blockLines(message).filter((line) => !/^(GAME\s+\S+|END)\s*$/i.test(line) && !own.includes(line));
}

/** The commands of a mail: those that belong to its orders, and the rest. */
export function commandsOf(message: InboundMessage): { intake: ReadCommand[]; others: ReadCommand[] } {
  const all = distinctCommands(message.commands)
    .slice(0, COMMANDS_PER_MAIL_MAX)
    .map((command) => ({ where: command.where, command: readCommand(command.text) }));
  // "Orders" is what many write above their orders; alone it asks what is on file.
  const more = message.orderLines.length > 0 || all.length > 1;
  const read = all
    .filter(({ where, command }) => !(more && where === 'subject' && command?.row.name === 'ORDERS'))
    .map(({ command }) => command)
    .filter((command) => command !== undefined);
  return {
    intake: read.filter((command) => command.row.role === 'intake'),
    others: read.filter((command) => command.row.role !== 'intake'),
  };
}

export function base(origin: Origin, message: InboundMessage, hints: NonNullable<HandedIn['hints']>) {
  return {
    ...origin,
    replyTo: { subject: message.subject, date: message.date, messageId: message.messageId },
    hints,
    notRead: message.notRead,
    strays: message.strays,
    numbered: message.numbered,
  };
}

/** What a mail hands in to a seat of `game`, or undefined when it holds commands of the other kind alone. */
export function handedIn(
  origin: Origin,
  message: InboundMessage,
  intake: readonly ReadCommand[],
  hints: NonNullable<HandedIn['hints']>,
  game: string,
): HandedIn | undefined {
  const given = contentOf(origin, message, intake, hints);
  const { gameRef } = message;
  if (given && gameRef !== null && gameRef !== game)
    given.fault = error('OTHER GAME', 'mail', { written: gameRef, wanted: game });
  return given;
}

function contentOf(
  origin: Origin,
  message: InboundMessage,
  intake: readonly ReadCommand[],
  hints: NonNullable<HandedIn['hints']>,
): HandedIn | undefined {
  const common = base(origin, message, hints);
  if (message.kind === 'reject' || message.bodyFault)
    return { ...common, lines: [], fault: error(faultCode(message), 'mail') };
  if (onlyHeadedOrders(message)) return { ...common, lines: [], fault: emptyFault(message) };
  if (message.quotedForm) {
    hints.push({ key: 'post.quoted form', params: {} });
    return { ...common, lines: message.quotedLines, offered: 'quoted' };
  }
  if (message.kind === 'empty') return { ...common, lines: [], fault: emptyFault(message) };
  if (intake.length === 0 && (message.commands.length > 0 ? writtenLines(message) : blockLines(message)).length === 0)
    return undefined;
  const said = (name: string): boolean => intake.some((command) => command.row.name === name);
  if (message.misnumbered) hints.push({ key: 'post.misnumbered', params: {} });
  return {
    ...common,
    ...(message.misnumbered ? { offered: 'quoted' as const } : {}),
    lines: linesOf(message, intake),
    final: said('FINAL'),
    wait: said('WAIT'),
    check: said('CHECK'),
    clear: said('CLEAR'),
  };
}

/** "Orders" is what many write above a mail: where its body has words but no order line, it is no question for the list. */
function onlyHeadedOrders({ commands, orderLines, notRead, strays }: InboundMessage): boolean {
  const [first, another] = commands;
  if (first?.where !== 'subject' || another || orderLines.length > 0) return false;
  return readCommand(first.text)?.row.name === 'ORDERS' && notRead.length + strays.length > 0;
}

/** The block with the commands that are lines of it: ADD above, answers below what the block ends with. */
function linesOf(message: InboundMessage, intake: readonly ReadCommand[]): string[] {
  const block = blockLines(message);
  const lines = block.filter((line, i) => i < block.length - 1 || !/^END\b/i.test(line));
  const answers = intake.map(answerOf).filter((answer) => answer !== undefined);
  const said = new Set(lines.map((line) => answerOf(readCommand(line))));
  const add = intake.some((command) => command.row.name === 'ADD') ? ['ADD'] : [];
  return [...add, ...lines, ...answers.filter((answer) => !said.has(answer))];
}

/** The one way of writing an answer; undefined for everything else. */
function answerOf(command: ReadCommand | undefined): string | undefined {
  return command?.row.name === 'ANSWER' ? `ANSWER ${command.args.q}: ${command.args.rest}` : undefined;
}

/** The code under which a refused mail is told. */
export function faultCode(message: InboundMessage): string {
  return `MAIL ${(message.reason ?? message.bodyFault ?? 'empty').toUpperCase().replaceAll('-', ' ')}`;
}

function emptyFault(message: InboundMessage): Diagnostic {
  return error(message.files.some((file) => file.type.startsWith('image/')) ? 'MAIL PICTURE' : 'MAIL EMPTY', 'mail');
}
