/** Pages for everybody: games, public reports and maps, the archive of finished games, help, the feed. */
import express, { type Request, type Response, type Router } from 'express';
import type { Viewer } from '../kernel/types.ts';
import { pressIn, rulingsIn, seatsWithNames, tenuresOf } from '../store/club.ts';
import { actionsOf, currentPhase, gameById, gamesIn, phaseById } from '../store/games.ts';
import { personById } from '../store/people.ts';
import { newestPhases } from '../store/phases.ts';
import type { GameRow, PersonRow, PhaseRow } from '../store/schema.ts';
import {
  dueText,
  isOpen,
  mayLook,
  seatStates,
  showMap,
  showOrders,
  showPhase,
  stepName,
} from '../turn/archive/show.ts';
import { offeredScenarios, shownBalance } from '../turn/commands/balance.ts';
import { helpIndex, helpSystem, systemsOf } from '../turn/commands/help.ts';
import { linePhases } from '../turn/phase/course.ts';
import { ruleOf } from '../turn/time/deadlines.ts';
import { printRule } from '../turn/time/instants.ts';
import { gameOf, notFound, type Site, show, told, visitOf } from './site.ts';

const GAMES_SHOWN = 200;
const FEED_ENTRIES = 40;

export function publicPages(site: Site): Router {
  const router = express.Router();
  const { service } = site;
  router.get('/', async (request, response) => {
    const rows = await gameRows(site, ['forming', 'running', 'paused', 'over']);
    show(site, request, response, 'home', service.config.club.name, '', {
      looking: rows.filter((row) => row.free.length > 0 && row.status !== 'over').slice(0, 12),
      playing: rows.filter((row) => row.status === 'running' || row.status === 'paused').slice(0, 12),
      finished: rows.filter((row) => row.status === 'over').slice(0, 12),
      orders: `${service.profile.ownMailboxes[0]}@${service.profile.ownDomain}`,
      demo: site.demo,
    });
  });
  router.get('/games', async (request, response) => {
    const games = await gameRows(site, ['forming', 'running', 'paused', 'over']);
    show(site, request, response, 'games', told(site, 'title games'), 'games', { games });
  });
  router.get('/games/:ref', async (request, response) => {
    const game = await gameOf(site, request);
    const phase = await currentPhase(service.db, game);
    await showGame(site, request, response, game, phase);
  });
  router.get('/games/:ref/phases', (request, response) => {
    // The slider's form: a number becomes a page.
    const n = Number(request.query.n);
    const viewer = String(request.query.as ?? 'public');
    const safe = /^[a-z][a-z0-9-]{0,30}$/.test(viewer) ? viewer : 'public';
    response.redirect(303, `/games/${String(request.params.ref)}/phases/${Number.isInteger(n) ? n : 1}?as=${safe}`);
  });
  router.get('/games/:ref/phases/:n', async (request, response) => {
    const game = await gameOf(site, request);
    await showGame(site, request, response, game, await phaseOf(site, game, Number(request.params.n)));
  });
  router.get('/games/:ref/phases/:n/map.svg', async (request, response) => {
    const game = await gameOf(site, request);
    const phase = await phaseOf(site, game, Number(request.params.n));
    const viewer = await viewerOf(site, request, response, game);
    response.setHeader('Cache-Control', viewer === 'public' ? 'public, max-age=300' : 'private, no-store');
    // Opened by itself a map has no need of anything but its own styles.
    response.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; font-src data:");
    const sheet = typeof request.query.sheet === 'string' ? request.query.sheet : undefined;
    const map = await showMap(service, game, phase, viewer, sheet);
    if (map === undefined) throw notFound();
    response.type('image/svg+xml').send(map);
  });
  router.get('/games/:ref/archive.zip', async (request, response) => {
    const game = await gameOf(site, request);
    if (!isOpen(game) || !(await allPublic(site, game))) throw notFound();
    const zip = await site.deeds.exportGame(game.ref, { noMails: true, by: 'a reader of the archive', door: 'web' });
    response.type('application/zip').setHeader('Content-Disposition', `attachment; filename="${game.ref}.zip"`);
    response.send(zip);
  });
  router.get('/games/:ref/book.pdf', async (request, response) => {
    const game = await gameOf(site, request);
    if (!isOpen(game)) throw notFound();
    response.type('application/pdf').setHeader('Content-Disposition', `inline; filename="${game.ref}.pdf"`);
    response.send(await site.deeds.book(game));
  });
  helpPages(site, router);
  return router;
}

