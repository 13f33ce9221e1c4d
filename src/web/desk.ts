/** The game master's desk: what state every game is in, who is due, mails with their verdicts, and every verb as a form. */
import express, { type Request, type Response, type Router } from 'express';
import { rulingsIn, seatsWithNames } from '../store/club.ts';
import { actionsOf, currentPhase, gameById, gamesMastered } from '../store/games.ts';
import { jobCounts } from '../store/jobs.ts';
import { failedMails, mailInById, mailOutById, mailsInOf, mailsOutOf } from '../store/mail.ts';
import { promptnessOf } from '../store/members.ts';
import { lastFiled } from '../store/orders.ts';
import { addressesOf } from '../store/people.ts';
import type { GameRow, PersonRow } from '../store/schema.ts';
import { dueText, type SeatState, seatStates, showPhase, stepName } from '../turn/archive/show.ts';
import { offeredScenarios } from '../turn/commands/balance.ts';
import { playsIn } from '../turn/commands/impartial.ts';
import { masked, seenMail, seenStrays, verdictText } from '../turn/commands/seenmail.ts';
import { isDeputy, isOperator } from '../turn/errand.ts';
import { linePhases } from '../turn/phase/course.ts';
import { stormNow } from '../turn/phase/storm.ts';
import { ruleOf } from '../turn/time/deadlines.ts';
import { printRule } from '../turn/time/instants.ts';
import { checkForm, gameOf, mustPerson, notFound, PageError, type Site, say, show, told } from './site.ts';

const MAILS_SHOWN = 60;
const LOG_SHOWN = 80;
const GAMES_SHOWN = 300;
const FAILURES_SHOWN = 20;

/** Verbs of the desk's forms; their fields are the arguments of the mail command of the same name. */
const VERBS = new Set([
  'DEPUTY',
  'START',
  'PAUSE',
  'RESUME',
  'CANCEL',
  'DEADLINE',
  'SCHEDULE',
  'PREVIEW',
  'PROCESS',
  'REWIND',
  'RERUN',
  'RULING',
  'ADJUST',
  'SEAT',
  'DISMISS',
  'ANNOUNCE',
  'LISTS',
]);
/** Verbs whose answer is a page of its own, since it is long. */
const LONG = new Set(['PREVIEW', 'RERUN']);

export function deskPages(site: Site): Router {
  const router = express.Router();
  strayPages(site, router);
  verbForms(site, router);
  seatForms(site, router);
  mailForms(site, router);
  return router;
}

/** The desk's pages, and the forms that stand for mail commands. */
function verbForms(site: Site, router: Router): void {
  router.get('/desk', (request, response) => overview(site, request, response));
  router.post('/desk/do', async (request, response) => {
    const person = mustPerson(response);
    const fields = checkForm(site, request, response);
    const verb = fields.verb === 'CREATE' ? 'CREATE' : 'RESUME';
    const args = verb === 'CREATE' ? { scenario: fields.scenario ?? '', rest: fields.rest ?? '' } : { all: 'all' };
    const said = await site.deeds.command({ person, name: verb, args });
    say(site, response, '/desk', said.paragraphs);
  });
  router.get('/desk/:ref', async (request, response) => {
    const { game, person } = await impartial(site, request, response);
    await showDesk(site, request, response, game, person);
  });
  router.post('/desk/:ref/do', async (request, response) => {
    const { game, person } = await mastered(site, request, response);
    const { csrf: _csrf, verb, ...fields } = checkForm(site, request, response);
    if (!VERBS.has(verb ?? '')) throw notFound();
    const args: Record<string, string> = { game: game.ref };
    for (const [name, value] of Object.entries(fields)) if (value.trim() !== '') args[name] = value.trim();
    const said = await site.deeds.command({ person, name: verb!, args });
    if (!LONG.has(verb!) || !said.ok) return say(site, response, `/desk/${game.ref}`, said.paragraphs);
    show(site, request, response, 'desk-answer', `${game.ref} ${verb}`, 'desk', {
      ref: game.ref,
      verb,
      paragraphs: said.paragraphs,
    });
  });
}

