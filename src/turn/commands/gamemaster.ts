import type { Event, Viewer } from '../../kernel/types.ts';
import { publicView, viewFor } from '../../kernel/view.ts';
import { isPlainAddress } from '../../mail/sender/address.ts';
import { lockGame } from '../../store/db.ts';
import {
  actionsOf,
  currentPhase,
  gameById,
  logAction,
  seatsOf,
  setDeadlineRule,
  setGameSettings,
} from '../../store/games.ts';
import { enqueue } from '../../store/jobs.ts';
import { mailInById, mailsInOf } from '../../store/mail.ts';
import { allInForce } from '../../store/orders.ts';
import type { GameRow } from '../../store/schema.ts';
import {
  type Ask,
  actsAsOperator,
  confirmFirst,
  gameMeant,
  mayMaster,
  moment,
  no,
  type Said,
  words,
  yes,
} from '../errand.ts';
import {
  cancelGame,
  deedOf,
  linePhases,
  makeRuling,
  previewPhase,
  rewindGame,
  takeBackRuling,
} from '../phase/course.ts';
import { startGame } from '../phase/newgame.ts';
import { moveDeadline, pauseGame, resumeGame } from '../phase/pace.ts';
import { endStorm } from '../phase/storm.ts';
import { tellGame } from '../post/notices.ts';
import { phaseDue, ruleOf } from '../time/deadlines.ts';
import { nextDeadline, printRule, readMoment, readRule, showMoment, usualRule } from '../time/instants.ts';
import { sideOf } from './anyone.ts';
import { cleanPress } from './press.ts';
import { invite, sideName, vacate } from './signup.ts';

const LOG_LINES_MAX = 100;
const DATES_SHOWN = 10;
const MAIL_CHARS_MAX = 60_000;

type Meant = { game: GameRow } | { said: Said };

/** The game a master's command is for, if its author is its master and has proved it. */
async function mastered(ask: Ask): Promise<Meant> {
  const game = await gameMeant(ask);
  // The same answer for an unknown game and one that is somebody else's.
  if (!game || !(await mayMaster(ask, game))) return { said: no(ask, 'not the master') };
  if (!ask.trusted) return { said: await confirmFirst(ask) };
  await lockGame(ask.trx, game.id);
  return { game: await gameById(ask.trx, game.id) };
}

async function withGame(ask: Ask, act: (game: GameRow) => Promise<Said>): Promise<Said> {
  const meant = await mastered(ask);
  return 'said' in meant ? meant.said : act(meant.game);
}

export const start = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) => {
    if (game.status !== 'forming') return no(ask, 'started already', { game: game.ref });
    const empty = (await seatsOf(ask.trx, game.id)).filter((seat) => seat.person_id === null);
    if (empty.length > 0)
      return no(ask, 'seats empty', { sides: empty.map((seat) => sideName(ask.service, game, seat.side)) });
    await startGame(ask.service, ask.trx, game.id);
    return yes(ask, 'started', { game: game.ref });
  });

export const pause = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) =>
    (await pauseGame(ask, game, ask.args.rest ?? words(ask, 'why master')))
      ? yes(ask, 'paused now', { game: game.ref })
      : no(ask, 'not running', { game: game.ref }),
  );

export const resume = (ask: Ask): Promise<Said> => (ask.args.all !== undefined ? resumeAll(ask) : resumeOne(ask));

/** RESUME ALL: the operator lets deadlines run again that a storm of missing orders had stopped. */
async function resumeAll(ask: Ask): Promise<Said> {
  if (!actsAsOperator(ask)) return no(ask, 'not the master');
  if (!ask.trusted) return confirmFirst(ask);
  const count = await endStorm(ask.service, ask.trx, deedOf(ask).who);
  return count === undefined ? no(ask, 'storm none') : yes(ask, 'storm over', { count });
}

const resumeOne = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) =>
    (await resumeGame(ask, game))
      ? yes(ask, 'resumed now', { game: game.ref })
      : no(ask, 'not paused', { game: game.ref }),
  );

export const cancel = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) =>
    (await cancelGame(deedOf(ask, ask.args.rest ?? ''), game))
      ? yes(ask, 'cancelled now', { game: game.ref })
      : no(ask, 'game is over', { game: game.ref }),
  );

