/** The campaign's order language: reading one line into an order, and printing it back. `parse(print(o))` is `o`. */
import { error, splitLine, suggest, type Word } from '../../../kernel/orders.ts';
import type { Diagnostic, OrderLine, Parsed, View } from '../../../kernel/types.ts';
import {
  type Found,
  fault,
  findHex,
  findItem,
  findPiece,
  findSection,
  looksLikeHex,
  type OrderReading,
  plainWords,
  readingFor,
} from '../content/names.ts';
import type { CampaignData } from '../content/scenario.ts';
import {
  type CampaignOrder,
  type CombatCommander,
  type FortOrder,
  isSide,
  type QualityChoice,
  type SetupOrder,
  type SupportPick,
  type When,
} from '../types.ts';
import { VERBS } from '../verbs.ts';
import { doctrineValue, readDoctrine } from './doctrine.ts';

const NOTE_LENGTH_MAX = 200;

/** An order without the fields every order has. */
type Body<T> = T extends CampaignOrder ? Omit<T, 'line'> : never;
type Read = Found<Body<CampaignOrder>>;
type Reader = (reading: OrderReading, words: readonly Word[], line: OrderLine) => Read;

const value = (body: Body<CampaignOrder>): Read => ({ value: body });
const form = (line: OrderLine, verb: string): { fault: Diagnostic } =>
  fault('WRITE IT SO', line.n, { verb, form: VERBS.find((one) => one.verb === verb)?.pattern ?? verb });

/** `SECTIONS C E`, `SECTIONS Krauss, Bowen`, `SECTIONS NONE` (C1.55a). */
const readSections: Reader = (reading, words, line) => {
  if (words.length === 1 && words[0]!.upper === 'NONE') return value({ verb: 'SECTIONS', letters: [] });
  const letters: string[] = [];
  for (const word of words.filter((one) => one.text !== ',')) {
    const found = findSection(reading, word, line.n);
    if ('fault' in found) return found;
    if (!letters.includes(found.value)) letters.push(found.value);
  }
  if (letters.length === 0) return form(line, 'SECTIONS');
  return value({ verb: 'SECTIONS', letters: letters.sort((a, b) => (a < b ? -1 : 1)) });
};

const PICKS: readonly string[] = ['CHEAPEST', 'DEAREST', 'ALL'];

/** `SUPPORT BUY item, item` (RS.7); `NONE` is read, so that the check can say why it may not be. */
const readSupport: Reader = (reading, words, line) => {
  const items = words[0]?.upper === 'BUY' ? words.slice(1) : words;
  if (items.length === 1 && PICKS.includes(items[0]!.upper))
    return value({ verb: 'SUPPORT', buy: items[0]!.upper.toLowerCase() as SupportPick });
  if (items.length === 1 && items[0]!.upper === 'NONE') return value({ verb: 'SUPPORT', buy: [] });
  const rolled = reading.table.battle.support.find((roll) => roll.side === reading.side && roll.bought === null);
  const columns = Object.values(reading.data.forces.supportTables[reading.side]).flat();
  const all = [...new Set(columns.map((entry) => entry.item))];
  const here = rolled?.items.map((entry) => entry.item) ?? [];
  const buy: string[] = [];
  for (const word of items.filter((one) => one.text !== ',')) {
    const near = findItem(word, line.n, here);
    const found = 'value' in near ? near : findItem(word, line.n, all);
    if ('fault' in found) return found;
    if (!buy.includes(found.value)) buy.push(found.value);
  }
  return buy.length === 0 ? form(line, 'SUPPORT') : value({ verb: 'SUPPORT', buy });
};

const CONDITIONS: Record<string, When> = {
  'IF OPPONENT ARMOR': 'if-opponent-armor',
  'UNLESS OPPONENT ARMOR': 'unless-opponent-armor',
  'UNLESS ARMOR': 'unless-armor',
};

/** `ARMOR YES`, `ARMOR NO`, `ARMOR IF OPPONENT ARMOR` (C1.72, C1.73). */
const readArmor: Reader = (_reading, words, line) => {
  const text = words.map((word) => word.upper).join(' ');
  if (text === 'YES' || text === 'NO') return value({ verb: 'ARMOR', when: text === 'YES' ? 'yes' : 'no' });
  const when = CONDITIONS[text];
  return when && when !== 'unless-armor' ? value({ verb: 'ARMOR', when }) : form(line, 'ARMOR');
};

