/** CREATE: a game made by a mail or a form of the desk. Whoever makes it is its master. */

import { Fault } from '../../kernel/assert.ts';
import type { QuestionPolicy } from '../../kernel/types.ts';
import { isPlainAddress } from '../../mail/sender/address.ts';
import { seatsOf } from '../../store/games.ts';
import { personFor } from '../../store/people.ts';
import type { GameSettings, PersonRow } from '../../store/schema.ts';
import { actsAsOperator, confirmFirst, type Errand, no, type Said, words, yes } from '../errand.ts';
import { createGameIn } from '../phase/newgame.ts';
import { printRule, readRule, usualRule } from '../time/instants.ts';
import { sideOf } from './anyone.ts';
import { askDeputy } from './deputy.ts';
import { commitmentText } from './dicewords.ts';
import { cleanPress } from './press.ts';
import { invite } from './signup.ts';
import { mayMake, mayWriteTo } from './spending.ts';

/** CREATE scenario [option=value …] [rule …] [SOLITAIRE] [PRESS SIGNED|NONE] [TITLE "…"] [SEAT side address …]. */
export async function create(errand: Errand): Promise<Said> {
  if (!actsAsOperator(errand) && !errand.person) return no(errand, 'create members only');
  if (!errand.trusted) return confirmFirst(errand);
  const id = (errand.args.scenario ?? '').toLowerCase().replace(/ +/, '/');
  const entry = errand.service.scenarios.list().find((one) => one.id === id);
  if (!entry) {
    const ids = errand.service.scenarios.list().map((one) => one.id);
    return no(errand, 'no such scenario', { scenario: id, scenarios: ids });
  }
  const { scenario } = errand.service.scenarios.open(id);
  const read = readCreate(errand, scenario.sides, errand.args.rest ?? '');
  if ('said' in read) return read.said;
  const usual = usualRule(scenario.daysPerPhase, errand.service.config.club.zone);
  const none = /^no\s+deadlines?$/i.test(read.rule);
  const rule = none ? null : readRule(read.rule, usual);
  if (rule === undefined) return no(errand, 'no such rule', { rule: read.rule });
  const refused = await mayMakeAndInvite(errand, [...read.invited, ...(read.deputy ? [{ address: read.deputy }] : [])]);
  if (refused) return refused;
  const master = errand.person ?? (await operatorAsPerson(errand, usual.zone));
  try {
    const game = await createGameIn(errand.service, errand.trx, {
      scenarioId: id,
      options: read.options,
      seats: [],
      deadlineRule: rule,
      masterId: master?.id ?? null,
      settings: read.settings,
      by: master?.name ?? words(errand, 'the game master'),
      door: errand.door,
      ...(read.title === undefined ? {} : { title: read.title }),
    });
    const seats = await seatsOf(errand.trx, game.id);
    if (read.deputy !== undefined) await askDeputy(errand, game, read.deputy);
    for (const { side, address } of read.invited)
      await invite(errand, game, seats.find((seat) => seat.side === side)!, address);
    const params = { game: game.ref, title: game.title, rule: rule ? printRule(rule) : words(errand, 'no deadlines') };
    const said = yes(errand, read.invited.length > 0 ? 'created invited' : 'created', params);
    return { ...said, paragraphs: [...said.paragraphs, ...commitmentText(errand, game)] };
  } catch (problem) {
    if (problem instanceof Fault) return no(errand, 'create fault', { fault: problem.message });
    throw problem;
  }
}

/** A game has a budget, and so has each mail to somebody who is invited. */
async function mayMakeAndInvite(errand: Errand, invited: readonly { address: string }[]): Promise<Said | undefined> {
  let refused = await mayMake(errand);
  for (const { address } of invited) refused ??= await mayWriteTo(errand, address);
  return refused;
}

/** The operator as a person; at the machine itself, with no address of his set, a game has no master but whoever sits there. */
async function operatorAsPerson(errand: Errand, zone: string): Promise<PersonRow | undefined> {
  if (errand.from === '') return undefined;
  return personFor(errand.trx, { address: errand.from, name: words(errand, 'the game master'), zone }, errand.now);
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
  deputy?: string;
  title?: string;
  rule: string;
}

function readCreate(
  errand: Errand,
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
    if (!side) bad = no(errand, 'no such side', { side: name!, sides: sides.map((one) => one.name) });
    else if (!isPlainAddress(address!)) bad = no(errand, 'bad address', { address: address! });
    else {
      // One invitation a seat: the last one named.
      read.invited = read.invited.filter((one) => one.side !== side);
      read.invited.push({ side, address: address!.toLowerCase() });
    }
  });
  take(/\bdeputy\s+<?([^\s<>]+@[^\s<>]+)>?/i, ([, address]) => {
    if (!isPlainAddress(address!)) bad = no(errand, 'bad address', { address: address! });
    else read.deputy = address!.toLowerCase();
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
