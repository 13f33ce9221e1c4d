/** Doctrine: what a player wants when he writes nothing. One line a subject, kept until it is replaced or put OFF. */
import type { Word } from '../../../kernel/orders.ts';
import type { Filed, OrderLine, View } from '../../../kernel/types.ts';
import { type Found, fault, findSection, type OrderReading, plainWords, readingFor } from '../content/names.ts';
import type { CampaignData } from '../content/scenario.ts';
import { fortCost, pickItems } from '../content/support.ts';
import type {
  CampaignDoctrine,
  CampaignOrder,
  CampaignQuestion,
  CombatCommander,
  CommanderSide,
  DoctrineKey,
  QualityChoice,
  SupportPick,
} from '../types.ts';
import { VERBS } from '../verbs.ts';

const KEYS: readonly string[] = [
  'SECTIONS',
  'SUPPORT',
  'ARMOR',
  'ARTILLERY',
  'FORT',
  'RADIO',
  'QUALITY',
  'REQUEST',
  'REST',
];
/** Subjects whose values are one of a few words. */
const WORDS: Partial<Record<DoctrineKey, readonly string[]>> = {
  SUPPORT: ['CHEAPEST', 'DEAREST', 'ALL', 'ASK'],
  FORT: ['NONE', 'ASK'],
  RADIO: ['ROLL', 'NO'],
  REST: ['YES', 'NO'],
};
/** Subjects written like the order of the same name. */
const AS_ORDER: readonly string[] = ['SECTIONS', 'ARMOR', 'ARTILLERY'];
const QUALITY_WORDS: readonly string[] = ['OWN', 'OPPONENT', 'NONE'];

type OrderReader = (
  reading: OrderReading,
  verb: string,
  words: readonly Word[],
  line: OrderLine,
) => Found<CampaignOrder>;

/** Reads the words after DOCTRINE. The reader of orders is handed in, since subjects like ARMOR are written like orders. */
export function readDoctrine(
  reading: OrderReading,
  words: readonly Word[],
  line: OrderLine,
  readOrder: OrderReader,
): Found<CampaignDoctrine> {
  const [subject, ...rest] = plainWords(words);
  const key = subject?.upper ?? '';
  const wrong = fault('WRITE IT SO', line.n, { verb: 'DOCTRINE', form: VERBS.at(-1)!.pattern });
  if (!KEYS.includes(key)) return wrong;
  const done = (value: string): Found<CampaignDoctrine> => ({
    value: { verb: 'DOCTRINE', line: line.n, key: key as DoctrineKey, value },
  });
  const text = rest.map((word) => word.upper).join(' ');
  if (text === 'OFF') return { value: { ...plain(key, line.n), value: 'OFF', withdraw: true } };
  const allowed = WORDS[key as DoctrineKey];
  if (allowed) return allowed.includes(text) ? done(text) : wrong;
  if (AS_ORDER.includes(key)) {
    const found = readOrder(reading, key, rest, line);
    if ('fault' in found) return found;
    return foreign(reading, found.value, line.n) ?? done(bodyOf(found.value));
  }
  const list = rest.filter((word) => word.text !== ',');
  if (list.length === 0) return wrong;
  if (key === 'QUALITY') {
    const good = list.every((word) => QUALITY_WORDS.includes(word.upper));
    return good ? done(list.map((word) => word.upper).join(' ')) : wrong;
  }
  const letters: string[] = [];
  for (const word of list) {
    const found = findSection(reading, word, line.n);
    if ('fault' in found) return found;
    if (!letters.includes(found.value)) letters.push(found.value);
  }
  return done(letters.join(' '));
}

/** What the order of the same name could never be for this side (C1.73b, C1.74a). */
function foreign(reading: OrderReading, order: CampaignOrder, line: number): ReturnType<typeof fault> | undefined {
  if (reading.side !== 'american') return undefined;
  if (order.verb === 'ARTILLERY') return fault('NOT YOUR SIDE', line, { verb: 'ARTILLERY', side: 'German' }, 'C1.74a');
  const waits = order.verb === 'ARMOR' && order.when !== 'yes' && order.when !== 'no';
  return waits ? fault('AMERICAN DECIDES FIRST', line, {}, 'C1.73b') : undefined;
}

function plain(key: string, line: number): Omit<CampaignDoctrine, 'value'> {
  return { verb: 'DOCTRINE', line, key: key as DoctrineKey };
}