/** `ARTILLERY 2 UNLESS ARMOR`, `ARTILLERY 3 IF OPPONENT ARMOR ; ELSE 1` (C1.74). */
const readArtillery: Reader = (_reading, words, line) => {
  const match = /^(\d{1,3}|NONE|NO)(?: ((?:IF|UNLESS)[A-Z ]*?ARMOR)(?: ELSE (\d{1,3}))?)?$/.exec(
    words.map((word) => word.upper).join(' '),
  );
  if (!match) return form(line, 'ARTILLERY');
  const when = match[2] === undefined ? 'yes' : CONDITIONS[match[2]];
  if (!when) return form(line, 'ARTILLERY');
  const points = /^\d/.test(match[1]!) ? Number(match[1]) : 0;
  return value({ verb: 'ARTILLERY', points, when, otherwise: Number(match[3] ?? 0) });
};

/** Splits words at commas. */
function groups(words: readonly Word[]): Word[][] {
  const list: Word[][] = [[]];
  for (const word of words) {
    if (word.text === ',') list.push([]);
    else list.at(-1)!.push(word);
  }
  return list.filter((group) => group.length > 0);
}

/** `FORT VP item, item` (RS.9), `FORT POINTS item [hex…]` or `FORT 2 item [hex…]` (C1.91). */
const readFort: Reader = (reading, words, line) => {
  const [first, ...rest] = words;
  const head = first?.upper ?? '';
  if (head === 'NONE' && rest.length === 0) return value({ verb: 'FORT', pay: 'none', stated: null, items: [] });
  if (head !== 'VP' && head !== 'POINTS' && !/^\d{1,3}$/.test(head)) return form(line, 'FORT');
  const names = reading.data.forces.fortifications.list.map((entry) => entry.item);
  const items: FortOrder['items'] = [];
  for (const [name, ...hexes] of groups(rest)) {
    const found = findItem(name!, line.n, names);
    if ('fault' in found) return found;
    const places: string[] = [];
    for (const word of hexes) {
      const hex = findHex(reading, word, line.n);
      if ('fault' in hex) return hex;
      places.push(hex.value);
    }
    items.push({ item: found.value, hexes: places });
  }
  if (items.length === 0) return form(line, 'FORT');
  const stated = /^\d/.test(head) ? Number(head) : null;
  return value({ verb: 'FORT', pay: head === 'VP' ? 'vp' : 'points', stated, items });
};

/** `RADIO ROLL` or `RADIO NO` (RS.11.1). */
const readRadio: Reader = (_reading, words, line) => {
  const word = words.length === 1 ? words[0]!.upper : '';
  if (word === 'ROLL' || word === 'YES') return value({ verb: 'RADIO', roll: true });
  return word === 'NO' ? value({ verb: 'RADIO', roll: false }) : form(line, 'RADIO');
};

/** `SETUP Craighead Q/1 C5, MMG WITH Q/1` and `SETUP DEPLOY C/1 INTO C/1A C/1B` (RS.10, C1.10f, C1.72i). */
const readSetup: Reader = (reading, words, line) => {
  const order: Omit<SetupOrder, 'line'> = { verb: 'SETUP', deploy: null, places: [], carry: [] };
  const used = new Set<string>();
  for (const group of groups(words)) {
    if (group[0]!.upper === 'DEPLOY') {
      const squad = group[1] && findPiece(reading, group[1], line.n, used);
      if (!squad || order.deploy !== null) return form(line, 'SETUP');
      if ('fault' in squad) return squad;
      if (!namesTeams(group.slice(2), squad.value)) return form(line, 'SETUP');
      order.deploy = squad.value;
      continue;
    }
    const fault = group.some((word) => word.upper === 'WITH')
      ? readCarry(reading, group, line, order, used)
      : readPlaces(reading, group, line, order, used);
    if (fault) return fault;
  }
  if (order.places.length + order.carry.length === 0 && order.deploy === null) return form(line, 'SETUP');
  return value(order);
};

