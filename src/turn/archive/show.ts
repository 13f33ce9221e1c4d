/**
 * What pages show of a game, made from one viewer's view only. Who may look with whose eyes is decided in one place:
 * `mayLook`. Reports, maps and receipts are those of the mails.
 */

import type { Viewer } from '../../kernel/types.ts';
import { publicView, viewFor } from '../../kernel/view.ts';
import { renderSvg } from '../../render/sheet/svg.ts';
import { saidForm, saidRoll, saidScene, shown } from '../../render/words.ts';
import { standIn } from '../../store/club.ts';
import { inTransaction, lockGame, type Reader } from '../../store/db.ts';
import { gameById, phaseById, seatById, seatsOf } from '../../store/games.ts';
import { allInForce } from '../../store/orders.ts';
import { personById } from '../../store/people.ts';
import type { GameRow, MailOutRow, PersonRow, PhaseRow, ReceiptRow, SeatRow } from '../../store/schema.ts';
import type { Looking, Service } from '../context.ts';
import { fileOrders } from '../filing/filing.ts';
import { deskOf, mailReceipt } from '../intake/intake.ts';
import { phaseKeys } from '../keys.ts';
import { composeFacts } from '../post/compose.ts';
import { heardBy, putQuestions, scenesOfMoment } from '../post/openquestions.ts';
import { showMoment } from '../time/instants.ts';

const ORDER_BYTES_MAX = 64 * 1024;

/** Whose eyes a person may look with: the public's, his own seats', and all of them once a game is over and open. */
export async function mayLook(db: Reader, game: GameRow, person: PersonRow | null, viewer: Viewer): Promise<boolean> {
  if (viewer === 'public' || isOpen(game)) return true;
  if (!person) return false;
  if (game.status === 'over') return inGame(db, game, person);
  return (await seatsHeld(db, game, person)).some((seat) => seat.side === viewer);
}

/** A finished game is open to all unless its makers kept it private. */
export function isOpen(game: Pick<GameRow, 'status' | 'settings'>): boolean {
  return game.status === 'over' && game.settings.archive !== 'private';
}

async function inGame(db: Reader, game: GameRow, person: PersonRow): Promise<boolean> {
  return game.master_id === person.id || (await seatsHeld(db, game, person)).length > 0;
}

/** The seats of a game that a person holds or stands in for. */
export async function seatsHeld(db: Reader, game: GameRow, person: PersonRow): Promise<SeatRow[]> {
  const held: SeatRow[] = [];
  for (const seat of await seatsOf(db, game.id)) {
    const stand = await standIn(db, seat.id);
    if (seat.person_id === person.id || stand?.person_id === person.id) held.push(seat);
  }
  return held;
}

/** The name under which a person is shown: his own if he agreed to the public archive, else his side's. */
function shownName(service: Looking, person: Pick<PersonRow, 'settings' | 'name'> | undefined, side: string): string {
  if (!person) return service.wording.say({ key: 'club.seat is vacant' });
  const { consent } = person.settings;
  return consent === 'private' ? service.wording.say({ key: 'club.pseudonym', params: { side } }) : person.name;
}

export interface ShownPhase {
  id: number;
  n: number;
  turn: number;
  step: string;
  status: PhaseRow['status'];
  headline: string;
  sections: { title: string; lines: string[] }[];
  notices: string[];
  dice: { context: string; die: string; rolls: string; sides: number }[];
  key: string | null;
  previousKey: string | null;
  orderForm: string[];
  house: string[];
  /** The maps of the phase by their sheets; empty where there is one map only. */
  sheets: { id: string; name: string }[];
}

/** The phase that led to this one, when there is one on the line of play. */
async function phaseBefore(db: Reader, phase: PhaseRow): Promise<PhaseRow | null> {
  if (phase.from_phase_id === null || phase.opened_by === 'rewind') return null;
  return phaseById(db, phase.from_phase_id);
}

