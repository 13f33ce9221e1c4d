/**
 * What the service would answer to a mail for a seat, worked out by the intake's own steps without a store: the mail is
 * taken for one from the seat's holder to his secret address, with nothing on file yet.
 */
import { error } from '../../kernel/orders.ts';
import type { Diagnostic, GameState, SideId } from '../../kernel/types.ts';
import type { InboundMessage } from '../../mail/inbound.ts';
import type { MailCommand } from '../../mail/lines/lines.ts';
import type { Wording } from '../../render/words.ts';
import type { OpenScenario } from '../../scenarios.ts';
import { distinctCommands, readCommand, TELLING } from '../commandwords.ts';
import { decideOrders, type HandedIn, refusal } from '../filing/decision.ts';
import type { SeatDesk } from '../filing/openseat.ts';
import { complain } from '../post/reporttext.ts';
import { commandsOf, handedIn } from './handed.ts';

/** The part of `read-mail --receipt` beside what the reading gave. */
export interface WouldBe {
  /** Order lines that would stand afterwards. */
  filed: string[];
  /** Standing orders (doctrine) that would be kept or withdrawn. */
  standing: string[];
  /** FINAL would count. */
  final: boolean;
  errors: { line: number | 'mail'; code: string; text: string }[];
  /** The writer's own lines that are named because they are neither orders nor commands. */
  notRead: string[];
  /** Commands that would be obeyed, each once. */
  commands: MailCommand[];
}

export interface WouldBeSeat {
  open: OpenScenario;
  state: GameState;
  side: SideId;
}

/** What would come of a mail that was read. Robots' mails and invitations come to nothing. */
export function answerTo(message: InboundMessage, { open, state, side }: WouldBeSeat, wording: Wording): WouldBe {
  const commands = message.fromNobody ? [] : obeyed(distinctCommands(message.commands));
  const answer: WouldBe = { filed: [], standing: [], final: false, errors: [], notRead: [], commands };
  const given = givenBy(message, open.system.prefix);
  const told = (one: Diagnostic) => ({ line: one.line, code: one.code, text: complain(wording, open.system.id, one) });
  if (!given) {
    if (isSilent(message)) return answer;
    const strays = message.strays.map((_, i) => told(error('OUTSIDE THE BLOCK', i + 1)));
    return { ...answer, notRead: message.notRead, errors: strays };
  }
  const ground: SeatDesk = {
    game: { ref: referenceOf(message, open.system.prefix) },
    phase: { snapshot: state, step: state.phase.step, status: 'open', opened_at: new Date(0), closed_at: null },
    seat: { side },
    rules: open.rules,
    scenario: open.scenario,
    before: undefined,
    standing: [],
    overtaken: false,
    requests: [],
    views: {},
    wording,
  };
  const { decided, read } = decideOrders(ground, given);
  const stands = decided.verdict === 'filed' || decided.verdict === 'answered';
  const found = [...decided.detail.mail, ...decided.detail.echo.flatMap(({ diagnostics }) => diagnostics)];
  return {
    ...answer,
    notRead: decided.detail.notRead ?? [],
    filed: stands ? decided.lines : [],
    standing: stands ? read.standingLines : [],
    final: stands && decided.final,
    errors: found.filter(({ severity }) => severity === 'error').map(told),
  };
}

/** A mail that is a CHECK does nothing: it only asks. */
function obeyed(commands: readonly MailCommand[]): MailCommand[] {
  const read = commands.map((command) => ({ command, row: readCommand(command.text)?.row }));
  const checks = read.some(({ row }) => row?.name === 'CHECK');
  return read
    .filter(({ row }) => !checks || !row || row.role === 'intake' || TELLING.has(row.name))
    .map(({ command }) => command);
}

const ROBOTS = new Set<InboundMessage['kind']>(['autoreply', 'bounce', 'mdn', 'loop']);

function isSilent({ kind, reason, fromNobody, orderLines }: InboundMessage): boolean {
  return ROBOTS.has(kind) || reason === 'calendar' || (fromNobody && orderLines.length === 0);
}

function givenBy(message: InboundMessage, prefix: string): HandedIn | undefined {
  if (isSilent(message)) return undefined;
  const { intake } = commandsOf(message);
  const given = handedIn({ source: 'mail', mailId: null }, message, intake, [], referenceOf(message, prefix));
  if (given && message.fromNobody) return refusal(given, error('MAIL NO SENDER', 'mail'));
  const accept = intake.find((command) => command.row.name === 'ACCEPT');
  if (!given || !accept || given.lines.length > 0) return given;
  return refusal(given, error('NOTHING TO ACCEPT', 'mail', { number: Number(accept.args.n) }));
}

/** The game meant: any number of this system's, since any seat is; a game of another system is another game. */
function referenceOf({ gameRef }: InboundMessage, prefix: string): string {
  return gameRef?.startsWith(`${prefix}-`) ? gameRef : `${prefix}-0001`;
}
