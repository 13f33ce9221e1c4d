/** A player's pages: what is due, the map, reports, the order checker, doctrine, press, dice, and a calendar of deadlines. */
import express, { type Request, type Response, type Router } from 'express';
import { sha256 } from '../kernel/hash.ts';
import { openProposals, pressIn, seatsOfPerson } from '../store/club.ts';
import { currentPhase, gameById, gamesMastered } from '../store/games.ts';
import { inForce, standingOf } from '../store/orders.ts';
import { addressesOf, personById } from '../store/people.ts';
import type { GameRow, PersonRow, PhaseRow, SeatRow } from '../store/schema.ts';
import { dueText, seatStates, seatsHeld, showPhase, stepName } from '../turn/archive/show.ts';
import { putQuestions, toldSoFar } from '../turn/post/openquestions.ts';
import { checkForm, gameOf, mustPerson, notFound, type Site, say, show, told, visitOf } from './site.ts';

/** Commands of a seat that the page offers as buttons, besides orders. */
const SEAT_VERBS = new Set(['EXTEND', 'PROPOSE', 'VOTE', 'VACATION', 'SUBSTITUTE', 'RESIGN', 'PRESS']);
const OWN_VERBS = new Set(['SET', 'VACATION', 'JOIN', 'LEAVE', 'OBSERVE', 'SIGNOFF', 'TAKEOVER']);

export function playerPages(site: Site): Router {
  const router = express.Router();
  ownPages(site, router);
  seatPages(site, router);
  return router;
}

/** My games, my settings, my calendar. */
function ownPages(site: Site, router: Router): void {
  const { service } = site;
  router.get('/mine', async (request, response) => {
    const person = mustPerson(response);
    const games = [];
    for (const seat of await seatsOfPerson(service.db, person.id)) {
      const game = await gameById(service.db, seat.game_id);
      if (game.status === 'cancelled') continue;
      games.push(await gameRow(site, game, seat, person));
    }
    const order: Record<string, number> = { due: 0, running: 1, forming: 2, paused: 3, over: 4 };
    games.sort((a, b) => (order[a.sort] ?? 9) - (order[b.sort] ?? 9));
    const settings = person.settings;
    show(site, request, response, 'mine', told(site, 'title mine'), 'mine', {
      games,
      calendar: `${service.config.baseUrl}/calendar/${person.id}-${calendarMac(site, person.id)}.ics`,
      me: {
        name: person.name,
        zone: person.zone,
        paper: person.paper,
        remind: (settings.remind ?? [24, 6]).join(', ') || 'off',
        consent: settings.consent ?? 'public',
        addresses: await addressesOf(service.db, person.id),
      },
    });
  });
  router.post('/mine/do', async (request, response) => {
    const person = mustPerson(response);
    const fields = checkForm(site, request, response);
    const { csrf: _csrf, verb, ...args } = fields;
    if (!OWN_VERBS.has(verb ?? '')) throw notFound();
    const said = await site.deeds.command({ person, name: verb!, args: filled(args) });
    say(site, response, '/mine', said.paragraphs);
  });
  router.get('/calendar/:file', async (request, response) => {
    const match = /^(\d{1,12})-([0-9a-f]{32})\.ics$/.exec(String(request.params.file));
    const id = Number(match?.[1]);
    if (!match || match[2] !== calendarMac(site, id)) throw notFound();
    const person = await personById(service.db, id);
    if (!person || person.erased_at) throw notFound();
    response.type('text/calendar').send(await calendar(site, person));
  });
}

/** One seat: orders, press, agreements. */
function seatPages(site: Site, router: Router): void {
  router.get('/mine/:ref', async (request, response) => {
    const { game, seat, person } = await seatOfPage(site, request, response);
    await showSeat(site, request, response, { game, seat, person, text: '', receipt: null });
  });
  router.post('/mine/:ref/orders', async (request, response) => {
    const { game, seat, person } = await seatOfPage(site, request, response);
    const fields = checkForm(site, request, response);
    const what = fields.what ?? 'check';
    const text = fields.text ?? '';
    const result = await site.deeds.handIn({
      seatId: seat.id,
      text: what === 'clear' ? '' : text,
      file: what !== 'check',
      clear: what === 'clear',
      person,
      source: 'web',
    });
    const receipt = result ? { title: result.subject, text: result.text, filed: what !== 'check' } : null;
    await showSeat(site, request, response, { game, seat, person, text, receipt });
  });
  router.post('/mine/:ref/do', async (request, response) => {
    const { game, seat, person } = await seatOfPage(site, request, response);
    const fields = checkForm(site, request, response);
    const { csrf: _csrf, verb, words, as: _as, ...args } = fields;
    if (!SEAT_VERBS.has(verb ?? '')) throw notFound();
    const said = await site.deeds.command({
      person,
      seat,

      name: verb!,
      args: filled(args),
      ...(words ? { press: words } : {}),
    });
    say(site, response, `/mine/${game.ref}?as=${seat.side}`, said.paragraphs);
  });
}

