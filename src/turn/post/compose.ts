/**
 * What a mail of the outbox says: receipts, reports, questions and notices made from stored facts and one side's view.
 * The same row makes the same mail at any time.
 */

import { known } from '../../kernel/assert.ts';
import { standingAfter } from '../../kernel/orders.ts';
import type { Diagnostic, Filed, Order, Standing, Viewer, Words } from '../../kernel/types.ts';
import { publicView, viewFor } from '../../kernel/view.ts';
import {
  composeNotice,
  composeReceipt,
  composeReport,
  gameSubject,
  type MailFrame,
  mailtoLink,
  orderFormText,
} from '../../render/letters/letters.ts';
import { renderPdf } from '../../render/sheet/pdf.ts';
import { saidForm, saidScene, shown } from '../../render/words.ts';
import { roleIn } from '../../store/club.ts';
import { chainsOf, gameById, phaseById, seatById } from '../../store/games.ts';
import { receiptById, standingOf } from '../../store/orders.ts';
import { personById } from '../../store/people.ts';
import type {
  GameRow,
  GameSeed,
  MailFacts,
  MailOutRow,
  MapWish,
  PersonRow,
  PhaseRow,
  ReceiptRow,
  RequestRow,
} from '../../store/schema.ts';
import { openFacts } from '../../store/trust/sealed.ts';
import { readCommand } from '../commandwords.ts';
import type { Service } from '../context.ts';
import { chainRoot, phaseKeys, secretOf } from '../keys.ts';
import { addressOfSeat, openToken, ROLE_PURPOSE } from '../seats.ts';
import { showMoment } from '../time/instants.ts';
import { type Composed, mapName, mapsOf, paperOf, pictureOf, type Scene } from './maps.ts';
import { heardBy, momentOf, putQuestions } from './openquestions.ts';
import { DIGEST_CHARS } from './outbox.ts';
import { complain, notReadText } from './reporttext.ts';

/** Makes the mail of an outbox row. */
export async function composeFacts(service: Service, row: MailOutRow): Promise<Composed> {
  const facts = openFacts(service.secret, row.facts);
  switch (facts.make) {
    case 'receipt': {
      const receipt = known(await receiptById(service.db, facts.receiptId), `no receipt ${facts.receiptId}`);
      return composeReceiptMail(await sceneOf(service, row, receipt.phase_id), receipt);
    }
    case 'report':
      return composeReportMail(await sceneOf(service, row, facts.phaseId), facts.viewer, facts.old === true);
    case 'map':
      return composeMap(await sceneOf(service, row, facts.phaseId), facts.viewer, facts.map);
    case 'question':
      return composeQuestion(await sceneOf(service, row, facts.phaseId), facts.side, facts.batch);
    default:
      return composeNoticeMail(service, row, facts);
  }
}

async function sceneOf(service: Service, row: MailOutRow, phaseId: number): Promise<Scene> {
  const phase = await phaseById(service.db, phaseId);
  const game = await gameById(service.db, phase.game_id);
  const seat = row.seat_id === null ? null : await seatById(service.db, row.seat_id);
  const person = row.person_id === null ? null : ((await personById(service.db, row.person_id)) ?? null);
  return { service, row, game, phase, seat, person, open: service.scenarios.open(game.scenario) };
}

/** The address an answer to this mail should go to: the seat's, or the token of a master or observer. */
export async function replyAddress(service: Service, row: MailOutRow): Promise<string | undefined> {
  if (row.seat_id !== null) return addressOfSeat(service, await seatById(service.db, row.seat_id));
  if (row.game_id === null || row.person_id === null) return undefined;
  const role = await roleIn(service.db, row.game_id, row.person_id);
  const token = role && openToken(service, role.token_sealed, ROLE_PURPOSE);
  return token && `${service.profile.ownMailboxes[0]}+${token}@${service.profile.ownDomain}`;
}

/** Until when the reader's own orders are due; null when nothing is due from him. */
function dueText({ service, game, phase, seat, person, open }: Scene): string | null {
  const asks = open.rules.asks(publicView(phase.snapshot)).filter((ask) => ask.must);
  if (!asks.some((ask) => seat === null || ask.side === seat.side) || game.status === 'over') return null;
  return phase.due_at
    ? showMoment(phase.due_at, zoneOf(service, person))
    : service.wording.say({ key: 'post.no deadline' });
}