/** What follows a squad that is deployed: nothing, or INTO with its two teams, whole or without the Section's letter. */
function namesTeams([into, ...teams]: readonly Word[], squad: string): boolean {
  if (into === undefined) return true;
  const named = teams.map(({ upper }) => (upper.includes('/') ? upper : `${squad.split('/')[0]}/${upper}`));
  const both = `${squad}A ${squad}B`.toUpperCase();
  return into.upper === 'INTO' && (named.join(' ') === both || named.toReversed().join(' ') === both);
}

type SetupBody = Omit<SetupOrder, 'line'>;

function readCarry(
  reading: OrderReading,
  group: readonly Word[],
  line: OrderLine,
  order: SetupBody,
  used: Set<string>,
): { fault: Diagnostic } | undefined {
  const at = group.findIndex((word) => word.upper === 'WITH');
  if (at === 0 || at !== group.length - 2) return form(line, 'SETUP');
  const unit = findPiece(reading, group[at + 1]!, line.n, used);
  if ('fault' in unit) return unit;
  for (const word of group.slice(0, at)) {
    const weapon = findPiece(reading, word, line.n, used);
    if ('fault' in weapon) return weapon;
    used.add(weapon.value);
    order.carry.push({ weapon: weapon.value, unit: unit.value });
  }
  return undefined;
}

function readPlaces(
  reading: OrderReading,
  group: readonly Word[],
  line: OrderLine,
  order: SetupBody,
  used: Set<string>,
): { fault: Diagnostic } | undefined {
  let waiting: string[] = [];
  for (const word of group) {
    if (looksLikeHex(word)) {
      const hex = findHex(reading, word, line.n);
      if ('fault' in hex) return hex;
      if (waiting.length === 0) return form(line, 'SETUP');
      for (const unit of waiting) order.places.push({ unit, hex: hex.value });
      waiting = [];
      continue;
    }
    const unit = findPiece(reading, word, line.n, used);
    if ('fault' in unit) return unit;
    used.add(unit.value);
    waiting.push(unit.value);
  }
  return waiting.length > 0 ? form(line, 'SETUP') : undefined;
}

/** `PLACE Trenches H4 I5` (RS.12, C1.10g). */
const readPlace: Reader = (reading, words, line) => {
  const [name, ...hexes] = words.filter((word) => word.text !== ',');
  if (!name || hexes.length === 0) return form(line, 'PLACE');
  const item = findItem(
    name,
    line.n,
    reading.data.forces.fortifications.list.map((entry) => entry.item),
  );
  if ('fault' in item) return item;
  const places: string[] = [];
  for (const word of hexes) {
    const hex = findHex(reading, word, line.n);
    if ('fault' in hex) return hex;
    places.push(hex.value);
  }
  return value({ verb: 'PLACE', item: item.value, hexes: places });
};