/** The words of an order after its verb, for the three subjects written like orders. */
function bodyOf(order: CampaignOrder): string {
  if (order.verb === 'SECTIONS') return order.letters.length === 0 ? 'NONE' : order.letters.join(' ');
  if (order.verb === 'ARMOR')
    return order.when === 'yes' || order.when === 'no' ? order.when.toUpperCase() : whenWords(order.when);
  if (order.verb !== 'ARTILLERY') return '';
  const condition = order.when === 'yes' ? '' : ` ${whenWords(order.when)}`;
  return `${order.points}${condition}${order.otherwise > 0 ? ` ; ELSE ${order.otherwise}` : ''}`;
}

function whenWords(when: string): string {
  return when.replaceAll('-', ' ').toUpperCase();
}

/** The value of a doctrine as it is printed. */
export function doctrineValue(order: { value: string }): string {
  return order.value;
}

/** The words a side has standing for a subject; undefined when it has none. */
export function standingValue(standing: readonly CampaignDoctrine[], key: DoctrineKey): string | undefined {
  return standing.filter((order) => order.key === key && !order.withdraw).at(-1)?.value;
}

/** The order of that verb: the one filed, else the one that doctrine amounts to. */
export function orderOrDoctrine<V extends 'SECTIONS' | 'ARMOR' | 'ARTILLERY'>(
  data: CampaignData,
  table: CombatCommander['table'],
  side: CommanderSide,
  filed: { orders: readonly CampaignOrder[]; standing: readonly CampaignDoctrine[] },
  verb: V,
  readOrder: OrderReader,
): Extract<CampaignOrder, { verb: V }> | undefined {
  const own = filed.orders.filter((order) => order.verb === verb).at(-1);
  if (own) return own as Extract<CampaignOrder, { verb: V }>;
  const words = standingValue(filed.standing, verb);
  if (words === undefined) return undefined;
  const list = words
    .split(/[\s;]+/)
    .filter((text) => text !== '')
    .map((text) => ({ text, upper: text, column: 1 }));
  const found = readOrder(readingFor(data, table, side), verb, list, { n: 0, text: words });
  return 'value' in found ? (found.value as Extract<CampaignOrder, { verb: V }>) : undefined;
}

/** The winner's standing wish for C3.5: the first of his list that is possible. */
export function qualityWish(standing: readonly CampaignDoctrine[], possible: readonly QualityChoice[]): QualityChoice {
  const wishes = (standingValue(standing, 'QUALITY') ?? '').toLowerCase().split(' ') as QualityChoice[];
  return wishes.find((wish) => possible.includes(wish)) ?? 'none';
}

/** The Sections a side wants most, best first (C3.7). */
export function requestWishes(standing: readonly CampaignDoctrine[]): string[] {
  return (standingValue(standing, 'REQUEST') ?? '').split(' ').filter((word) => word !== '');
}

/**
 * What orders and doctrine say to a question: support after the marker crossed 0 (RS.7), or Fortification Points of a
 * German who does not set up first (C1.91). Without a word from the player he is asked by mail.
 */
export function answerFor(
  data: CampaignData,
  view: View<CombatCommander>,
  filed: Filed<CombatCommander>,
  request: CampaignQuestion,
  mayAsk: boolean,
): { chosen: string[]; by: 'order' | 'doctrine' } | 'ask' | undefined {
  if (request.kind === 'support') {
    const items =
      view.table.battle.support.find((roll) => roll.side === request.to && roll.bought === null)?.items ?? [];
    const ordered = filed.orders.filter((order) => order.verb === 'SUPPORT').at(-1);
    if (ordered?.verb === 'SUPPORT' && typeof ordered.buy === 'string')
      return { chosen: pickItems(items, ordered.buy), by: 'order' };
    const standing = standingValue(filed.standing, 'SUPPORT');
    if (standing === undefined || standing === 'ASK' || items.length === 0) return mayAsk ? 'ask' : undefined;
    return { chosen: pickItems(items, standing.toLowerCase() as SupportPick), by: 'doctrine' };
  }
  const ordered = filed.orders.filter((order) => order.verb === 'FORT').at(-1);
  if (ordered?.verb === 'FORT' && ordered.pay !== 'vp') {
    const items = ordered.items.map((one) => one.item);
    if (fortCost(data, items) <= view.table.campaign.points.fortification) return { chosen: items, by: 'order' };
  }
  if (standingValue(filed.standing, 'FORT') === 'NONE') return { chosen: [], by: 'doctrine' };
  return mayAsk ? 'ask' : undefined;
}