function frameOf(scene: Scene, mailto?: string): MailFrame {
  const { service, game, phase, seat, open } = scene;
  const side = seat?.side ?? null;
  const turns = open.scenario.turns;
  const key = turns === undefined ? 'post.turn label' : 'post.turn label of';
  const params = { turn: phase.turn, step: stepName(scene), ...(turns === undefined ? {} : { turns }) };
  return {
    club: service.config.club.name,
    game: game.ref,
    title: game.title,
    side,
    sideName: open.scenario.sides.find((one) => one.id === side)?.name ?? service.wording.say({ key: 'post.public' }),
    turnLabel: service.wording.say({ key, params }),
    due: dueText(scene),
    ...(mailto === undefined ? {} : { mailto }),
    baseUrl: service.config.baseUrl,
    answers: scene.row.in_reply_to !== null,
  };
}

function zoneOf(service: Service, person: PersonRow | null): string {
  return person?.zone ?? service.config.club.zone;
}

/** The step in a player's words where the system has them, else its own name. */
function stepName({ service, open, phase }: Scene): string {
  const key = `${open.system.id}.step ${phase.step}`;
  return service.wording.has(key) ? service.wording.say({ key }) : phase.step.replaceAll(/[-_.]/g, ' ');
}

// ---- receipts

/** Receipts after which something of the mail stands. */
const FILES = new Set<ReceiptRow['verdict']>(['filed', 'cleared', 'answered']);

async function composeReceiptMail(scene: Scene, receipt: ReceiptRow): Promise<Composed> {
  const { service, open } = scene;
  const say = (key: string, params: Record<string, string | number> = {}): string =>
    service.wording.say({ key: `post.${key}`, params });
  const { detail } = receipt;
  const complaint = (one: Diagnostic) => ({
    text: complain(service.wording, open.system.id, one),
    ...(one.rule === undefined ? {} : { rule: one.rule }),
  });
  const problems = detail.mail.filter((one) => one.severity === 'error');
  const notices = [
    ...(detail.mostlyDropped ? [say('mostly dropped', { count: detail.dropped.length })] : []),
    ...(receipt.verdict === 'checked' ? [say('only checked')] : []),
    ...(receipt.verdict === 'cleared' ? [say('cleared')] : []),
    ...(detail.hints ?? []).map(({ key, params }) =>
      service.wording.say({ key, params: { ...params, number: receipt.number } }),
    ),
    ...detail.mail.filter((one) => one.severity === 'warning').map((one) => complaint(one).text),
    ...(detail.doctrine?.length ? [say('doctrine kept', { lines: detail.doctrine.join('; ') })] : []),
    ...(detail.notRead?.length ? [notReadText(service.wording, detail.notRead)] : []),
  ];
  const made = composeReceipt(
    {
      frame: frameOf(scene),
      number: receipt.number,
      supersedes: receipt.supersedes,
      replaced: detail.replaced ?? (receipt.supersedes === null ? 'nothing' : 'orders'),
      ...(detail.onFile ? { onFile: detail.onFile } : {}),
      hash: receipt.hash.slice(0, DIGEST_CHARS),
      replyTo: detail.replyTo,
      lines: detail.echo.map((line) => ({
        n: line.n,
        text: line.text,
        status: line.status,
        messages: line.diagnostics.map(complaint),
      })),
      mailProblems: problems.map((one) => complaint(one).text),
      notices,
      filed: FILES.has(receipt.verdict),
      offered: receipt.verdict === 'quoted' || receipt.verdict === 'parked',
      standing: receipt.verdict === 'refused',
      dropped: detail.dropped,
      forecast: await forecastOf(scene, receipt),
      final: receipt.final,
      wait: receipt.wait,
      due: dueText(scene),
    },
    service.wording,
  );
  return { ...made, attachments: await ownOrdersMap(scene, receipt) };
}

/** The orders a receipt is about: what stands, or with CHECK what would. */
function ordersShown(receipt: ReceiptRow): Order[] {
  return receipt.verdict === 'checked' ? (receipt.detail.checkedOrders ?? []) : receipt.orders;
}

/** The standing orders they are read with: those in force, with CHECK also those it would keep. */
async function standingShown({ service, game }: Scene, receipt: ReceiptRow): Promise<Standing[]> {
  const rows = await standingOf(service.db, game.id, receipt.side);
  return standingAfter(
    rows.map((row) => row.body),
    receipt.detail.checkedStanding ?? [],
  );
}