/** DEADLINE date|+n [reason]. */
export const deadline = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) => {
    const phase = await currentPhase(ask.trx, game);
    if (!phase || game.status !== 'running') return no(ask, 'not running', { game: game.ref });
    const rule = ruleOf(game) ?? usualRule(1, ask.service.config.club.zone);
    const read = readMoment(ask.args.when ?? '', rule, ask.now, phase.due_at ?? undefined);
    if ('fault' in read) return no(ask, `moment ${read.fault}`, { when: ask.args.when ?? '', zone: rule.zone });
    if (read.at.getTime() <= ask.now.getTime()) return no(ask, 'moment past', { at: moment(ask, read.at) });
    const why = ask.args.rest ?? words(ask, 'why master');
    await moveDeadline(ask.service, ask.trx, game, read.at, why);
    await logAction(ask.trx, {
      at: ask.now,
      gameId: game.id,
      who: deedOf(ask).who,
      door: ask.door,
      what: 'deadline',
      why,
      detail: { from: phase.due_at?.toISOString() ?? null, to: read.at.toISOString() },
      public: true,
    });
    return yes(ask, 'deadline set', { game: game.ref, due: moment(ask, read.at) });
  });

/** SCHEDULE rule sets the rule from the next phase on; SCHEDULE ? lists the next dates. */
export const schedule = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) => {
    const text = (ask.args.rest ?? '?').trim();
    const usual = ruleOf(game) ?? usualRule(3, ask.service.config.club.zone);
    if (text === '?' || text === '') {
      const phase = await currentPhase(ask.trx, game);
      const dates: string[] = [];
      let at = phase?.due_at ?? ask.now;
      for (let i = 0; i < DATES_SHOWN; i++) {
        if (i > 0 || !phase?.due_at) at = nextDeadline(usual, at);
        dates.push(showMoment(at, usual.zone));
      }
      return { ok: true, paragraphs: [words(ask, 'schedule', { rule: printRule(usual) }), dates.join('\n')] };
    }
    const rule = readRule(text, usual);
    if (!rule) return no(ask, 'no such rule', { rule: text });
    await setDeadlineRule(ask.trx, game.id, { ...rule });
    await logAction(ask.trx, {
      at: ask.now,
      gameId: game.id,
      who: deedOf(ask).who,
      door: ask.door,
      what: 'schedule',
      why: printRule(rule),
      public: true,
    });
    const params = { game: game.ref, rule: printRule(rule) };
    await tellGame(ask.service, ask.trx, game, { key: 'schedule changed', params });
    return yes(ask, 'schedule set', params);
  });

/** PROCESS runs the phase when everything is in; PROCESS! runs it with what there is. */
export const process = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) => {
    const phase = await currentPhase(ask.trx, game);
    if (!phase || game.status !== 'running') return no(ask, 'not running', { game: game.ref });
    const { rules } = ask.service.scenarios.open(game.scenario);
    const onFile = await allInForce(ask.trx, phase.id);
    const missing = rules
      .asks(publicView(phase.snapshot))
      .filter((entry) => entry.must && onFile.get(entry.side)?.verdict !== 'filed')
      .map((entry) => sideName(ask.service, game, entry.side));
    if (ask.args.force === undefined && missing.length > 0) return no(ask, 'orders missing', { sides: missing });
    await enqueue(
      ask.trx,
      {
        kind: 'run',
        payload: { gameId: game.id, force: true },
        gameId: game.id,
        runAt: ask.now,
        dedupeKey: `force:${phase.id}`,
      },
      ask.now,
    );
    await logAction(ask.trx, {
      at: ask.now,
      gameId: game.id,
      who: deedOf(ask).who,
      door: ask.door,
      what: ask.args.force === undefined ? 'process' : 'process with gaps',
      why: ask.args.rest ?? null,
      detail: { n: phase.n, missing },
      public: true,
    });
    return yes(ask, 'will run', { game: game.ref, missing, count: missing.length });
  });

/** PREVIEW SURE: the phase as it would run, to the master alone; closes it for orders, and everybody is told. */
export const preview = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) => {
    const phase = await currentPhase(ask.trx, game);
    if (phase && phase.closed_at === null && ask.args.sure === undefined)
      return no(ask, 'preview sure', { game: game.ref });
    const result = await previewPhase(deedOf(ask), game);
    if ('fault' in result) return no(ask, result.fault, { game: game.ref });
    const paragraphs = [words(ask, 'preview', { game: game.ref, n: result.phase.n })];
    if (result.missing.length > 0)
      paragraphs.push(
        words(ask, 'orders missing', { sides: result.missing.map((side) => sideName(ask.service, game, side)) }),
      );
    if (result.waitingFor.length > 0)
      paragraphs.push(
        words(ask, 'preview asks', { sides: result.waitingFor.map((side) => sideName(ask.service, game, side)) }),
      );
    const { rules, scenario } = ask.service.scenarios.open(game.scenario);
    const state = result.state ?? result.phase.snapshot;
    for (const viewer of ['public', ...scenario.sides.map((side) => side.id)]) {
      const told = reportLines(ask, rules, state, viewer, result.events);
      paragraphs.push([words(ask, 'preview for', { viewer: viewerName(ask, game, viewer) }), ...told].join('\n'));
    }
    return { ok: true, paragraphs };
  });