/** The report that opens a phase as one viewer gets it. The caller has asked `mayLook`. */
export async function showPhase(service: Looking, game: GameRow, phase: PhaseRow, viewer: Viewer): Promise<ShownPhase> {
  const { rules } = service.scenarios.open(game.scenario);
  const before = await phaseBefore(service.db, phase);
  const view = viewFor(phase.snapshot, viewer);
  const filed = before?.inputs?.filed[viewer] ?? { orders: [], standing: [] };
  const report = rules.report(view, heardBy(before?.events ?? [], viewer), filed);
  const say = service.wording.say;
  const keys = before?.open_key ? await phaseKeys(service, service.db, game.id, before.n) : undefined;
  return {
    id: phase.id,
    n: phase.n,
    turn: phase.turn,
    step: stepName(service, game, phase),
    status: phase.status,
    headline: say(report.headline),
    sections: report.sections.map((section) => ({
      title: say(section.title),
      lines: section.lines.map((line) => say(line)),
    })),
    notices: (before?.notices ?? [])
      .filter((one) => one.to === 'all' || one.to === viewer)
      .map((one) => say({ key: one.key, params: one.params })),
    dice: (before?.dice ?? [])
      .filter((roll) => !roll.secret)
      .map((roll) => ({ context: roll.context, sides: roll.sides, ...saidRoll(roll, service.wording) })),
    key: before?.open_key ?? null,
    previousKey: keys?.previous.toString('hex') ?? null,
    orderForm: saidForm(report.orderForm, service.wording),
    house: rules.house(view).map((text) => shown(text, service.wording)),
    sheets: rules
      .scenes(view, [])
      .flatMap(({ sheet }) => (sheet ? [{ id: sheet.id, name: shown(sheet.name, service.wording) }] : [])),
  };
}

/** A step in a player's words where the system has them. */
export function stepName(service: Looking, game: Pick<GameRow, 'system'>, phase: Pick<PhaseRow, 'step'>): string {
  const key = `${game.system}.step ${phase.step}`;
  return service.wording.has(key) ? service.wording.say({ key }) : phase.step.replaceAll(/[-_.]/g, ' ');
}

/**
 * A map of a phase with the marks of what led to it, as SVG: the one whose sheet is named, else the first. The caller has
 * asked `mayLook`. Undefined when there is no such sheet.
 */
export async function showMap(
  service: Looking,
  game: GameRow,
  phase: PhaseRow,
  viewer: Viewer,
  sheet?: string,
): Promise<string | undefined> {
  const open = service.scenarios.open(game.scenario);
  const { rules } = open;
  // Whoever is asked in the middle of a phase sees the moment he is asked in, as his question mail shows it.
  const { views } = await putQuestions(service, service.db, { game, phase, rules });
  const asked = viewer === 'public' ? undefined : views[viewer];
  const before = await phaseBefore(service.db, phase);
  const heard = heardBy(before?.events ?? [], viewer);
  const scenes = asked
    ? scenesOfMoment(service, { phase, open }, asked)
    : rules.scenes(viewFor(phase.snapshot, viewer), heard).map((scene) => saidScene(scene, service.wording));
  const scene = sheet === undefined ? scenes[0] : scenes.find((one) => one.sheet?.id === sheet);
  if (!scene) return undefined;
  const footer = `${game.ref} · ${phase.turn} ${stepName(service, game, phase)}`;
  return renderSvg(scene, { footer, words: service.wording });
}

/** Orders, standing orders and notes as they were adjudicated; only for games that are over. */
export function showOrders(phase: PhaseRow): { side: string; lines: string[]; standing: string[] }[] {
  return Object.entries(phase.inputs?.filed ?? {}).map(([side, filed]) => ({
    side,
    lines: filed.lines,
    standing: filed.standingLines,
  }));
}

export interface SeatState {
  seat: SeatRow;
  side: string;
  name: string;
  filed: boolean;
  final: boolean;
  wait: boolean;
  owes: boolean;
}