/** Empty fields of a form are left out, as words left out of a mail. */
function filled(args: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value.trim() !== ''));
}

async function gameRow(site: Site, game: GameRow, seat: SeatRow, person: PersonRow) {
  const { service } = site;
  const phase = await currentPhase(service.db, game);
  const state = (await seatStates(service, game)).find((one) => one.seat.id === seat.id)!;
  const dueNow = game.status === 'running' && state.owes && !state.filed;
  return {
    ref: game.ref,
    title: game.title,
    status: game.status,
    side: state.side,
    sideId: seat.side,
    turn: phase ? `${phase.turn}, ${stepName(service, game, phase)}` : '–',
    due: game.status === 'running' && phase ? dueText(service, phase.due_at, person) : '–',
    dueNow,
    filed: state.filed,
    final: state.final,
    sort: dueNow ? 'due' : game.status,
  };
}

/** The seat a page of `/mine/REF` is for. Nobody else's is found. */
async function seatOfPage(
  site: Site,
  request: Request,
  response: Response,
): Promise<{ game: GameRow; seat: SeatRow; person: PersonRow }> {
  const person = mustPerson(response);
  const game = await gameOf(site, request);
  const held = await seatsHeld(site.service.db, game, person);
  const wanted = String(request.query.as ?? '');
  const seat = held.find((one) => one.side === wanted) ?? (wanted === '' ? held[0] : undefined);
  if (!seat) throw notFound();
  return { game, seat, person };
}

interface SeatPage {
  game: GameRow;
  seat: SeatRow;
  person: PersonRow;
  text: string;
  receipt: { title: string; text: string; filed: boolean } | null;
}

async function showSeat(site: Site, request: Request, response: Response, given: SeatPage): Promise<void> {
  const { service } = site;
  const { game, seat, person } = given;
  const phase = await currentPhase(service.db, game);
  const { scenario, system } = service.scenarios.open(game.scenario);
  const nameOf = (id: string): string =>
    id === 'gm'
      ? 'the game master'
      : id === 'all'
        ? 'everybody'
        : (scenario.sides.find((side) => side.id === id)?.name ?? id);
  const shown = phase ? await showPhase(service, game, phase, seat.side) : null;
  const receipt = phase ? await inForce(service.db, phase.id, seat.side) : undefined;
  const onFile = receipt?.verdict === 'filed' ? receipt.lines : [];
  const proposals = await openProposals(service.db, game.id);
  show(site, request, response, 'seat', `${game.ref} ${nameOf(seat.side)}`, 'mine', {
    game: {
      ref: game.ref,
      title: game.title,
      status: game.status,
      why: game.pause_reason ?? '',
      systemId: system.id,
      system: system.title,
    },
    side: nameOf(seat.side),
    sideId: seat.side,
    phase: shown,
    due: phase ? dueText(service, phase.due_at, person) : '–',
    players: (await seatStates(service, game)).map((state) => ({
      side: state.side,
      name: state.name,
      filed: state.filed,
      owes: state.owes,
    })),
    number: receipt?.number ?? 0,
    onFile,
    final: receipt?.final === true,
    wait: receipt?.wait === true,
    doctrine: (await standingOf(service.db, game.id, seat.side)).map((row) => row.text),
    text:
      given.text !== ''
        ? given.text
        : onFile.length > 0
          ? [...onFile, 'END'].join('\n')
          : (shown?.orderForm ?? []).join('\n'),
    receipt: given.receipt,
    ...(phase ? await questionsOf(service, game, phase, seat) : {}),
    sides: scenario.sides.filter((side) => side.id !== seat.side).map((side) => ({ id: side.id, name: side.name })),
    press: await pressOf(service, game, seat, person, nameOf),
    proposals: proposals.map((one) => ({
      id: one.id,
      kind: one.kind,
      side: nameOf(one.side),
      own: one.side === seat.side,
    })),
    zoom: [1, 2, 4].includes(Number(request.query.zoom)) ? Number(request.query.zoom) : 1,
    master: visitOf(response).isMaster,
  });
}