/** The worded report of one viewer, in lines. */
export function reportLines(
  ask: Pick<Ask, 'service'>,
  rules: ReturnType<Ask['service']['scenarios']['open']>['rules'],
  state: Parameters<typeof viewFor>[0],
  viewer: Viewer,
  events: readonly Event[],
): string[] {
  const heard = events.filter(
    (event) => event.audience === 'all' || (viewer !== 'public' && event.audience.includes(viewer)),
  );
  const report = rules.report(viewFor(state, viewer), heard, { orders: [], standing: [] });
  const { wording } = ask.service;
  return [
    wording.say(report.headline),
    ...report.sections.flatMap((section) => [
      wording.say(section.title),
      ...section.lines.map((line) => `  ${wording.say(line)}`),
    ]),
  ];
}

function viewerName(ask: Ask, game: GameRow, viewer: string): string {
  return viewer === 'public' ? words(ask, 'everybody') : sideName(ask.service, game, viewer);
}

/** REWIND n [KEEP] reason. */
export const rewind = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) => {
    const why = ask.args.rest;
    if (!why) return no(ask, 'reason needed');
    const n = Number(ask.args.n);
    const result = await rewindGame(deedOf(ask, why), game, n, { keep: ask.args.keep !== undefined });
    if ('fault' in result) {
      const numbers = (await linePhases(ask.trx, game)).map((phase) => String(phase.n));
      return no(ask, result.fault, { n, numbers });
    }
    const kept = result.kept.map((side) => sideName(ask.service, game, side));
    return yes(ask, 'rewound now', {
      game: game.ref,
      n,
      due: moment(ask, result.phase.due_at),
      kept,
      count: kept.length,
    });
  });

/** RULING text, RULING UNDO n reason. */
export const ruling = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) => {
    if (ask.args.undo !== undefined) {
      const undone = await takeBackRuling(deedOf(ask, ask.args.rest ?? null), game, Number(ask.args.undo));
      return 'fault' in undone
        ? no(ask, undone.fault, { number: Number(ask.args.undo) })
        : yes(ask, 'ruling undone now', { number: undone.undone });
    }
    const text = cleanPress(ask.args.rest ?? '');
    if (text === '') return no(ask, 'reason needed');
    return ruled(ask, game, await makeRuling(deedOf(ask), game, text, [], ask.person?.id ?? null));
  });

/** ADJUST path = value BECAUSE reason: a ruling that changes the state. */
export const adjust = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) => {
    const text = cleanPress(ask.args.rest ?? '');
    const change = { path: ask.args.path ?? '', value: ask.args.value ?? '' };
    return ruled(ask, game, await makeRuling(deedOf(ask), game, text, [change], ask.person?.id ?? null));
  });

function ruled(ask: Ask, game: GameRow, result: Awaited<ReturnType<typeof makeRuling>>): Said {
  if ('fault' in result) return no(ask, `edit ${result.fault}`, { path: result.path ?? '', game: game.ref });
  const edits = result.edits.map(
    (edit) => `${edit.path}: ${JSON.stringify(edit.before)} -> ${JSON.stringify(edit.after)}`,
  );
  const text = words(ask, 'ruling made', { number: result.number, game: game.ref });
  return { ok: true, paragraphs: edits.length > 0 ? [text, edits.join('\n')] : [text] };
}

/** SEAT side address: invites an address to an open or vacant seat. */
export const seat = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) => {
    const { scenario } = ask.service.scenarios.open(game.scenario);
    const side = sideOf(scenario.sides, ask.args.side ?? '');
    const address = (ask.args.address ?? '').replace(/^<|>$/g, '').toLowerCase();
    if (!side)
      return no(ask, 'no such side', { side: ask.args.side ?? '', sides: scenario.sides.map((one) => one.name) });
    if (!isPlainAddress(address)) return no(ask, 'bad address', { address });
    const row = (await seatsOf(ask.trx, game.id)).find((one) => one.side === side)!;
    if (row.status === 'held') return no(ask, 'seat held', { side: sideName(ask.service, game, side) });
    await invite(ask, game, row, address);
    return yes(ask, 'invited', { side: sideName(ask.service, game, side), address });
  });

