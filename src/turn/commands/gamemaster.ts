import type { Event, Viewer } from '../../kernel/types.ts';
import { publicView, viewFor } from '../../kernel/view.ts';
import { isPlainAddress } from '../../mail/sender/address.ts';
import { lockGame } from '../../store/db.ts';
import {
  actionsOf,
  currentPhase,
  gameById,
  logAction,
  seatById,
  seatsOf,
  setDeadlineRule,
  setGameSettings,
} from '../../store/games.ts';
import { enqueue } from '../../store/jobs.ts';
import { mailInById, mailsInOf } from '../../store/mail.ts';
import { allInForce } from '../../store/orders.ts';
import { personByAddress } from '../../store/people.ts';
import type { GameRow } from '../../store/schema.ts';
import { noteSeen } from '../../store/trust/seen.ts';
import {
  actsAsOperator,
  confirmFirst,
  type Errand,
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
import { ruleOf } from '../time/deadlines.ts';
import { nextDeadline, printRule, readMoment, readRule, showMoment, usualRule } from '../time/instants.ts';
import { sideOf } from './anyone.ts';
import { askDeputy, endDeputies, mayBeDeputy } from './deputy.ts';
import { noteLook, playsIn } from './impartial.ts';
import { cleanPress } from './press.ts';
import { askToAdmit, hasSeen } from './seen.ts';
import { logMail, masked, saidMail, verdictText } from './seenmail.ts';
import { invite, sideName, vacate } from './signup.ts';
import { mayWriteTo } from './spending.ts';

const LOG_LINES_MAX = 100;
const DATES_SHOWN = 10;

type Meant = { game: GameRow } | { said: Said };

/** The game a master's command is for, if its author is its master and has proved it. */
async function mastered(errand: Errand): Promise<Meant> {
  const game = await gameMeant(errand);
  // The same answer for an unknown game and one that is somebody else's.
  if (!game || !(await mayMaster(errand, game))) return { said: no(errand, 'not the master') };
  if (!errand.trusted) return { said: await confirmFirst(errand) };
  await lockGame(errand.trx, game.id);
  return { game: await gameById(errand.trx, game.id) };
}

async function withGame(errand: Errand, act: (game: GameRow) => Promise<Said>): Promise<Said> {
  const meant = await mastered(errand);
  return 'said' in meant ? meant.said : act(meant.game);
}

export const start = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) => {
    if (game.status !== 'forming') return no(errand, 'started already', { game: game.ref });
    const empty = (await seatsOf(errand.trx, game.id)).filter((seat) => seat.person_id === null);
    if (empty.length > 0)
      return no(errand, 'seats empty', { sides: empty.map((seat) => sideName(errand.service, game, seat.side)) });
    await startGame(errand.service, errand.trx, game.id);
    return yes(errand, 'started', { game: game.ref });
  });

export const pause = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) =>
    (await pauseGame(errand, game, errand.args.rest ?? words(errand, 'why master')))
      ? yes(errand, 'paused now', { game: game.ref })
      : no(errand, 'not running', { game: game.ref }),
  );

export const resume = (errand: Errand): Promise<Said> =>
  errand.args.all !== undefined ? resumeAll(errand) : resumeOne(errand);

/** RESUME ALL: the operator lets deadlines run again that a storm of missing orders had stopped. */
async function resumeAll(errand: Errand): Promise<Said> {
  if (!actsAsOperator(errand)) return no(errand, 'not the master');
  if (!errand.trusted) return confirmFirst(errand);
  const count = await endStorm(errand.service, errand.trx, deedOf(errand).who);
  return count === undefined ? no(errand, 'storm none') : yes(errand, 'storm over', { count });
}

const resumeOne = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) =>
    (await resumeGame(errand, game))
      ? yes(errand, 'resumed now', { game: game.ref })
      : no(errand, 'not paused', { game: game.ref }),
  );

export const cancel = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) =>
    (await cancelGame(deedOf(errand, errand.args.rest ?? ''), game))
      ? yes(errand, 'cancelled now', { game: game.ref })
      : no(errand, 'game is over', { game: game.ref }),
  );

