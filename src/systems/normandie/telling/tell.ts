/** Puts events into words: one line an event, every total shown as die + terms against the need, with its rule number. */

import { joined } from '../../../kernel/joined.ts';
import type { Param, Text, Words } from '../../../kernel/types.ts';
import type { Book } from '../content/opened.ts';
import type { TokenKind } from '../data.ts';
import type { NormandieEvent, Sum, Term } from '../events.ts';
import { DIRECTIONS } from '../text/reader.ts';

/** How deep a line stands in the story: 0 opens an activation, 1 belongs to it, 2 explains the line above. */
export interface Told {
  depth: 0 | 1 | 2;
  words: Words;
}

const words = (key: string, params: Record<string, Param> = {}): Words => ({ key: `normandie.${key}`, params });

/** Indentation of a line in the story. */
const PADS = ['', '  ', '    '] as const;

type Of<T extends NormandieEvent['type']> = Extract<NormandieEvent, { type: T }>;

function say(depth: Told['depth'], event: NormandieEvent, key: string, params: Record<string, Param> = {}): Told {
  const rule = event.rule === undefined ? '' : ` [${event.rule}]`;
  return { depth, words: { key: `normandie.${key}`, params: { ...params, rule, pad: PADS[depth]! } } };
}

const upper = (side: string): string => side.toUpperCase();
const tokenName = (token: TokenKind | 'autonomous'): Text =>
  typeof token === 'number' ? `${token}` : words(`token ${token}`);

/** What a roll comes to, in words. */
const resultName = (result: string): Words => words('result', { result });

/** A signed term: `+ value 2`, `- obscured 2`. */
function term({ what, n, of, rule = '' }: Term): Words {
  const sign = n < 0 ? '-' : '+';
  return words('term', { sign, n: Math.abs(n), what, of: of === undefined || of === 'main' ? '' : of, rule });
}

/** `die 4 + 2 value + 1 ammo = 7 against 6 (5 printed + 1 terrain)`. */
export function sumText(sum: Sum): Words {
  const met = sum.defense.filter((each) => each.n !== 0).map(({ n, what }) => words('met', { n, what }));
  return words('sum', {
    rolled: rolled(sum),
    total: sum.total,
    need: sum.need,
    behind: met.length > 1 ? joined('normandie.plus', met) : '',
  });
}

/** The dice and what is added to them. */
function rolled(sum: Sum): Text {
  const dice =
    sum.dice.length > 1
      ? words('dice', { dice: joined('normandie.and', sum.dice.map(String)), die: sum.die })
      : words('die', { die: sum.die });
  return joined('normandie.row', [dice, ...sum.terms.filter((each) => each.n !== 0).map(term)]);
}

/** The printed name of a counter. */
function counterName(book: Book, id: string): string {
  return book.counters.get(id)?.name ?? id;
}

/** An objective by its building, else by its own name and squares. */
export function objectiveName(book: Book, id: string): string {
  const found = book.data.scenario.objectives.find((each) => each.id === id);
  const building = found?.building ? book.buildings.get(found.building)?.name : undefined;
  return building ?? [id, ...(found?.squares ?? [])].join(' ');
}

/** One side's total in an assault: it is compared with the other's, not with a Defense Value. */
function assaultText(sum: Sum): Words {
  return words('assault sum', { rolled: rolled({ ...sum, dice: [sum.die] }), total: sum.total });
}

/** The damage a number of the damage die means (3.2.3). */
export function damageName(part: string): Words {
  return words('damage', { part });
}