/** DISMISS side reason. */
export const dismiss = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) => {
    const { scenario } = ask.service.scenarios.open(game.scenario);
    const side = sideOf(scenario.sides, ask.args.side ?? '');
    if (!side)
      return no(ask, 'no such side', { side: ask.args.side ?? '', sides: scenario.sides.map((one) => one.name) });
    if (!ask.args.rest) return no(ask, 'reason needed');
    const row = (await seatsOf(ask.trx, game.id)).find((one) => one.side === side)!;
    if (row.status !== 'held') return no(ask, 'seat not held', { side: sideName(ask.service, game, side) });
    await vacate(ask, game, row, 'dismissed');
    await logAction(ask.trx, {
      at: ask.now,
      gameId: game.id,
      who: deedOf(ask).who,
      door: ask.door,
      what: 'dismiss',
      why: ask.args.rest,
      detail: { side },
      public: true,
    });
    return yes(ask, 'dismissed now', { side: sideName(ask.service, game, side) });
  });

export const announce = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) => {
    const text = cleanPress(ask.args.rest ?? '');
    if (text === '') return no(ask, 'reason needed');
    await tellGame(ask.service, ask.trx, game, { key: 'announcement', params: { game: game.ref, text } });
    await logAction(ask.trx, {
      at: ask.now,
      gameId: game.id,
      who: deedOf(ask).who,
      door: ask.door,
      what: 'announce',
      why: text,
      public: true,
    });
    return yes(ask, 'announced', { game: game.ref });
  });

/** LISTS list-id …: mailing lists through which mails of this game may come. */
export const lists = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) => {
    const given = (ask.args.rest ?? '').toLowerCase().match(/[a-z0-9][a-z0-9._-]{2,120}/g) ?? [];
    const off = given.length === 1 && (given[0] === 'off' || given[0] === 'none');
    const settings = { ...game.settings, lists: off ? [] : given.slice(0, 10) };
    await setGameSettings(ask.trx, game.id, settings);
    return yes(ask, 'lists set', { game: game.ref, lists: settings.lists.length > 0 ? settings.lists : ['-'] });
  });

export const log = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) => {
    const actions = (await actionsOf(ask.trx, game.id)).slice(-LOG_LINES_MAX);
    const lines = actions.map(
      (row) => `${moment(ask, row.at)}  ${row.who}: ${row.what}${row.why ? ` (${row.why})` : ''}`,
    );
    let seatId: number | undefined;
    if (ask.args.side) {
      const { scenario } = ask.service.scenarios.open(game.scenario);
      const side = sideOf(scenario.sides, ask.args.side);
      const row = (await seatsOf(ask.trx, game.id)).find((one) => one.side === side);
      seatId = row?.id ?? -1;
    }
    const mails = (await mailsInOf(ask.trx, game.id, LOG_LINES_MAX, seatId)).map(
      (row) => `MAIL ${row.id}  ${moment(ask, row.received_at)}  ${row.verdict ?? '?'}  ${row.subject ?? ''}`,
    );
    return {
      ok: true,
      paragraphs: [
        words(ask, 'log', { game: game.ref }),
        lines.join('\n') || words(ask, 'log empty'),
        ...(mails.length > 0 ? [mails.join('\n')] : []),
      ],
    };
  });

/** MAIL n: a received mail as it came. Looking is logged and shown to the players at the end. */
export async function mail(ask: Ask): Promise<Said> {
  const row = await mailInById(ask.trx, Number(ask.args.n));
  const game = row?.game_id ? await gameById(ask.trx, row.game_id) : undefined;
  if (!row || !game || !(await mayMaster(ask, game))) return no(ask, 'not the master');
  if (!ask.trusted) return confirmFirst(ask);
  await logAction(ask.trx, {
    at: ask.now,
    gameId: game.id,
    who: deedOf(ask).who,
    door: ask.door,
    what: 'read a mail',
    detail: { mail: row.id },
    public: true,
  });
  if (row.raw === null) return no(ask, 'mail gone', { n: row.id });
  const raw = row.raw.toString('latin1').slice(0, MAIL_CHARS_MAX);
  return {
    ok: true,
    paragraphs: [words(ask, 'mail', { n: row.id, verdict: row.verdict ?? '?' }), raw.replace(/\r/g, '')],
  };
}

/** EXPORT: the game as a file, by the page; a whole game does not fit a mail. */
export const exportGame = (ask: Ask): Promise<Said> =>
  withGame(ask, async (game) =>
    yes(ask, 'export', { game: game.ref, url: `${ask.service.config.baseUrl}/desk/${game.ref}/export.zip` }),
  );

/** The next deadline by the rule, for pages. */
export async function nextDue(ask: Pick<Ask, 'trx' | 'now'>, game: GameRow): Promise<Date | null> {
  return phaseDue(ask.trx, game, ask.now);
}