/** DEADLINE date|+n [reason]. */
export const deadline = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) => {
    const phase = await currentPhase(errand.trx, game);
    if (!phase || game.status !== 'running') return no(errand, 'not running', { game: game.ref });
    const rule = ruleOf(game) ?? usualRule(1, errand.service.config.club.zone);
    const read = readMoment(errand.args.when ?? '', rule, errand.now, phase.due_at ?? undefined);
    if ('fault' in read) return no(errand, `moment ${read.fault}`, { when: errand.args.when ?? '', zone: rule.zone });
    if (read.at.getTime() <= errand.now.getTime()) return no(errand, 'moment past', { at: moment(errand, read.at) });
    const why = errand.args.rest ?? words(errand, 'why master');
    await moveDeadline(errand.service, errand.trx, game, read.at, why);
    await logAction(errand.trx, {
      at: errand.now,
      gameId: game.id,
      who: deedOf(errand).who,
      door: errand.door,
      what: 'deadline',
      why,
      detail: { from: phase.due_at?.toISOString() ?? null, to: read.at.toISOString() },
      public: true,
    });
    return yes(errand, 'deadline set', { game: game.ref, due: moment(errand, read.at) });
  });

/** SCHEDULE rule sets the rule from the next phase on; SCHEDULE ? lists the next dates. */
export const schedule = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) => {
    const text = (errand.args.rest ?? '?').trim();
    const usual = ruleOf(game) ?? usualRule(3, errand.service.config.club.zone);
    if (text === '?' || text === '') {
      const phase = await currentPhase(errand.trx, game);
      const dates: string[] = [];
      let at = phase?.due_at ?? errand.now;
      for (let i = 0; i < DATES_SHOWN; i++) {
        if (i > 0 || !phase?.due_at) at = nextDeadline(usual, at);
        dates.push(showMoment(at, usual.zone));
      }
      return { ok: true, paragraphs: [words(errand, 'schedule', { rule: printRule(usual) }), dates.join('\n')] };
    }
    const rule = readRule(text, usual);
    if (!rule) return no(errand, 'no such rule', { rule: text });
    await setDeadlineRule(errand.trx, game.id, { ...rule });
    await logAction(errand.trx, {
      at: errand.now,
      gameId: game.id,
      who: deedOf(errand).who,
      door: errand.door,
      what: 'schedule',
      why: printRule(rule),
      public: true,
    });
    const params = { game: game.ref, rule: printRule(rule) };
    await tellGame(errand.service, errand.trx, game, { key: 'schedule changed', params });
    return yes(errand, 'schedule set', params);
  });

/** PROCESS runs the phase when everything is in; PROCESS! runs it with what there is. */
export const process = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) => {
    const phase = await currentPhase(errand.trx, game);
    if (!phase || game.status !== 'running') return no(errand, 'not running', { game: game.ref });
    const { rules } = errand.service.scenarios.open(game.scenario);
    const onFile = await allInForce(errand.trx, phase.id);
    const missing = rules
      .asks(publicView(phase.snapshot))
      .filter((entry) => entry.must && onFile.get(entry.side)?.verdict !== 'filed')
      .map((entry) => sideName(errand.service, game, entry.side));
    if (errand.args.force === undefined && missing.length > 0) return no(errand, 'orders missing', { sides: missing });
    await enqueue(
      errand.trx,
      {
        kind: 'run',
        payload: { gameId: game.id, force: true },
        gameId: game.id,
        runAt: errand.now,
        dedupeKey: `force:${phase.id}`,
      },
      errand.now,
    );
    await logAction(errand.trx, {
      at: errand.now,
      gameId: game.id,
      who: deedOf(errand).who,
      door: errand.door,
      what: errand.args.force === undefined ? 'process' : 'process with gaps',
      why: errand.args.rest ?? null,
      detail: { n: phase.n, missing },
      public: true,
    });
    return yes(errand, 'will run', { game: game.ref, missing, count: missing.length });
  });