/** Filing for a seat, and looking with its eyes. */
function seatForms(site: Site, router: Router): void {
  const { service } = site;
  router.post('/desk/:ref/answer', async (request, response) => {
    const { game, person } = await impartial(site, request, response);
    const fields = checkForm(site, request, response);
    const why = need(fields.why);
    const seat = (await seatsWithNames(service.db, game.id)).find((one) => one.side === fields.side);
    if (!seat) throw notFound();
    const result = await site.deeds.handIn({
      seatId: seat.id,
      text: fields.text ?? '',
      file: true,
      person,
      source: 'desk',
    });
    await note(site, game, person, `filed for ${seat.side}`, why);
    say(site, response, `/desk/${game.ref}`, [
      result
        ? told(site, 'filed for seat', { number: result.receipt.number, verdict: result.receipt.verdict })
        : told(site, 'nothing to file'),
    ]);
  });
  router.post('/desk/:ref/look', async (request, response) => {
    const { game, person } = await impartial(site, request, response);
    const fields = checkForm(site, request, response);
    const why = need(fields.why);
    await look(site, request, response, game, person, fields.side ?? '', why);
  });
}

/** Mails as they came and went, and the whole game as a file. */
function mailForms(site: Site, router: Router): void {
  const { service } = site;
  router.post('/desk/:ref/resend/:id', async (request, response) => {
    const { game, person } = await impartial(site, request, response);
    const fields = checkForm(site, request, response);
    const mail = await mailOutById(service.db, Number(request.params.id));
    if (mail?.game_id !== game.id) throw notFound();
    await site.deeds.sendAgain(mail);
    await note(site, game, person, `sent mail ${mail.id} again`, fields.why ?? null);
    say(site, response, `/desk/${game.ref}`, [told(site, 'mail again', { number: mail.id })]);
  });
  router.post('/desk/:ref/mail/:id', async (request, response) => {
    const { game, person } = await impartial(site, request, response);
    checkForm(site, request, response);
    const mail = await mailInById(service.db, Number(request.params.id));
    if (mail?.game_id !== game.id) throw notFound();
    const seat = (await seatsWithNames(service.db, game.id)).find((one) => one.id === mail.seat_id);
    const what = `read mail ${mail.id} as it came`;
    await site.deeds.look(game, { person, who: who(person), what, why: null, side: seat?.side ?? null });
    show(site, request, response, 'desk-mail', told(site, 'title mail', { number: mail.id }), 'desk', {
      ref: game.ref,
      id: mail.id,
      verdict: verdictText(service, mail),
      shown: (await seenMail(service, mail.raw)) ?? '',
    });
  });
  router.post('/desk/:ref/export.zip', async (request, response) => {
    const { game, person } = await impartial(site, request, response);
    checkForm(site, request, response);
    await site.deeds.look(game, { person, who: who(person), what: 'exported the game', why: null, side: null });
    const zip = await site.deeds.exportGame(game.ref, { by: who(person), door: 'web' });
    response.type('application/zip').setHeader('Content-Disposition', `attachment; filename="${game.ref}.zip"`);
    response.send(zip);
  });
}

/** For the operator: mail that belongs to no game, and refused mail. One of a game is looked into at the game's own desk. */
function strayPages(site: Site, router: Router): void {
  const { service } = site;
  router.get('/desk/post', async (request, response) => {
    const person = await operator(site, response);
    const strays = await seenStrays(service, service.db, person);
    const mails = strays.map((mail) => ({ ...mail, at: dueText(service, mail.at, person) }));
    show(site, request, response, 'desk-post', told(site, 'title stray'), 'desk', { mails });
  });
  router.post('/desk/post/:id', async (request, response) => {
    const person = await operator(site, response);
    checkForm(site, request, response);
    const id = /^\d{1,12}$/.test(String(request.params.id)) ? Number(request.params.id) : 0;
    const mail = await mailInById(service.db, id);
    if (!mail || mail.game_id !== null) throw notFound();
    await note(site, null, person, `read mail ${mail.id}`, null);
    show(site, request, response, 'desk-mail', told(site, 'title mail', { number: mail.id }), 'desk', {
      ref: '',
      id: mail.id,
      verdict: verdictText(service, mail),
      shown: (await seenMail(service, mail.raw)) ?? '',
    });
  });
}