/** The words of a note as they were written, without quotes and comment; undefined where more stands behind the quotes. */
function noteOf(text: string): string | undefined {
  const written = /\bNOTE\b(.*)$/i.exec(text)?.[1]?.trim() ?? '';
  const quoted = /^"([^"]*)"?(.*)$/.exec(written);
  if (quoted && !/^\s*(?:#|$)/.test(quoted[2]!)) return undefined;
  const words = (quoted ? quoted[1]! : written.replace(/\s*#.*$/, '')).trim();
  return words.replaceAll('"', "'").slice(0, NOTE_LENGTH_MAX).trim();
}

/** `REPORT BATTLE 2 WINNER GERMAN VP 11 NOTE words`. */
const readReport: Reader = (_reading, words, line) => {
  const text = words.map((word) => word.upper).join(' ');
  const match = /^BATTLE (\d{1,2}) WINNER (AMERICAN|GERMAN)(?: VP (\d{1,3}))?(?: NOTE\b.*)?$/.exec(text);
  const winner = match?.[2]?.toLowerCase() ?? '';
  if (!match || !isSide(winner)) return form(line, 'REPORT');
  const vp = match[3] === undefined ? null : Number(match[3]);
  const note = / NOTE\b/.test(text) ? noteOf(line.text) : '';
  if (note === undefined) return form(line, 'REPORT');
  return value({ verb: 'REPORT', battle: Number(match[1]), winner, vp, note });
};

const readBattle =
  (verb: 'CONFIRM' | 'REOPEN'): Reader =>
  (_reading, words, line) => {
    const match = /^BATTLE (\d{1,2})$/.exec(words.map((word) => word.upper).join(' '));
    return match ? value({ verb, battle: Number(match[1]) }) : form(line, verb);
  };

const QUALITIES: Record<string, QualityChoice> = { OWN: 'own', OPPONENT: 'opponent', NONE: 'none' };

/** `CHOOSE QUALITY OWN`, `CHOOSE REQUEST 2`, `CHOOSE LEADER Miller`, `CHOOSE REST Ehnert` (C3.5 to C3.7). */
const readChoose: Reader = (reading, words, line) => {
  const [what, ...rest] = words.filter((word) => word.text !== ',');
  const only = rest.length === 1 ? rest[0]! : undefined;
  if (what?.upper === 'QUALITY' && only && QUALITIES[only.upper])
    return value({ verb: 'CHOOSE', what: 'quality', option: QUALITIES[only.upper]! });
  if (what?.upper === 'REQUEST' && only && /^\d{1,2}$/.test(only.text))
    return value({ verb: 'CHOOSE', what: 'request', roll: Number(only.text) });
  if (what?.upper === 'REST' && only?.upper === 'NONE') return value({ verb: 'CHOOSE', what: 'rest', letters: [] });
  if ((what?.upper !== 'LEADER' && what?.upper !== 'REST') || rest.length === 0) return form(line, 'CHOOSE');
  const letters: string[] = [];
  for (const word of rest) {
    const found = findSection(reading, word, line.n);
    if ('fault' in found) return found;
    if (!letters.includes(found.value)) letters.push(found.value);
  }
  if (what.upper === 'REST') return value({ verb: 'CHOOSE', what: 'rest', letters });
  return letters.length === 1 ? value({ verb: 'CHOOSE', what: 'leader', letter: letters[0]! }) : form(line, 'CHOOSE');
};

const READERS: Record<string, Reader> = {
  SECTIONS: readSections,
  SUPPORT: readSupport,
  ARMOR: readArmor,
  ARTILLERY: readArtillery,
  FORT: readFort,
  RADIO: readRadio,
  SETUP: readSetup,
  PLACE: readPlace,
  REPORT: readReport,
  CONFIRM: readBattle('CONFIRM'),
  REOPEN: readBattle('REOPEN'),
  CHOOSE: readChoose,
};

/** Reads one line that is no doctrine. */
export function readOrder(
  reading: OrderReading,
  verb: string,
  words: readonly Word[],
  line: OrderLine,
): Found<CampaignOrder> {
  const reader = READERS[verb];
  if (!reader) {
    const near = suggest(
      verb,
      VERBS.map((one) => one.verb),
    );
    return fault('UNKNOWN VERB', line.n, { verb, near });
  }
  const found = reader(reading, plainWords(words), line);
  return 'fault' in found ? found : { value: { ...found.value, line: line.n } as CampaignOrder };
}

/** The words of a line; clauses are joined again, by a comma where lists are read. */
function wordsOf(line: OrderLine): Word[] | undefined {
  const clauses = splitLine(line)?.clauses;
  if (!clauses) return undefined;
  const lists = /^(SETUP|FORT|SECTIONS)$/.test(clauses[0]![0]!.upper);
  const comma: Word = { text: ',', upper: ',', column: 0 };
  return clauses.flatMap((clause, i) => (i > 0 && lists ? [comma, ...clause] : clause));
}

/** Reads the lines of a mail as the viewer may write them. Good lines stand, each bad one has a complaint. */
export function parseOrders(
  data: CampaignData,
  lines: readonly OrderLine[],
  view: View<CombatCommander>,
): Parsed<CombatCommander> {
  const parsed: Parsed<CombatCommander> = { orders: [], standing: [], diagnostics: [] };
  const side = view.viewer;
  const reading = isSide(side) ? readingFor(data, view.table, side) : undefined;
  for (const line of lines) {
    const words = wordsOf(line);
    if (!words) continue;
    const [first, ...rest] = words;
    const verb = first!.upper;
    if (!reading) parsed.diagnostics.push(error('NOT A PLAYER', line.n, { verb }));
    else if (verb === 'DOCTRINE') {
      const found = readDoctrine(reading, rest, line, readOrder);
      if ('fault' in found) parsed.diagnostics.push(found.fault);
      else parsed.standing.push(found.value);
    } else {
      const found = readOrder(reading, verb, rest, line);
      if ('fault' in found) parsed.diagnostics.push(found.fault);
      else parsed.orders.push(found.value);
    }
  }
  return parsed;
}

const WHEN: Record<When, string> = {
  yes: '',
  no: '',
  'if-opponent-armor': ' IF OPPONENT ARMOR',
  'unless-opponent-armor': ' UNLESS OPPONENT ARMOR',
  'unless-armor': ' UNLESS ARMOR',
};

/** An order as the player would write it. */
export function printOrder(order: CampaignOrder): string {
  switch (order.verb) {
    case 'SECTIONS':
      return `SECTIONS ${order.letters.length === 0 ? 'NONE' : order.letters.join(' ')}`;
    case 'SUPPORT':
      if (typeof order.buy === 'string') return `SUPPORT BUY ${order.buy.toUpperCase()}`;
      return order.buy.length === 0 ? 'SUPPORT NONE' : `SUPPORT BUY ${order.buy.join(', ')}`;
    case 'ARMOR':
      return order.when === 'yes' || order.when === 'no'
        ? `ARMOR ${order.when.toUpperCase()}`
        : `ARMOR${WHEN[order.when]}`;
    case 'ARTILLERY':
      return `ARTILLERY ${order.points}${WHEN[order.when]}${order.otherwise > 0 ? ` ; ELSE ${order.otherwise}` : ''}`;
    case 'FORT': {
      if (order.pay === 'none') return 'FORT NONE';
      const head = order.pay === 'vp' ? 'VP' : (order.stated ?? 'POINTS');
      return `FORT ${head} ${order.items.map((one) => [one.item, ...one.hexes].join(' ')).join(', ')}`;
    }
    case 'RADIO':
      return `RADIO ${order.roll ? 'ROLL' : 'NO'}`;
    case 'SETUP':
      return `SETUP ${printSetup(order)}`;
    case 'PLACE':
      return `PLACE ${order.item} ${order.hexes.join(' ')}`;
    case 'REPORT': {
      const vp = order.vp === null ? '' : ` VP ${order.vp}`;
      const note = order.note === '' ? '' : ` NOTE "${order.note}"`;
      return `${order.verb} BATTLE ${order.battle} WINNER ${order.winner.toUpperCase()}${vp}${note}`;
    }
    case 'CONFIRM':
    case 'REOPEN':
      return `${order.verb} BATTLE ${order.battle}`;
    case 'CHOOSE':
      if (order.what === 'quality') return `CHOOSE QUALITY ${order.option.toUpperCase()}`;
      if (order.what === 'request') return `CHOOSE REQUEST ${order.roll}`;
      if (order.what === 'leader') return `CHOOSE LEADER ${order.letter}`;
      return `CHOOSE REST ${order.letters.length === 0 ? 'NONE' : order.letters.join(' ')}`;
  }
}

function printSetup(order: SetupOrder): string {
  const parts: string[] = [];
  if (order.deploy !== null) parts.push(`DEPLOY ${order.deploy} INTO ${order.deploy}A ${order.deploy}B`);
  let at = 0;
  while (at < order.places.length) {
    const { hex } = order.places[at]!;
    const units: string[] = [];
    while (order.places[at]?.hex === hex) units.push(order.places[at++]!.unit);
    parts.push(`${units.join(' ')} ${hex}`);
  }
  for (const { weapon, unit } of order.carry) parts.push(`${weapon} WITH ${unit}`);
  return parts.join(', ');
}

/** Doctrine as the player would write it. */
export function printStanding(order: { key: string; value: string }): string {
  return `DOCTRINE ${order.key} ${doctrineValue(order)}`;
}
