/** CREATE: a game made by a mail or a form of the desk. Whoever makes it is its master. */

import { Fault } from '../../kernel/assert.ts';
import type { QuestionPolicy } from '../../kernel/types.ts';
import { isPlainAddress } from '../../mail/sender/address.ts';
import { seatsOf } from '../../store/games.ts';
import { personFor } from '../../store/people.ts';
import type { GameSettings, PersonRow } from '../../store/schema.ts';
import { type Ask, actsAsOperator, confirmFirst, no, type Said, words, yes } from '../errand.ts';
import { createGameIn } from '../phase/newgame.ts';
import { printRule, readRule, usualRule } from '../time/instants.ts';
import { sideOf } from './anyone.ts';
import { cleanPress } from './press.ts';
import { invite } from './signup.ts';

/** CREATE scenario [option=value …] [rule …] [SOLITAIRE] [PRESS SIGNED|NONE] [TITLE "…"] [SEAT side address …]. */
export async function create(ask: Ask): Promise<Said> {
  if (!actsAsOperator(ask) && !ask.person) return no(ask, 'create members only');
  if (!ask.trusted) return confirmFirst(ask);
  const id = (ask.args.scenario ?? '').toLowerCase().replace(/ +/, '/');
  const entry = ask.service.scenarios.list().find((one) => one.id === id);
  if (!entry) {
    const ids = ask.service.scenarios.list().map((one) => one.id);
    return no(ask, 'no such scenario', { scenario: id, scenarios: ids });
  }
  const { scenario } = ask.service.scenarios.open(id);
  const read = readCreate(ask, scenario.sides, ask.args.rest ?? '');
  if ('said' in read) return read.said;
  const usual = usualRule(scenario.daysPerPhase, ask.service.config.club.zone);
  const none = /^no\s+deadlines?$/i.test(read.rule);
  const rule = none ? null : readRule(read.rule, usual);
  if (rule === undefined) return no(ask, 'no such rule', { rule: read.rule });
  const master = ask.person ?? (await operatorAsPerson(ask, usual.zone));
  try {
    const game = await createGameIn(ask.service, ask.trx, {
      scenarioId: id,
      options: read.options,
      seats: [],
      deadlineRule: rule,
      masterId: master?.id ?? null,
      settings: read.settings,
      by: master?.name ?? words(ask, 'the game master'),
      door: ask.door,
      ...(read.title === undefined ? {} : { title: read.title }),
    });
    const seats = await seatsOf(ask.trx, game.id);
    for (const { side, address } of read.invited)
      await invite(ask, game, seats.find((seat) => seat.side === side)!, address);
    const params = { game: game.ref, title: game.title, rule: rule ? printRule(rule) : words(ask, 'no deadlines') };
    return yes(ask, read.invited.length > 0 ? 'created invited' : 'created', params);
  } catch (problem) {
    if (problem instanceof Fault) return no(ask, 'create fault', { fault: problem.message });
    throw problem;
  }
}

/** The operator as a person; at the machine itself, with no address of his set, a game has no master but whoever sits there. */
async function operatorAsPerson(ask: Ask, zone: string): Promise<PersonRow | undefined> {
  if (ask.from === '') return undefined;
  return personFor(ask.trx, { address: ask.from, name: words(ask, 'the game master'), zone }, ask.now);
}

type Take = (pattern: RegExp, use: (match: RegExpExecArray) => void) => void;

/** QUESTIONS MOST 6, QUESTIONS ASK retreat, QUESTIONS DOCTRINE losses; undefined when there is none of them. */
function questionWords(take: Take): QuestionPolicy | undefined {
  let most: number | undefined;
  const kinds: Record<string, 'ask' | 'doctrine'> = {};
  take(/\bquestions\s+most\s+(\d{1,3})\b/i, ([, count]) => {
    most = Number(count);
  });
  take(/\bquestions\s+(ask|doctrine)\s+([a-z]+)\b/i, ([, how, kind]) => {
    kinds[kind!.toLowerCase()] = how!.toLowerCase() === 'ask' ? 'ask' : 'doctrine';
  });
  if (most === undefined && Object.keys(kinds).length === 0) return undefined;
  return { kinds, ...(most === undefined ? {} : { most }) };
}

interface CreateWords {
  options: Record<string, unknown>;
  settings: GameSettings;
  invited: { side: string; address: string }[];
  title?: string;
  rule: string;
}

function readCreate(
  ask: Ask,
  sides: readonly { id: string; name: string; short: string }[],
  rest: string,
): CreateWords | { said: Said } {
  const read: CreateWords = { options: {}, settings: {}, invited: [], rule: '' };
  let left = rest;
  const take: Take = (pattern, use) => {
    for (let match = pattern.exec(left); match; match = pattern.exec(left)) {
      left = `${left.slice(0, match.index)} ${left.slice(match.index + match[0].length)}`;
      use(match);
    }
  };
  let bad: Said | undefined;
  take(/title\s+"([^"]{1,80})"/i, ([, title]) => {
    read.title = cleanPress(title!).replace(/\n/g, ' ');
  });
  take(/\bseat\s+(\S+)\s+<?([^\s<>]+@[^\s<>]+)>?/i, ([, name, address]) => {
    const side = sideOf(sides, name!);
    if (!side) bad = no(ask, 'no such side', { side: name!, sides: sides.map((one) => one.name) });
    else if (!isPlainAddress(address!)) bad = no(ask, 'bad address', { address: address! });
    else read.invited.push({ side, address: address!.toLowerCase() });
  });
  take(/\bpress\s+(signed|none|any)\b/i, ([, press]) => {
    read.settings.press = press!.toLowerCase() as NonNullable<GameSettings['press']>;
  });
  take(/\bsolitaire\b/i, () => {
    read.settings.solitaire = true;
  });
  take(/\bstart\s+by\s+hand\b/i, () => {
    read.settings.startByHand = true;
  });
  take(/\bno\s+observers\b/i, () => {
    read.settings.observers = false;
  });
  const questions = questionWords(take);
  if (questions) read.settings.questions = questions;
  take(/\bprivate\b/i, () => {
    read.settings.archive = 'private';
  });
  take(/\b([a-z][\w-]*)=(\S+)/i, ([, name, value]) => {
    read.options[name!] = value!;
  });
  read.rule = left.trim().replace(/\s+/g, ' ');
  return bad ? { said: bad } : read;
}