/** The operator; for anybody else there is no such page. */
async function operator(site: Site, response: Response): Promise<PersonRow> {
  const person = mustPerson(response);
  if (!(await runsAll(site, person))) throw notFound();
  return person;
}

function who(person: PersonRow): string {
  return `${person.name} (${person.id})`;
}

function need(why: string | undefined): string {
  if (!why || why.trim() === '') throw new PageError(400, 'no reason');
  return why.trim();
}

function note(site: Site, game: GameRow | null, person: PersonRow, what: string, why: string | null): Promise<void> {
  return site.deeds.note(game, who(person), what, why);
}

/** The game of a desk page, if the person is its master or the operator; else there is no such page. */
async function mastered(
  site: Site,
  request: Request,
  response: Response,
): Promise<{ game: GameRow; person: PersonRow }> {
  const person = mustPerson(response);
  const game = await gameOf(site, request);
  const { db } = site.service;
  const runs = game.master_id === person.id || (await isDeputy(db, game.id, person.id));
  if (!runs && !(await runsAll(site, person))) throw notFound();
  return { game, person };
}

/** The same, for what shows hidden things: a master who plays is not shown them while the game lasts. */
async function impartial(
  site: Site,
  request: Request,
  response: Response,
): Promise<{ game: GameRow; person: PersonRow }> {
  const found = await mastered(site, request, response);
  if (await playsIn(site.service, site.service.db, found.game, found.person.id))
    throw new PageError(403, 'master plays');
  return found;
}

async function runsAll(site: Site, person: PersonRow): Promise<boolean> {
  return isOperator(site.service, await addressesOf(site.service.db, person.id));
}

async function overview(site: Site, request: Request, response: Response): Promise<void> {
  const { service } = site;
  const person = mustPerson(response);
  const all = await runsAll(site, person);
  const rows = await gamesMastered(service.db, all ? null : person.id, GAMES_SHOWN);
  if (!all && rows.length === 0) throw notFound();
  const games = [];
  for (const game of rows) {
    const phase = await currentPhase(service.db, game);
    const states = await seatStates(service, game);
    games.push({
      ref: game.ref,
      title: game.title,
      status: game.status,
      why: game.pause_reason ?? '',
      turn: phase ? `${phase.turn}, ${stepName(service, game, phase)}` : '–',
      due: phase && game.status === 'running' ? dueText(service, phase.due_at, person) : '–',
      missing: states.filter((state) => state.owes && !state.filed).map((state) => state.side),
      bounced: states.filter((state) => state.seat.mail_failed_at !== null).map((state) => state.side),
    });
  }
  const failures = all ? await failedMails(service.db, FAILURES_SHOWN) : [];
  show(site, request, response, 'desk', told(site, 'title desk'), 'desk', {
    games,
    all,
    storm: all ? ((await stormNow(service.db)) ?? null) : null,
    failures: await Promise.all(
      failures.map(async (one) => ({
        id: one.id,
        kind: one.kind,
        why: one.response ?? '',
        ref: one.game_id === null ? '' : (await gameById(service.db, one.game_id)).ref,
        at: dueText(service, one.created_at, person),
      })),
    ),
    jobs: all ? await jobCounts(service.db) : [],
    scenarios: offeredScenarios(service.scenarios).map((one) => ({ id: one.id, title: one.title })),
  });
}