/** Who owes and who has filed, without a word of what. */
export async function seatStates(service: Looking, game: GameRow): Promise<SeatState[]> {
  const { db } = service;
  const { rules, scenario } = service.scenarios.open(game.scenario);
  const phase = game.phase_id === null ? undefined : await phaseById(db, game.phase_id);
  const onFile = phase ? await allInForce(db, phase.id) : new Map<string, ReceiptRow>();
  const asks = phase && game.status !== 'over' ? rules.asks(publicView(phase.snapshot)) : [];
  const states: SeatState[] = [];
  for (const seat of await seatsOf(db, game.id)) {
    const person = seat.person_id === null ? undefined : await personById(db, seat.person_id);
    const receipt = onFile.get(seat.side);
    const side = scenario.sides.find((one) => one.id === seat.side)?.name ?? seat.side;
    states.push({
      seat,
      side,
      name:
        seat.status === 'open' ? service.wording.say({ key: 'club.seat is open' }) : shownName(service, person, side),
      filed: receipt?.verdict === 'filed',
      final: receipt?.verdict === 'filed' && receipt.final,
      wait: receipt?.verdict === 'filed' && receipt.wait,
      owes: asks.some((ask) => ask.must && ask.side === seat.side),
    });
  }
  return states;
}

/** Orders as a page hands them in. */
export interface PageOrders {
  seatId: number;
  text: string;
  /** Else they are only checked. */
  file: boolean;
  clear?: boolean;
  person: PersonRow;
  source: 'web' | 'desk';
}

/** The receipt, and its words. */
export interface PageReceipt {
  receipt: ReceiptRow;
  subject: string;
  text: string;
}

/** What a page hands in for a seat: checked only, or filed with a receipt by mail as well. Gives the receipt's text. */
export async function handInByPage(service: Service, given: PageOrders): Promise<PageReceipt | undefined> {
  const lines = given.text.slice(0, ORDER_BYTES_MAX).split(/\r?\n/);
  const receipt = await inTransaction(service.db, async (trx) => {
    const found = await seatById(trx, given.seatId);
    await lockGame(trx, found.game_id);
    const game = await gameById(trx, found.game_id);
    const seat = await seatById(trx, found.id);
    const desk = await deskOf(service, trx, game, seat);
    if (!desk || game.status === 'over' || game.status === 'cancelled') return undefined;
    const written = await fileOrders(service, trx, desk, {
      lines,
      check: !given.file,
      clear: given.clear === true,
      source: given.source,
      unmailed: !given.file,
      mailId: null,
      replyTo: { subject: service.wording.say({ key: 'club.by page' }), date: null, messageId: null },
    });
    if (given.file) await mailReceipt(service, trx, seat, written, null);
    return written;
  });
  if (!receipt) return undefined;
  const made = await composeFacts(service, receiptMail(receipt, given.person.id));
  return { receipt, subject: made.subject, text: made.text };
}

/** A row of the outbox that was never put there: what the mail would say. */
function receiptMail(receipt: ReceiptRow, personId: number): MailOutRow {
  return {
    id: 0,
    kind: 'receipt',
    game_id: receipt.game_id,
    phase_id: receipt.phase_id,
    seat_id: receipt.seat_id,
    person_id: personId,
    to_address: '',
    to_name: null,
    facts: { make: 'receipt', receiptId: receipt.id },
    subject: null,
    message_id: '',
    in_reply_to: null,
    refers: null,
    raw: null,
    state: 'queued',
    attempts: 0,
    replace_key: null,
    stale_at: null,
    response: null,
    created_at: receipt.created_at,
    sent_at: null,
  };
}

/** A deadline in the reader's zone, or a dash. */
export function dueText(service: Looking, at: Date | null, person: PersonRow | null): string {
  return at === null ? '–' : showMoment(at, person?.zone ?? service.config.club.zone);
}
