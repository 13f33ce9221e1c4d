/** Finding what a player means: Sections and leaders, pieces, hexes, items. Every finder gives the name or a complaint. */
import { error, matchName, suggest, type Word } from '../../../kernel/orders.ts';
import type { Diagnostic, Param } from '../../../kernel/types.ts';
import type { CommanderSide, CommanderTable, Letter } from '../types.ts';
import { forceOf, LETTERS, leaderWord, type Piece } from './forces.ts';
import { cellOf, type MapData } from './ground.ts';
import type { CampaignData } from './scenario.ts';

export type Found<T> = { value: T } | { fault: Diagnostic };

/** What the readers of orders know: the data, the open table, and whose mail it is. */
export interface OrderReading {
  data: CampaignData;
  table: CommanderTable;
  side: CommanderSide;
  map: MapData;
  /** The side's own pieces, the teams of a squad that could be deployed included. */
  force: readonly Piece[];
}

/** Prepares for reading the orders of one side. */
export function readingFor(data: CampaignData, table: CommanderTable, side: CommanderSide): OrderReading {
  const map = mapOf(data, table);
  const force = table.battle.bought ? forceOf(data, table.campaign, table.battle, side, null) : [];
  return { data, table, side, map, force };
}

/** The battle map of the current position (C1.11). */
export function mapOf(data: CampaignData, table: CommanderTable): MapData {
  return data.maps[data.tables.positions[table.campaign.position].map]!;
}

/** A complaint with the suggestions that are near, none if nothing is. */
export function fault(code: string, line: number, params: Record<string, Param>, rule?: string): { fault: Diagnostic } {
  return { fault: error(code, line, params, rule) };
}

const RANK = /^(CPL|SGT|LT|2LT|1LT|CPT)\.?$/;

/** Drops ranks and joins a leader's two-word name, so that `Lt Von Hoffman` is one word. */
export function plainWords(words: readonly Word[]): Word[] {
  const plain: Word[] = [];
  for (const word of words) {
    if (RANK.test(word.upper)) continue;
    const last = plain.at(-1);
    if (last?.upper === 'VON' && /^HOFFMANN?$/.test(word.upper)) {
      plain[plain.length - 1] = { ...last, text: 'VonHoffman', upper: 'VONHOFFMAN' };
    } else plain.push(word);
  }
  return plain;
}

/** A Campaign Section by letter or leader. */
export function findSection(reading: OrderReading, word: Word, line: number): Found<Letter> {
  const letters = LETTERS.filter((letter) => letter !== 'Q');
  if (letters.includes(word.upper)) return { value: word.upper };
  const names = LETTERS.map((letter) => leaderWord(reading.data, reading.side, letter));
  const match = matchName(word.text, names);
  if ('name' in match) {
    const letter = LETTERS[names.indexOf(match.name)]!;
    if (letter !== 'Q') return { value: letter };
    return fault('COMMAND COMES ANYWAY', line, { written: word.text }, 'C1.54a');
  }
  const near = 'among' in match ? match.among : match.near;
  return fault('SECTION UNKNOWN', line, { written: word.text, near });
}

/** A hex of the battle map. */
export function findHex(reading: OrderReading, word: Word, line: number): Found<string> {
  const hex = word.upper;
  if (cellOf(reading.map, hex)) return { value: hex };
  return fault('NO SUCH HEX', line, { written: word.text, map: reading.map.name });
}

/** Whether a word could be a hex at all. */
export function looksLikeHex(word: Word): boolean {
  return /^[A-Z]\d{1,2}$/.test(word.upper);
}

/** A piece of the own force by id, by a shortening, or a weapon by its kind (the first one not named yet). */
export function findPiece(reading: OrderReading, word: Word, line: number, used: ReadonlySet<string>): Found<string> {
  const ids = reading.force.map((piece) => piece.id);
  const half = /^(.+\/\d)([AB])$/.exec(word.upper);
  if (half && ids.includes(half[1]!)) return { value: word.upper };
  const match = matchName(word.text, ids);
  if ('name' in match) return { value: match.name };
  const kind = reading.force.filter((piece) => piece.id.split('/').at(-1)!.toUpperCase().startsWith(word.upper));
  const among = 'among' in match ? match.among : kind.map((piece) => piece.id);
  const pieces = reading.force.filter((piece) => among.includes(piece.id));
  const alike = new Set(pieces.map((piece) => `${piece.section} ${piece.key}`));
  if (alike.size === 1) return { value: (pieces.find((piece) => !used.has(piece.id)) ?? pieces[0]!).id };
  if (among.length > 1) return fault('WHICH ONE', line, { written: word.text, among });
  const near = suggest(word.text, ids);
  return fault('UNIT UNKNOWN', line, { written: word.text, near });
}

/** Whether a word (upper case) names a leader, a Section's letter, a piece, a hex or an item. */
export function isName(data: CampaignData, table: CommanderTable, side: CommanderSide, word: string): boolean {
  const reading = readingFor(data, table, side);
  if (cellOf(reading.map, word) || LETTERS.includes(word)) return true;
  const names = [
    ...LETTERS.map((letter) => leaderWord(data, side, letter)),
    ...reading.force.map((piece) => piece.id),
    ...data.forces.fortifications.list.map((entry) => entry.item),
    ...Object.values(data.forces.supportTables[side]).flatMap((entries) => entries.map((entry) => entry.item)),
  ];
  return names.some((name) => name.toUpperCase() === word);
}

/** An item of a list of names. */
export function findItem(word: Word, line: number, names: readonly string[]): Found<string> {
  const match = matchName(word.text.replaceAll('+', '-'), names);
  if ('name' in match) return { value: match.name };
  const near = 'among' in match ? match.among : match.near;
  return fault('among' in match ? 'WHICH ONE' : 'ITEM UNKNOWN', line, { written: word.text, near, among: near });
}

/** The side as reports name it. */
export function sideName(side: CommanderSide): string {
  return side === 'american' ? 'American' : 'German';
}