/** How the orders would be read as a whole, in the words of the report. */
async function forecastOf(scene: Scene, receipt: ReceiptRow): Promise<string[]> {
  const { service, open, phase } = scene;
  const orders = ordersShown(receipt);
  if (orders.length === 0 || phase.status !== 'open') return [];
  const view = viewFor(phase.snapshot, receipt.side);
  const { events } = open.rules.preview(view, orders, await standingShown(scene, receipt));
  if (events.length === 0) return [];
  const report = open.rules.report(view, events, { orders, standing: [] });
  return report.sections.flatMap((section) => section.lines.map((line) => service.wording.say(line)));
}

/** The map of one's own orders as they were read, for seats that want it. */
async function ownOrdersMap(scene: Scene, receipt: ReceiptRow): Promise<Composed['attachments']> {
  const { open, phase, seat, game } = scene;
  const orders = ordersShown(receipt);
  if (seat?.settings.map !== true || orders.length === 0) return [];
  const { scenes } = open.rules.preview(
    viewFor(phase.snapshot, receipt.side),
    orders,
    await standingShown(scene, receipt),
  );
  const maps = scenes.map((map) => saidScene(map, scene.service.wording));
  const content = await renderPdf(maps, {
    paper: paperOf(scene),
    mode: 'sheet',
    footer: footerOf(scene, receipt.side),
    words: scene.service.wording,
  });
  return [{ filename: `${game.ref}-orders-${receipt.number}.pdf`, contentType: 'application/pdf', content }];
}

// ---- reports

async function composeReportMail(scene: Scene, viewer: Viewer, old: boolean): Promise<Composed> {
  const { service, game, phase, open } = scene;
  const before =
    (phase.opened_by === 'phase' || phase.opened_by === 'ruling') && phase.from_phase_id !== null
      ? await phaseById(service.db, phase.from_phase_id)
      : null;
  const view = viewFor(phase.snapshot, viewer);
  const filed: Filed = before?.inputs?.filed[viewer] ?? { orders: [], standing: [] };
  const report = open.rules.report(view, heardBy(before?.events ?? [], viewer), filed);
  // Nothing can be ordered by an old form.
  const orderForm = old
    ? []
    : formWithNotes(saidForm(report.orderForm, service.wording), before?.inputs?.filed[viewer]?.notes ?? []);
  const mailto =
    scene.seat && orderForm.length > 0
      ? mailtoLink(
          addressOfSeat(service, scene.seat),
          gameSubject({ ...frameOf(scene), answers: true }, service.wording),
          orderForm,
          service.wording.say({ key: 'service.report.form.shortened' }),
        )
      : undefined;
  // A drawing that fails must not keep the news from the players.
  const undrawn = (problem: unknown): undefined => {
    service.log.error({ game: game.ref, phase: phase.id, why: String(problem) }, 'a map could not be drawn');
  };
  const maps = await mapsOf(scene, viewer, before, footerOf(scene, viewer)).catch(undrawn);
  const map = maps?.[0];
  const picture = map && (await pictureOf(scene, viewer, before).catch(undrawn));
  const made = composeReport(
    {
      frame: { ...frameOf(scene, mailto), ...(old ? { old, due: null } : {}) },
      system: open.system.id,
      report: { ...report, orderForm },
      decisions: decisionsOf(scene, before, viewer),
      dice: (before?.dice ?? []).filter((roll) => !roll.secret),
      ...(before?.open_key ? { key: await shownKey(service, game, before) } : {}),
      house: open.rules.house(view).map((text) => shown(text, service.wording)),
      notices: [
        ...(await openingNotices(scene)),
        ...noticesFor(service, before, viewer),
        ...(map ? [] : [service.wording.say({ key: 'post.no map' })]),
      ],
      thumbnail: picture !== undefined,
    },
    service.wording,
  );
  const attachments = [map, picture].filter((file) => file !== undefined);
  if (scene.seat && orderForm.length > 0 && game.status !== 'over')
    attachments.push({
      filename: 'orders.txt',
      contentType: 'text/plain; charset=utf-8',
      content: Buffer.from(orderFormText(orderForm)),
    });
  return { ...made, attachments };
}