async function showDesk(
  site: Site,
  request: Request,
  response: Response,
  game: GameRow,
  person: PersonRow,
): Promise<void> {
  const { service } = site;
  const { db } = service;
  const phase = await currentPhase(db, game);
  const states = await seatStates(service, game);
  const rule = ruleOf(game);
  show(site, request, response, 'desk-game', told(site, 'title desk of', { game: game.ref }), 'desk', {
    game: { ref: game.ref, title: game.title, status: game.status, why: game.pause_reason ?? '' },
    forming: game.status === 'forming',
    running: game.status === 'running',
    paused: game.status === 'paused',
    open: game.status === 'running' || game.status === 'paused',
    phase: phase
      ? {
          n: phase.n,
          turn: phase.turn,
          step: stepName(service, game, phase),
          status: phase.status,
          closed: phase.closed_at !== null,
        }
      : null,
    due: phase ? dueText(service, phase.due_at, person) : '–',
    rule: rule ? printRule(rule) : 'no deadlines',
    seats: await seatRows(service, states),
    phases: (await linePhases(db, game))
      .map((one) => ({
        n: one.n,
        label: `${one.n}: turn ${one.turn}, ${stepName(service, game, one)}`,
        done: one.status === 'done',
      }))
      .reverse(),
    rulings: (await rulingsIn(db, game.id))
      .map((one) => ({ number: one.number, text: one.text, edits: one.edits.length, undone: one.undone_at !== null }))
      .reverse(),
    ...(await mailRows(service, game, states, person)),
    log: (await actionsOf(db, game.id))
      .slice(-LOG_SHOWN)
      .reverse()
      .map((one) => ({
        at: dueText(service, one.at, person),
        who: one.who,
        door: one.door,
        what: one.what,
        why: one.why ?? '',
      })),
  });
}

async function seatRows(service: Site['service'], states: readonly SeatState[]) {
  const rows = [];
  for (const { seat, side, name, owes, filed, final } of states) {
    const prompt = seat.person_id === null ? null : await promptnessOf(service.db, seat.person_id);
    rows.push({
      id: seat.side,
      side,
      name,
      owes,
      filed,
      final,
      missed: seat.missed,
      bounced: seat.mail_failed_at !== null,
      prompt: prompt ? `${prompt.filed} kept, ${prompt.late} late, ${prompt.missed} missed` : '–',
    });
  }
  return rows;
}

/** The last mails of a game in and out, without their words. */
async function mailRows(service: Site['service'], game: GameRow, states: readonly SeatState[], person: PersonRow) {
  const sideOf = (id: number | null): string => states.find((state) => state.seat.id === id)?.side ?? '–';
  const mailsIn = await mailsInOf(service.db, game.id, MAILS_SHOWN);
  const mailsOut = await mailsOutOf(service.db, game.id, MAILS_SHOWN);
  return {
    mailsIn: mailsIn.map((one) => ({
      id: one.id,
      at: dueText(service, one.received_at, person),
      verdict: verdictText(service, one),
      subject: masked(service.profile, one.subject ?? ''),
      side: sideOf(one.seat_id),
    })),
    mailsOut: mailsOut.map((one) => ({
      id: one.id,
      at: dueText(service, one.created_at, person),
      kind: one.kind,
      state: one.state,
      subject: one.subject ?? '',
      side: sideOf(one.seat_id),
      why: one.response ?? '',
    })),
  };
}

/** Looks with one side's eyes: allowed, recorded before it is shown, and told to the players at the end. */
async function look(
  site: Site,
  request: Request,
  response: Response,
  game: GameRow,
  person: PersonRow,
  side: string,
  why: string,
): Promise<void> {
  const { service } = site;
  const state = (await seatStates(service, game)).find((one) => one.seat.side === side);
  const phase = await currentPhase(service.db, game);
  if (!state || !phase) throw notFound();
  const what = `looked into the hand and orders of ${state.side}`;
  await site.deeds.look(game, { person, who: who(person), what, why, side });
  const receipt = await lastFiled(service.db, phase.id, side);
  show(site, request, response, 'desk-look', `${game.ref} ${state.side}`, 'desk', {
    ref: game.ref,
    side: state.side,
    phase: await showPhase(service, game, phase, side),
    number: receipt?.number ?? 0,
    lines: receipt?.lines ?? [],
  });
}