/** One teller an event type: the compiler sees that none is forgotten. */
const TELLERS: { [T in NormandieEvent['type']]: (event: Of<T>, book: Book) => Told } = {
  turn: (event) => say(0, event, 'turn', { turn: event.turn, side: upper(event.initiative) }),
  revealed: (event) => {
    const params = { side: upper(event.side), token: tokenName(event.token), unit: event.unit ?? '' };
    return say(0, event, event.void ? 'revealed void' : 'revealed', params);
  },
  claimed: (event) => say(0, event, 'claimed', { side: upper(event.side), what: event.what }),
  planned: (event) => {
    const chance = event.chance === null ? '' : ` (${event.chance} per cent)`;
    const stands = event.outlook === '' ? '' : event.outlook === 'IF' ? '; not now' : `; not now: ${event.outlook}`;
    const params = {
      token: event.token,
      unit: event.unit,
      action: event.action,
      chance,
      stands,
      when: event.when ?? '',
    };
    if (event.action === 'DEFAULT' || event.action === 'BLUFF')
      return say(0, event, `planned ${event.action.toLowerCase()}`, params);
    const key =
      event.clause === 0
        ? 'planned supply'
        : event.when === 'AND'
          ? 'planned also'
          : event.when === null
            ? 'planned else'
            : 'planned if';
    return say(event.clause > 1 || event.when === 'AND' ? 1 : 0, event, key, params);
  },
  kept: (event) => say(1, event, 'kept', { unit: event.unit, what: event.what }),
  passed: (event) => say(1, event, 'passed', { unit: event.unit }),
  paused: (event) => say(0, event, 'paused', { after: event.after }),
  tokens: (event) =>
    say(0, event, 'tokens', {
      side: upper(event.side),
      numbered: event.numbered,
      special: event.special,
      backs: event.backs.length > 0 ? event.backs : '-',
    }),
  'own-tokens': (event) =>
    say(1, event, 'own-tokens', {
      tokens: Object.entries(event.tokens).map(([unit, token]) => words('token on', { token: tokenName(token), unit })),
    }),
  bluffs: (event) => say(1, event, 'bluffs', { side: upper(event.side), units: event.units }),
  'sudden-death': (event) => say(0, event, 'sudden-death', { sides: event.sides.map(upper) }),
  defaulted: (event) =>
    say(0, event, event.filed ? `defaulted ${event.what}` : 'defaulted', {
      side: upper(event.side),
      what: event.what,
      units: event.units,
    }),
  clause: (event) => {
    const why = event.skipped.map((each) => `${each.clause}: ${each.why}`).join('; ');
    const key = event.taken === null ? 'clause none' : event.taken === 0 ? 'clause default' : 'clause';
    return say(1, event, key, {
      unit: event.unit,
      token: event.token,
      taken: event.taken ?? 0,
      skipped: why === '' ? '' : ` (${why})`,
    });
  },
  considered: (event) => say(1, event, 'considered', { window: event.window, unit: event.unit, chosen: event.chosen }),
  'order-lost': (event) => say(0, event, 'order-lost', { line: event.line, text: event.text, why: event.why }),
  moved: (event) => {
    const facing = DIRECTIONS[event.facing];
    const place =
      event.rear === null ? event.to : words('place facing', { place: `${event.to}/${event.rear}`, facing });
    const key = event.aboard === null ? 'moved' : 'boarded';
    return say(1, event, event.from === event.to && event.aboard === null ? 'turned' : key, {
      unit: event.unit,
      from: event.from,
      to: place,
      how: event.how,
      facing,
      aboard: event.aboard ?? '',
      cost: event.of > 0 ? ` (${event.spent} of ${event.of})` : '',
    });
  },
  stopped: (event) => say(1, event, 'stopped', { unit: event.unit, at: event.at, why: event.why }),
  flipped: (event) => say(1, event, 'flipped', { unit: event.unit, face: event.face, why: event.why }),
  'revealed-unit': (event, book) =>
    say(1, event, 'revealed-unit', {
      was: event.was,
      code: event.code,
      name: counterName(book, event.counter),
      at: event.at,
      why: event.why,
    }),
  concealed: (event) => say(1, event, 'concealed', { was: event.was, unit: event.unit }),
  exited: (event) => say(1, event, 'exited', { unit: event.unit, at: event.at }),
  'wreck-pushed': (event) => say(1, event, event.sunk ? 'wreck-sunk' : 'wreck-pushed', { by: event.by, to: event.to }),
  passage: (event) => say(1, event, 'passage', { unit: event.unit, square: event.square }),
  'wire-cleared': (event) => say(1, event, 'wire-cleared', { unit: event.unit, squares: event.squares }),
  deployed: (event) => {
    const where = event.aboard === null ? event.at : words('place aboard', { unit: event.aboard });
    return say(1, event, 'deployed', { unit: event.unit, where, facing: DIRECTIONS[event.facing] });
  },
  identity: (event, book) =>
    say(2, event, 'identity', {
      unit: event.unit,
      code: event.code,
      name: counterName(book, event.counter),
    }),
  foxhole: (event) => say(1, event, 'foxhole', { side: upper(event.side), square: event.square }),
  drafted: (event, book) =>
    say(0, event, 'drafted', {
      side: upper(event.side),
      cost: event.cost,
      tiles: event.army.map((each) => book.tiles.get(each.tile)?.name ?? each.tile),
    }),
  fired: (event) => {
    return say(1, event, 'fired', {
      unit: event.unit,
      weapon: event.weapon,
      at: event.targets.length > 0 ? event.targets.join(', ') : (event.at ?? '-'),
      opportunity: event.opportunity === true,
      moving: event.moving === true,
      suppress: event.suppress === true,
    });
  },
  shot: (event) =>
    say(2, event, 'shot', {
      target: event.target,
      sum: sumText(event.sum),
      result:
        event.n > 1
          ? words('result times', { result: resultName(event.result), n: event.n })
          : resultName(event.result),
      range: event.range,
      facet: event.side === undefined ? '' : `, ${event.side}`,
    }),
  'no-effect': (event) => say(2, event, 'no-effect', { unit: event.unit, why: event.why }),
  scatter: (event) =>
    say(2, event, event.landed === null ? 'scatter off' : 'scatter', {
      aimed: event.aimed,
      die: event.die,
      landed: event.landed ?? '',
    }),
  rerolled: (event) =>
    say(2, event, 'rerolled', {
      side: upper(event.side),
      source: words(`reroll ${event.source === 'veteran' ? 'veteran' : 'second'}`),
      was: joined('normandie.and', event.was.map(String)),
      dice: joined('normandie.and', event.dice.map(String)),
    }),
  sniper: (event) =>
    say(2, event, 'sniper', { target: event.target, sum: sumText(event.sum), result: resultName(event.result) }),
  assault: (event) => {
    const params = { unit: event.unit, target: event.target, from: event.from, result: event.result };
    if (event.automatic || !event.attack || !event.defense) return say(1, event, 'assault automatic', params);
    return say(1, event, 'assault', {
      ...params,
      attack: assaultText(event.attack),
      defense: assaultText(event.defense),
    });
  },
  suppressed: (event) => say(2, event, 'suppressed', { unit: event.unit, n: event.n, total: event.total }),
  hit: (event) => say(2, event, 'hit', { unit: event.unit }),
  damaged: (event) =>
    say(2, event, 'damaged', {
      unit: event.unit,
      dice: joined('normandie.and', event.dice.map(String)),
      part: damageName(event.part),
    }),
  destroyed: (event, book) =>
    say(2, event, 'destroyed', {
      unit: event.unit,
      name: event.counter === null ? '' : ` (${counterName(book, event.counter)})`,
      why: event.why,
      wreck: event.wreck === null ? '' : `; a wreck remains`,
    }),
  'removed-wreck': (event) => say(2, event, 'removed-wreck', { wreck: event.wreck }),
  destruction: (event, book) =>
    say(2, event, 'destruction', {
      structure: book.buildings.get(event.structure)?.name ?? event.structure,
      dice: joined('normandie.and', event.dice.map(String)),
      points: event.points,
      total: event.total,
      of: event.of,
    }),
  rubble: (event, book) =>
    say(2, event, 'rubble', { building: book.buildings.get(event.building)?.name ?? event.building }),
  activated: (event) => say(2, event, 'activated', { unit: event.unit }),
  bomb: (event) => say(1, event, 'bomb', { unit: event.unit, target: event.target, option: event.option }),
  exploded: (event) => say(1, event, 'exploded', { target: event.target, option: event.option }),
  cancelled: (event) => say(2, event, 'cancelled', { what: event.what, unit: event.unit }),
  restored: (event) => say(2, event, 'restored', { unit: event.unit, at: event.at }),
  smoke: (event) => say(1, event, 'smoke', { squares: event.squares }),
  rallied: (event) => say(1, event, 'rallied', { unit: event.unit, left: event.left }),
  card: (event, book) =>
    say(1, event, 'card', {
      side: upper(event.side),
      card: book.cards.get(event.card)?.name ?? event.card,
      bonus: event.use === 'bonus',
      on: event.on ?? '',
    }),
  gear: (event) =>
    say(1, event, 'gear', {
      side: upper(event.side),
      option: event.option,
      unit: event.unit,
      n: event.n,
      left: event.left ?? 0,
      endless: event.left === null,
    }),
  'token-moved': (event) => say(1, event, 'token-moved', { from: event.from, to: event.to }),
  drew: (event) => say(1, event, 'drew', { side: upper(event.side), n: event.n, discarded: event.discarded }),
  'drew-cards': (event) =>
    say(2, event, 'drew-cards', {
      cards: event.cards.length > 0 ? event.cards : '-',
      discarded: event.discarded.length > 0 ? event.discarded : '-',
    }),
  broken: (event, book) =>
    say(1, event, event.restored ? 'unbroken' : 'broken', {
      tile: book.tiles.get(event.tile)?.name ?? event.tile,
      side: upper(event.side),
      points: event.points,
    }),
  objective: (event, book) =>
    say(1, event, event.side === null ? 'objective lost' : 'objective', {
      objective: objectiveName(book, event.objective),
      side: event.side === null ? '' : upper(event.side),
      points: event.points,
    }),
  outcome: (event) =>
    say(0, event, 'outcome', {
      winner: event.winner === 'draw' ? words('draw') : upper(event.winner),
      reason: event.reason,
      us: event.score.us,
      ge: event.score.ge,
    }),
};

/** The wording of one event as its audience may hear it. */
export function tell(book: Book, event: NormandieEvent): Told {
  const teller = TELLERS[event.type] as (event: NormandieEvent, book: Book) => Told;
  return teller(event, book);
}