/** MAP: a short mail with the map. */
async function composeMap(scene: Scene, viewer: Viewer, wish: MapWish): Promise<Composed> {
  const { service, phase } = scene;
  const before =
    (phase.opened_by === 'phase' || phase.opened_by === 'ruling') && phase.from_phase_id !== null
      ? await phaseById(service.db, phase.from_phase_id)
      : null;
  const maps = await mapsOf(scene, viewer, before, footerOf(scene, viewer), wish);
  const frame = frameOf(scene);
  const params = { turn: frame.turnLabel, side: frame.sideName };
  const title = service.wording.say({ key: 'post.map title', params });
  const paragraphs = [service.wording.say({ key: 'post.map mailed' })];
  return { ...composeNotice({ frame, title, paragraphs }, service.wording), attachments: maps };
}

/** The player's own `//` notes come back in the next form, above END. */
function formWithNotes(form: readonly string[], notes: readonly string[]): string[] {
  if (notes.length === 0) return [...form];
  const end = form.findLastIndex((line) => /^END\b/i.test(line));
  const at = end < 0 ? form.length : end;
  return [...form.slice(0, at), ...notes.map((note) => `// ${note}`), ...form.slice(at)];
}

/** Who or what decided: told to its owner only. */
function decisionsOf(scene: Scene, before: PhaseRow | null, viewer: Viewer) {
  const own = (before?.asked ?? []).filter((request) => request.to === viewer);
  return (before?.decisions ?? []).flatMap((decision) => {
    const request = own.find((one) => one.id === decision.id);
    if (!request) return [];
    const what = sayOr(scene.service, request.words, request.id);
    return [{ text: `${what}: ${decision.chosen.join(', ') || '-'}`, by: decision.by }];
  });
}

function sayOr(service: Service, words: Words | undefined, otherwise: string): string {
  return words ? service.wording.say(words) : otherwise;
}

async function shownKey(service: Service, game: GameRow, before: PhaseRow) {
  const keys = await phaseKeys(service, service.db, game.id, before.n);
  return {
    n: before.n,
    open: known(before.open_key, `phase ${before.id} shows no key`),
    previous: keys.previous.toString('hex'),
  };
}

/**
 * At the start of a game (or of new chains) the heads are told, what every later key is checked against; at its end the
 * roots of the secret chains, so that every shuffle can be checked.
 */
async function openingNotices({ service, game, phase, open }: Scene): Promise<string[]> {
  const said: string[] = [];
  if (game.status === 'over' && open.rules.asks(publicView(phase.snapshot)).length === 0) {
    const secrets = (await chainsOf(service.db, game.id)).filter((chain) => chain.kind === 'secret');
    const roots = secrets.map((chain) => chainRoot(service, chain).toString('hex'));
    said.push(service.wording.say({ key: 'post.secrets shown', params: { roots } }));
    const { seed } = game.settings;
    const secret = seed && secretOf(service, seed)?.toString('hex');
    if (secret) said.push(service.wording.say({ key: 'post.seed shown', params: { secret } }));
  }
  if (phase.opened_by !== 'phase') {
    const chains = (await chainsOf(service.db, game.id)).filter((chain) => chain.first_n === phase.n);
    const head = (kind: string): string => chains.find((chain) => chain.kind === kind)?.head ?? '';
    if (chains.length > 0)
      said.push(
        service.wording.say({ key: 'post.commitment', params: { open: head('open'), secret: head('secret') } }),
      );
    if (phase.opened_by === 'setup' && game.settings.seed) said.push(seedWords(service, open, game.settings.seed));
    if (phase.opened_by === 'rewind')
      said.push(service.wording.say({ key: 'post.rewound', params: { turn: phase.turn } }));
  }
  if (phase.opened_by === 'setup' && game.master_plays) said.push(service.wording.say({ key: 'post.master plays' }));
  return said;
}

/** What the dice are made of: the club's commitment, and each side's words. */
function seedWords(service: Service, open: Scene['open'], seed: GameSeed): string {
  const sides = open.scenario.sides.map(({ id, name }) => {
    const own = seed.words.find((one) => one.side === id);
    const params = { side: name, text: own?.text ?? '' };
    return service.wording.say({ key: `post.seed words ${own?.how ?? 'none'}`, params });
  });
  const text = service.wording.say({ key: 'post.seed', params: { commitment: seed.commitment } });
  return [text, ...sides].join('\n');
}

function noticesFor(service: Service, before: PhaseRow | null, viewer: Viewer): string[] {
  return (before?.notices ?? [])
    .filter((one) => one.to === 'all' || one.to === viewer)
    .map((one) => service.wording.say({ key: one.key, params: one.params }));
}