/** PREVIEW SURE: the phase as it would run, to the master alone; closes it for orders, and everybody is told. */
export const preview = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) => {
    const phase = await currentPhase(errand.trx, game);
    if (phase && phase.closed_at === null && errand.args.sure === undefined)
      return no(errand, 'preview sure', { game: game.ref });
    const result = await previewPhase(deedOf(errand), game);
    if ('fault' in result) return no(errand, result.fault, { game: game.ref });
    if (errand.person)
      await noteSeen(errand.trx, {
        gameId: game.id,
        personId: errand.person.id,
        side: null,
        how: 'preview',
        now: errand.now,
      });
    const paragraphs = [words(errand, 'preview', { game: game.ref, n: result.phase.n })];
    if (result.missing.length > 0)
      paragraphs.push(
        words(errand, 'orders missing', { sides: result.missing.map((side) => sideName(errand.service, game, side)) }),
      );
    if (result.waitingFor.length > 0)
      paragraphs.push(
        words(errand, 'preview asks', { sides: result.waitingFor.map((side) => sideName(errand.service, game, side)) }),
      );
    const { rules, scenario } = errand.service.scenarios.open(game.scenario);
    const state = result.state ?? result.phase.snapshot;
    for (const viewer of ['public', ...scenario.sides.map((side) => side.id)]) {
      const told = reportLines(errand, rules, state, viewer, result.events);
      paragraphs.push([words(errand, 'preview for', { viewer: viewerName(errand, game, viewer) }), ...told].join('\n'));
    }
    return { ok: true, paragraphs };
  });

/** The worded report of one viewer, in lines. */
export function reportLines(
  errand: Pick<Errand, 'service'>,
  rules: ReturnType<Errand['service']['scenarios']['open']>['rules'],
  state: Parameters<typeof viewFor>[0],
  viewer: Viewer,
  events: readonly Event[],
): string[] {
  const heard = events.filter(
    (event) => event.audience === 'all' || (viewer !== 'public' && event.audience.includes(viewer)),
  );
  const report = rules.report(viewFor(state, viewer), heard, { orders: [], standing: [] });
  const { wording } = errand.service;
  return [
    wording.say(report.headline),
    ...report.sections.flatMap((section) => [
      wording.say(section.title),
      ...section.lines.map((line) => `  ${wording.say(line)}`),
    ]),
  ];
}

function viewerName(errand: Errand, game: GameRow, viewer: string): string {
  return viewer === 'public' ? words(errand, 'everybody') : sideName(errand.service, game, viewer);
}

/** REWIND n [KEEP] reason. */
export const rewind = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) => {
    const why = errand.args.rest;
    if (!why) return no(errand, 'reason needed');
    const n = Number(errand.args.n);
    const result = await rewindGame(deedOf(errand, why), game, n, { keep: errand.args.keep !== undefined });
    if ('fault' in result) {
      const numbers = (await linePhases(errand.trx, game)).map((phase) => String(phase.n));
      return no(errand, result.fault, { n, numbers });
    }
    const kept = result.kept.map((side) => sideName(errand.service, game, side));
    return yes(errand, 'rewound now', {
      game: game.ref,
      n,
      due: moment(errand, result.phase.due_at),
      kept,
      count: kept.length,
    });
  });

/** RULING text, RULING UNDO n reason. */
export const ruling = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) => {
    if (errand.args.undo !== undefined) {
      const undone = await takeBackRuling(deedOf(errand, errand.args.rest ?? null), game, Number(errand.args.undo));
      return 'fault' in undone
        ? no(errand, undone.fault, { number: Number(errand.args.undo) })
        : yes(errand, 'ruling undone now', { number: undone.undone });
    }
    const text = cleanPress(errand.args.rest ?? '');
    if (text === '') return no(errand, 'reason needed');
    return ruled(errand, game, await makeRuling(deedOf(errand), game, text, [], errand.person?.id ?? null));
  });

/** ADJUST path = value BECAUSE reason: a ruling that changes the state. */
export const adjust = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) => {
    const text = cleanPress(errand.args.rest ?? '');
    const change = { path: errand.args.path ?? '', value: errand.args.value ?? '' };
    return ruled(errand, game, await makeRuling(deedOf(errand), game, text, [change], errand.person?.id ?? null));
  });