/** The questions to this seat as its mail asks them, with what has happened up to them. */
async function questionsOf(service: Site['service'], game: GameRow, phase: PhaseRow, seat: SeatRow) {
  const open = service.scenarios.open(game.scenario);
  const { rows, views } = await putQuestions(service, service.db, { game, phase, rules: open.rules });
  const view = views[seat.side];
  const questions = rows
    .filter((one) => one.side === seat.side && one.answered_at === null)
    .map((one) => ({
      number: one.number,
      text: one.body.words ? service.wording.say(one.body.words) : one.body.kind,
      options: one.body.options.map(({ words }, i) => ({ n: i + 1, option: service.wording.say(words) })),
      form: one.body.form?.join('\n'),
    }));
  return { questions, told: questions.length > 0 && view ? toldSoFar(service, { phase, open }, view) : [] };
}

/** Press that this seat wrote or got. Who wrote without a name stays without one. */
async function pressOf(
  service: Site['service'],
  game: GameRow,
  seat: SeatRow,
  person: PersonRow,
  nameOf: (id: string) => string,
) {
  const own = (one: { from_side: string; to_sides: string[] }): boolean =>
    one.from_side === seat.side || one.to_sides.includes(seat.side) || one.to_sides.includes('all');
  const rows = (await pressIn(service.db, game.id)).filter((one) => one.removed_at === null && own(one));
  return rows.map((one) => ({
    from: one.anonymous && one.from_side !== seat.side ? 'somebody' : nameOf(one.from_side),
    to: one.to_sides.map(nameOf).join(', '),
    at: dueText(service, one.created_at, person),
    body: one.body,
  }));
}

function calendarMac(site: Site, personId: number): string {
  return sha256(`calendar ${personId} ${site.service.secret.toString('hex')}`).slice(0, 32);
}

/** Open deadlines of a person's games, and of those he runs, as iCalendar. */
async function calendar(site: Site, person: PersonRow): Promise<string> {
  const { service } = site;
  const stamp = (at: Date): string => `${at.toISOString().replace(/[-:]/g, '').slice(0, 15)}Z`;
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Fieldpost//deadlines//EN', 'CALSCALE:GREGORIAN'];
  const ids = new Set((await seatsOfPerson(service.db, person.id)).map((seat) => seat.game_id));
  for (const game of await gamesMastered(service.db, person.id)) if (game.status === 'running') ids.add(game.id);
  for (const id of ids) {
    const game = await gameById(service.db, id);
    const phase = await currentPhase(service.db, game);
    if (game.status !== 'running' || !phase?.due_at) continue;
    lines.push(
      'BEGIN:VEVENT',
      `UID:${game.ref}-${phase.n}@${service.config.club.domain}`,
      `DTSTAMP:${stamp(phase.opened_at)}`,
      `DTSTART:${stamp(new Date(phase.due_at.getTime() - 1_800_000))}`,
      `DTEND:${stamp(phase.due_at)}`,
      `SUMMARY:${calendarText(`${game.ref} orders due: turn ${phase.turn}, ${stepName(service, game, phase)}`)}`,
      `URL:${service.config.baseUrl}/mine/${game.ref}`,
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:-P1D',
      `DESCRIPTION:${calendarText(`${game.ref} orders due tomorrow`)}`,
      'END:VALARM',
      'END:VEVENT',
    );
  }
  lines.push('END:VCALENDAR', '');
  return lines.map(folded).join('\r\n');
}

function calendarText(text: string): string {
  return text.replace(/[\\;,]/g, (mark) => `\\${mark}`).replace(/\s+/g, ' ');
}

/** RFC 5545: no line over 75 octets. */
function folded(line: string): string {
  return line.length <= 74 ? line : (line.match(/.{1,73}/gu) ?? []).join('\r\n ');
}