function footerOf(scene: Scene, viewer: Viewer): string {
  const frame = frameOf(scene);
  const { sides } = scene.open.scenario;
  const name = sides.find((side) => side.id === viewer)?.name ?? scene.service.wording.say({ key: 'post.public' });
  return `${frame.game} · ${frame.turnLabel} · ${name}`;
}

// ---- questions and notices

async function composeQuestion(scene: Scene, side: string, batch?: string): Promise<Composed> {
  const { service, phase, person, game, open } = scene;
  const { rows, views } = await putQuestions(service, service.db, { game, phase, rules: open.rules });
  const ofBatch = ({ body }: RequestRow): boolean => batch === undefined || (body.batch ?? '') === batch;
  const requests = rows.filter((one) => one.side === side && ofBatch(one));
  const say = (key: string, params: Record<string, string | number> = {}): string =>
    service.wording.say({ key: `post.${key}`, params });
  const due = requests.find((one) => one.due_at)?.due_at ?? null;
  const look = { paper: paperOf(scene), footer: footerOf(scene, side), name: `${mapName(scene)}-question.pdf` };
  const moment = views[side] && (await momentOf(service, scene, views[side], look));
  const paragraphs = [
    due ? say('question due', { due: showMoment(due, zoneOf(service, person)) }) : say('question open'),
    ...(moment?.told ?? []),
  ];
  const files: Composed['attachments'] = [...(moment?.map ?? [])];
  for (const { body, number } of requests) {
    const options = body.options.map(({ words }, i) => `  ${i + 1}. ${service.wording.say(words)}`);
    const fallback = body.fallback.map((value) => {
      const choice = body.options.find((option) => option.value === value);
      return choice ? service.wording.say(choice.words) : value;
    });
    paragraphs.push(
      [
        `${number}) ${sayOr(service, body.words, body.kind)}`,
        ...options,
        ...(body.form
          ? [say('question form', { number }), ...body.form.map((line) => `  ${line}`)]
          : [say('question answer', { number })]),
        say('question fallback', { fallback: fallback.join(', ') || '-' }),
      ].join('\n'),
    );
    if (body.form) {
      const lines = [`GAME ${game.ref}`, `ANSWER ${number}`, ...body.form, 'END'];
      files.push({
        filename: `answer-${number}.txt`,
        contentType: 'text/plain; charset=utf-8',
        content: Buffer.from(orderFormText(lines)),
      });
    }
  }
  const title = say('question title', { count: requests.length });
  return { ...composeNotice({ frame: frameOf(scene), title, paragraphs }, service.wording), attachments: files };
}

async function composeNoticeMail(
  service: Service,
  row: MailOutRow,
  facts: Extract<MailFacts, { make: 'notice' }>,
): Promise<Composed> {
  const game = row.game_id === null ? null : await gameById(service.db, row.game_id);
  const seat = row.seat_id === null ? null : await seatById(service.db, row.seat_id);
  const side = game && seat && service.scenarios.open(game.scenario).scenario.sides.find((one) => one.id === seat.side);
  const frame: MailFrame = {
    club: service.config.club.name,
    game: game?.ref ?? service.config.club.name,
    title: game?.title ?? '',
    side: seat?.side ?? null,
    sideName: side?.name ?? '',
    turnLabel: '',
    due: null,
    baseUrl: service.config.baseUrl,
    answers: row.in_reply_to !== null || facts.answers === true,
  };
  const { title, paragraphs } = facts;
  const extra = { ...(facts.facts ? { facts: facts.facts } : {}), ...(facts.links ? { links: facts.links } : {}) };
  const made = composeNotice({ frame, title, paragraphs, ...extra }, service.wording);
  // A subject that is to be answered as it stands is the bare command: before it, it would be none.
  const confirms = readCommand(title)?.row.name === 'CONFIRM';
  // Without a game it is an answer to one mail alone, and stands beside it.
  const answers = frame.answers === true && /^re: /i.test(title);
  const subject = game && !confirms ? made.subject : unshouted(confirms || answers ? title : made.subject);
  return { ...made, subject, attachments: [] };
}

/** A subject in capitals throughout looks like spam: the same words in small letters, the first one large. */
function unshouted(subject: string): string {
  if (subject !== subject.toUpperCase() && !/^confirm /i.test(subject)) return subject;
  const start = /^(?:(?:re|aw|sv|antw) ?: ?)*/i.exec(subject)![0].length;
  const small = subject.slice(start).toLowerCase();
  return `${subject.slice(0, start)}${small.slice(0, 1).toUpperCase()}${small.slice(1)}`;
}