/** How to play, about, the feed. */
function helpPages(site: Site, router: Router): void {
  const { service } = site;
  router.get('/help', (request, response) => {
    const systems = systemsOf(service.scenarios).map((system) => ({ id: system.id, title: system.title }));
    const blocks = helpIndex(service.wording, service.scenarios);
    show(site, request, response, 'help', told(site, 'title help'), 'help', { blocks, systems, system: '' });
  });
  router.get('/help/:system', (request, response) => {
    const system = systemsOf(service.scenarios).find((one) => one.id === request.params.system);
    if (!system) throw notFound();
    const systems = systemsOf(service.scenarios).map((one) => ({ id: one.id, title: one.title }));
    const blocks = helpSystem(service.wording, service.scenarios, system);
    const scenarios = offeredScenarios(service.scenarios)
      .filter((one) => one.system.id === system.id)
      .map((one) => ({ id: one.id, title: one.title }));
    show(site, request, response, 'help', system.title, 'help', { blocks, systems, system: system.title, scenarios });
  });
  router.get('/about', (request, response) =>
    show(site, request, response, 'about', told(site, 'title about'), 'about', {
      scenarios: offeredScenarios(service.scenarios).map((one) => ({ id: one.id, title: one.title })),
    }),
  );
  router.get('/scenarios/:system/:name', (request, response) => {
    const id = `${request.params.system}/${request.params.name}`;
    const entry = service.scenarios.list().find((one) => one.id === id);
    if (!entry) throw notFound();
    const { scenario } = service.scenarios.open(id);
    const balance = shownBalance(service.scenarios, service.wording, id);
    show(site, request, response, 'scenario', entry.title, 'help', {
      scenario: { id, title: entry.title, system: entry.system.title, systemId: entry.system.id },
      sides: scenario.sides.map((side) => side.name),
      options: scenario.options.map(({ name, values, fallback, help }) => ({
        name,
        values: values.join(', '),
        fallback: String(fallback),
        help: service.wording.say(help),
      })),
      balance: balance ?? null,
      replacedBy: entry.replacedBy ?? '',
    });
  });
  router.get('/feed.xml', async (_request, response) => {
    response.type('application/atom+xml').send(await feed(site));
  });
}

async function gameRows(site: Site, statuses: GameRow['status'][]) {
  const { db } = site.service;
  const rows = await gamesIn(db, statuses, GAMES_SHOWN);
  const shown = [];
  for (const game of rows) {
    const states = await seatStates(site.service, game);
    const phase = await currentPhase(db, game);
    const free = states
      .filter((state) => state.seat.status === 'open' || state.seat.status === 'vacant')
      .map((state) => state.side);
    shown.push({
      ref: game.ref,
      title: game.title,
      status: game.status,
      turn: phase ? `${phase.turn}, ${stepName(site.service, game, phase)}` : '–',
      players: states.map((state) => `${state.side}: ${state.name}`),
      free,
    });
  }
  return shown;
}

/** A phase of the present line by its number. */
async function phaseOf(site: Site, game: GameRow, n: number): Promise<PhaseRow> {
  const line = await linePhases(site.service.db, game);
  const phase = line.find((one) => one.n === n);
  if (!phase) throw notFound();
  return phase;
}

/** Whose eyes the page is asked for; refused like a page that is not there when they are not the asker's. */
async function viewerOf(site: Site, request: Request, response: Response, game: GameRow): Promise<Viewer> {
  const wanted = String(request.query.as ?? 'public');
  const { scenario } = site.service.scenarios.open(game.scenario);
  if (wanted !== 'public' && !scenario.sides.some((side) => side.id === wanted)) throw notFound();
  if (!(await mayLook(site.service.db, game, visitOf(response).person, wanted))) throw notFound();
  return wanted;
}

/** Does everybody who ever played in a game agree to be named in the archive? */
async function allPublic(site: Site, game: GameRow): Promise<boolean> {
  for (const seat of await seatsWithNames(site.service.db, game.id)) {
    // Whoever ever held the seat: who left it keeps his wish.
    for (const { person_id } of await tenuresOf(site.service.db, seat.id))
      if ((await personById(site.service.db, person_id))?.settings.consent === 'private') return false;
  }
  return true;
}