function ruled(errand: Errand, game: GameRow, result: Awaited<ReturnType<typeof makeRuling>>): Said {
  if ('fault' in result) return no(errand, `edit ${result.fault}`, { path: result.path ?? '', game: game.ref });
  const edits = result.edits.map(
    (edit) => `${edit.path}: ${JSON.stringify(edit.before)} -> ${JSON.stringify(edit.after)}`,
  );
  const text = words(errand, 'ruling made', { number: result.number, game: game.ref });
  return { ok: true, paragraphs: edits.length > 0 ? [text, edits.join('\n')] : [text] };
}

/** SEAT side address: invites an address to an open or vacant seat. */
export const seat = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) => {
    const { scenario } = errand.service.scenarios.open(game.scenario);
    const side = sideOf(scenario.sides, errand.args.side ?? '');
    const address = (errand.args.address ?? '').replace(/^<|>$/g, '').toLowerCase();
    if (!side)
      return no(errand, 'no such side', { side: errand.args.side ?? '', sides: scenario.sides.map((one) => one.name) });
    if (!isPlainAddress(address)) return no(errand, 'bad address', { address });
    const row = (await seatsOf(errand.trx, game.id)).find((one) => one.side === side)!;
    if (row.status === 'held') return no(errand, 'seat held', { side: sideName(errand.service, game, side) });
    const refused = await mayWriteTo(errand, address);
    if (refused) return refused;
    const name = sideName(errand.service, game, side);
    const other = await personByAddress(errand.trx, address);
    if (other && (await hasSeen(errand, game, side, other))) return askToAdmit(errand, game, row, other, address, name);
    await invite(errand, game, row, address);
    await tellOfInvitation(errand, game, name);
    return yes(errand, 'invited', { side: sideName(errand.service, game, side), address });
  });

/** DEPUTY game address | DEPUTY game OFF. */
export const deputy = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) => {
    if (errand.args.off !== undefined)
      return (await endDeputies(errand, game)) > 0
        ? yes(errand, 'deputy off', { game: game.ref })
        : no(errand, 'no deputy', { game: game.ref });
    const address = (errand.args.address ?? '').replace(/^<|>$/g, '').toLowerCase();
    if (!isPlainAddress(address)) return no(errand, 'bad address', { address });
    if (game.status === 'over' || game.status === 'cancelled') return no(errand, 'game is over', { game: game.ref });
    if (!(await mayBeDeputy(errand, game, address))) return no(errand, 'deputy plays', { game: game.ref });
    const refused = await mayWriteTo(errand, address);
    if (refused) return refused;
    await askDeputy(errand, game, address);
    return yes(errand, 'deputy will be asked', { game: game.ref, address });
  });

/** A master who plays invites nobody in silence. */
async function tellOfInvitation(errand: Errand, game: GameRow, side: string): Promise<void> {
  if (!errand.person || !(await playsIn(errand.service, errand.trx, game, errand.person.id))) return;
  const notice = { key: 'master invites', params: { game: game.ref, side } };
  await tellGame(errand.service, errand.trx, game, notice, { except: errand.person.id, observers: false });
}

/** DISMISS side reason. */
export const dismiss = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) => {
    const { scenario } = errand.service.scenarios.open(game.scenario);
    const side = sideOf(scenario.sides, errand.args.side ?? '');
    if (!side)
      return no(errand, 'no such side', { side: errand.args.side ?? '', sides: scenario.sides.map((one) => one.name) });
    if (!errand.args.rest) return no(errand, 'reason needed');
    const row = (await seatsOf(errand.trx, game.id)).find((one) => one.side === side)!;
    if (row.status !== 'held') return no(errand, 'seat not held', { side: sideName(errand.service, game, side) });
    await vacate(errand, game, row, 'dismissed');
    await logAction(errand.trx, {
      at: errand.now,
      gameId: game.id,
      who: deedOf(errand).who,
      door: errand.door,
      what: 'dismiss',
      why: errand.args.rest,
      detail: { side },
      public: true,
    });
    return yes(errand, 'dismissed now', { side: sideName(errand.service, game, side) });
  });