async function showGame(
  site: Site,
  request: Request,
  response: Response,
  game: GameRow,
  phase: PhaseRow | undefined,
): Promise<void> {
  const { service } = site;
  const { person } = visitOf(response);
  const viewer = await viewerOf(site, request, response, game);
  const { scenario, system } = service.scenarios.open(game.scenario);
  const line = phase ? await linePhases(service.db, game) : [];
  const over = game.status === 'over';
  const rule = ruleOf(game);
  const states = await seatStates(service, game);
  const looks = await looksOf(service, game, person, scenario.sides, viewer);
  const at = phase ? line.findIndex((one) => one.id === phase.id) : -1;
  const before = at > 0 ? line[at - 1] : undefined;
  const press = (await pressIn(service.db, game.id)).filter(
    (one) => one.to_sides.includes('all') && one.removed_at === null,
  );
  // What is kept private stays among those who played.
  const opened = over && (await mayLook(service.db, game, person, scenario.sides[0]!.id));
  const acts = opened ? (await actionsOf(service.db, game.id)).filter((one) => one.public) : [];
  show(site, request, response, 'game', `${game.ref} ${game.title}`, 'games', {
    game: {
      ref: game.ref,
      title: game.title,
      status: game.status,
      why: game.pause_reason ?? '',
      system: system.title,
      systemId: system.id,
      scenario: scenario.id,
    },
    over,
    outcome: outcomeText(service, game),
    rule: rule ? printRule(rule) : 'no deadlines',
    players: states.map((state) => ({ side: state.side, name: state.name, filed: state.filed, owes: state.owes })),
    phase: phase ? await showPhase(service, game, phase, viewer) : null,
    due: phase && !over ? dueText(service, phase.due_at, person) : '',
    viewer,
    looks,
    zoom: [1, 2, 4].includes(Number(request.query.zoom)) ? Number(request.query.zoom) : 1,
    turns: line.map((one) => ({
      n: one.n,
      label: `${one.turn}`,
      step: stepName(service, game, one),
      current: one.id === phase?.id,
    })),
    first: line[0]?.n ?? 1,
    last: line.at(-1)?.n ?? 1,
    orders:
      opened && before ? showOrders(before).map((one) => ({ ...one, side: nameOf(scenario.sides, one.side) })) : [],
    press: press.map((one) => ({
      from: one.anonymous ? service.wording.say({ key: 'club.somebody' }) : nameOf(scenario.sides, one.from_side),
      at: dueText(service, one.created_at, person),
      body: one.body,
    })),
    rulings: (await rulingsIn(service.db, game.id)).map((one) => ({
      number: one.number,
      text: one.text,
      undone: one.undone_at !== null,
    })),
    acts: acts.map((one) => ({ at: dueText(service, one.at, person), what: one.what, why: one.why ?? '' })),
    book: isOpen(game),
    zip: over && isOpen(game) && (await allPublic(site, game)),
  });
}

/** Through whose eyes this visitor may look at the game. */
async function looksOf(
  service: Site['service'],
  game: GameRow,
  person: PersonRow | null,
  sides: readonly { id: string; name: string }[],
  viewer: string,
): Promise<{ id: string; name: string; current: boolean }[]> {
  const looks = [];
  for (const id of ['public', ...sides.map((side) => side.id)])
    if (await mayLook(service.db, game, person, id))
      looks.push({
        id,
        name: id === 'public' ? service.wording.say({ key: 'club.everybody' }) : nameOf(sides, id),
        current: id === viewer,
      });
  return looks;
}

function nameOf(sides: readonly { id: string; name: string }[], id: string): string {
  if (id === 'gm') return 'the game master';
  return sides.find((side) => side.id === id)?.name ?? id;
}

function outcomeText(service: Site['service'], game: GameRow): string {
  if (!game.outcome) return '';
  const { scenario } = service.scenarios.open(game.scenario);
  const { winner, reason } = game.outcome;
  const key = winner === null ? 'nobody wins' : winner === 'draw' ? 'a draw' : 'wins';
  return told({ service }, key, { side: winner === null ? '' : nameOf(scenario.sides, winner), reason });
}

/** Finished phases of all games, public reports only, newest first, as Atom. */
async function feed(site: Site): Promise<string> {
  const { service } = site;
  const { baseUrl, club } = service.config;
  const rows = await newestPhases(service.db, FEED_ENTRIES);
  const entries: string[] = [];
  for (const row of rows) {
    const game = await gameById(service.db, row.gameId);
    if (game.settings.archive === 'private') continue;
    const phase = await phaseById(service.db, row.id);
    const shown = await showPhase(service, game, phase, 'public');
    const url = `${baseUrl}/games/${row.ref}/phases/${row.n}`;
    entries.push(
      `<entry><id>${url}</id><title>${xml(`${row.ref} ${row.title}: ${shown.turn}, ${shown.step}`)}</title>` +
        `<link href="${url}"/><updated>${row.opened_at.toISOString()}</updated><summary>${xml(shown.headline)}</summary></entry>`,
    );
  }
  const updated = rows[0]?.opened_at ?? service.now();
  return (
    `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><id>${baseUrl}/</id>` +
    `<title>${xml(club.name)}</title><link rel="self" href="${baseUrl}/feed.xml"/><author><name>${xml(club.name)}</name></author>` +
    `<updated>${updated.toISOString()}</updated>${entries.join('')}</feed>\n`
  );
}

/** Text for XML. */
function xml(text: string): string {
  const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').replace(/[&<>"']/g, (mark) => marks[mark]!);
}