export const announce = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) => {
    const text = cleanPress(errand.args.rest ?? '');
    if (text === '') return no(errand, 'reason needed');
    await tellGame(errand.service, errand.trx, game, { key: 'announcement', params: { game: game.ref, text } });
    await logAction(errand.trx, {
      at: errand.now,
      gameId: game.id,
      who: deedOf(errand).who,
      door: errand.door,
      what: 'announce',
      why: text,
      public: true,
    });
    return yes(errand, 'announced', { game: game.ref });
  });

/** LISTS list-id …: mailing lists through which mails of this game may come. */
export const lists = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) => {
    const given = (errand.args.rest ?? '').toLowerCase().match(/[a-z0-9][a-z0-9._-]{2,120}/g) ?? [];
    const off = given.length === 1 && (given[0] === 'off' || given[0] === 'none');
    const settings = { ...game.settings, lists: off ? [] : given.slice(0, 10) };
    await setGameSettings(errand.trx, game.id, settings);
    return yes(errand, 'lists set', { game: game.ref, lists: settings.lists.length > 0 ? settings.lists : ['-'] });
  });

/** LOG game: what was done in it and its last mails; LOG MAIL: mail that belongs to no game. */
export async function log(errand: Errand): Promise<Said> {
  if (errand.args.mail !== undefined) {
    const row = errand.args.n === undefined ? undefined : await mailInById(errand.trx, Number(errand.args.n));
    return row && row.game_id !== null ? mail(errand) : logMail(errand);
  }
  return withGame(errand, async (game) => {
    const actions = (await actionsOf(errand.trx, game.id)).slice(-LOG_LINES_MAX);
    const lines = actions.map(
      (row) => `${moment(errand, row.at)}  ${row.who}: ${row.what}${row.why ? ` (${row.why})` : ''}`,
    );
    let seatId: number | undefined;
    if (errand.args.side) {
      const { scenario } = errand.service.scenarios.open(game.scenario);
      const side = sideOf(scenario.sides, errand.args.side);
      const row = (await seatsOf(errand.trx, game.id)).find((one) => one.side === side);
      seatId = row?.id ?? -1;
    }
    const mails = (await mailsInOf(errand.trx, game.id, LOG_LINES_MAX, seatId)).map(
      (row) =>
        `MAIL ${row.id}  ${moment(errand, row.received_at)}  ${verdictText(errand.service, row)}  ${masked(errand.service.profile, row.subject ?? '')}`,
    );
    return {
      ok: true,
      paragraphs: [
        words(errand, 'log', { game: game.ref }),
        lines.join('\n') || words(errand, 'log empty'),
        ...(mails.length > 0 ? [mails.join('\n')] : []),
      ],
    };
  });
}

/** MAIL n: a received mail with its words. Looking is logged and shown to the players at the end. */
export async function mail(errand: Errand): Promise<Said> {
  const row = await mailInById(errand.trx, Number(errand.args.n));
  const game = row?.game_id ? await gameById(errand.trx, row.game_id) : undefined;
  if (!row || !game || !(await mayMaster(errand, game))) return no(errand, 'not the master');
  if (!errand.trusted) return confirmFirst(errand);
  const seat = row.seat_id === null ? null : await seatById(errand.trx, row.seat_id);
  await noteLook(errand, game, {
    person: errand.person,
    who: deedOf(errand).who,
    door: errand.door,
    what: `read mail ${row.id} as it came`,
    why: null,
    side: seat?.side ?? null,
  });
  return saidMail(errand, row);
}

/** EXPORT: the game as a file, by the page; a whole game does not fit a mail. */
export const exportGame = (errand: Errand): Promise<Said> =>
  withGame(errand, async (game) =>
    yes(errand, 'export', { game: game.ref, url: `${errand.service.config.baseUrl}/desk/${game.ref}` }),
  );
