/**
 * A player who knows nothing but the order form at the end of his report: he edits its lines and sends it back. What he
 * decides is drawn from his own chance; how battles end is told to both players from outside.
 */
import { valuesOf } from '../../src/kernel/questions.ts';
import type { DecisionRequest } from '../../src/kernel/types.ts';

export interface Chance {
  /** 0 to `below` - 1. */
  draw(below: number): number;
}

/** Chance from a word; the same word, the same player. */
export function chanceOf(word: string): Chance {
  let state = 2166136261;
  for (const letter of word) state = Math.imul(state ^ letter.charCodeAt(0), 16777619) >>> 0;
  return {
    draw(below) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
    },
  };
}

const some = <T>(chance: Chance, items: readonly T[], odds = 2): T[] => items.filter(() => chance.draw(odds) === 0);
const pick = <T>(chance: Chance, items: readonly T[]): T => items[chance.draw(items.length)]!;

/** What players outside the service know: who won a battle. */
export type Winner = (battle: number) => 'AMERICAN' | 'GERMAN';

/** Edits a form. Without a form there is nothing to send. */
export function editForm(form: readonly string[], chance: Chance, winner: Winner): string[] {
  const header = /^BATTLE (\d+) SIDE (\w+) STEP (\S+)/.exec(form[0] ?? '');
  if (!header) return [];
  const [, number, side, step] = header;
  const battle = Number(number);
  const comments = wholeComments(form);
  return form.flatMap((line): string[] => {
    if (line.startsWith('#')) return comment(line, chance, battle, winner, step!);
    if (line === 'SECTIONS NONE') return sections(comments, chance);
    if (line.startsWith('SUPPORT BUY')) return support(comments, chance);
    if (line === 'ARMOR NO')
      return [side === 'GERMAN' ? pick(chance, GERMAN_ARMOR) : pick(chance, ['ARMOR NO', 'ARMOR YES'])];
    if (line.startsWith('ARTILLERY')) return artillery(comments, chance);
    if (line === 'RADIO NO') return [pick(chance, ['RADIO NO', 'RADIO ROLL'])];
    if (line.startsWith('CHOOSE')) return choose(line, comments, chance);
    if (line.startsWith('SETUP') && chance.draw(8) === 0) return [];
    if (line.startsWith('CONFIRM')) return [confirm(line, chance, battle, winner, side!)];
    return [line];
  });
}

/** The comments of a form; indented ones go on with the one above. */
function wholeComments(form: readonly string[]): string[] {
  const comments: string[] = [];
  for (const line of form) {
    if (line.startsWith('#   ') && comments.length > 0) comments[comments.length - 1] += line.slice(3);
    else if (line.startsWith('#')) comments.push(line);
  }
  return comments;
}

const GERMAN_ARMOR = ['ARMOR NO', 'ARMOR NO', 'ARMOR IF OPPONENT ARMOR', 'ARMOR YES', 'ARMOR UNLESS OPPONENT ARMOR'];

function sections(comments: readonly string[], chance: Chance): string[] {
  const letters = comments.flatMap((line) => /^# ([A-G]) /.exec(line)?.[1] ?? []);
  const chosen = some(chance, letters);
  return [chosen.length === 0 ? 'SECTIONS NONE' : `SECTIONS ${chosen.join(' ')}`];
}

function support(comments: readonly string[], chance: Chance): string[] {
  const column = comments.find((line) => line.startsWith('# your column'))!;
  const items = [...column.matchAll(/([\w-]+) \(\d+ VP\)/g)].map((match) => match[1]!);
  const chosen = some(chance, items);
  return [`SUPPORT BUY ${chosen.length === 0 ? pick(chance, ['CHEAPEST', 'ALL']) : chosen.join(', ')}`];
}

function artillery(comments: readonly string[], chance: Chance): string[] {
  const [, left, most] = /artillery: (\d+) points left, at most (\d+)/.exec(comments.join('\n'))!;
  const points = chance.draw(Math.min(Number(left), Number(most)) + 1);
  const otherwise = chance.draw(2) === 0 ? ` ; ELSE ${chance.draw(points + 1)}` : '';
  const condition = pick(chance, [' UNLESS ARMOR', ` IF OPPONENT ARMOR${otherwise}`, ' UNLESS ARMOR']);
  return [`ARTILLERY ${points}${condition}`];
}

function choose(line: string, comments: readonly string[], chance: Chance): string[] {
  const note = (start: string): string => comments.find((one) => one.startsWith(start)) ?? '';
  if (line.startsWith('CHOOSE QUALITY'))
    return [`CHOOSE QUALITY ${pick(chance, note('# quality: ').slice('# quality: '.length).split(', '))}`];
  if (line.startsWith('CHOOSE REQUEST')) return [`CHOOSE REQUEST ${1 + chance.draw(2)}`];
  const letters = (start: string): string[] => [...note(start).matchAll(/([A-G]) \w+ \(/g)].map((match) => match[1]!);
  if (line.startsWith('CHOOSE REST')) {
    const tired = letters('# may rest');
    return [chance.draw(3) === 0 ? 'CHOOSE REST NONE' : `CHOOSE REST ${pick(chance, tired)}`];
  }
  return [`CHOOSE LEADER ${pick(chance, letters('# free choice'))}`];
}

/** Now and then a player is wrong about the winner; the other then says otherwise. */
function told(chance: Chance, battle: number, winner: Winner, side: string): string {
  return chance.draw(10) === 0 ? side : winner(battle);
}

function confirm(line: string, chance: Chance, battle: number, winner: Winner, side: string): string {
  if (chance.draw(8) > 0) return line;
  return `REPORT BATTLE ${battle} WINNER ${told(chance, battle, winner, side)}`;
}

function comment(line: string, chance: Chance, battle: number, winner: Winner, step: string): string[] {
  const report = /^# (REPORT BATTLE \d+ WINNER (\w+))$/.exec(line);
  if (report && step !== 'confirm') {
    const right = report[2] === winner(battle);
    if (right === (chance.draw(10) === 0)) return [line];
    // The third battle of every campaign ends in a quarrel about its VP.
    const vp = battle === 3 ? chance.draw(3) : 4 + battle;
    return [`${report[1]} VP ${vp} NOTE "battle ${battle} as I saw it"`];
  }
  const fort = /^# up to (\d+) (?:VP|Fortification Points): (FORT VP|FORT POINTS)/.exec(line);
  if (fort && chance.draw(2) === 0) {
    const items = some(chance, ['Foxholes', 'Trenches', 'Bunker', 'Wire', 'Mines6', 'Wire']).slice(0, Number(fort[1]));
    return items.length === 0 ? [line] : [line, `${fort[2]} ${items.join(', ')}`];
  }
  if (line.startsWith('# SETUP DEPLOY') && chance.draw(2) === 0) return [line.slice(2)];
  if (line.startsWith('# REOPEN') && chance.draw(12) === 0) return [line.slice(2)];
  return [line];
}

/** Answers a question as a player would, by one of its options or a FORT line's items. */
export function answerBy(chance: Chance, request: DecisionRequest): string[] {
  if (request.options.length > 0) {
    const chosen = some(chance, valuesOf(request));
    return chosen.length === 0 ? [...request.fallback] : chosen;
  }
  return some(chance, ['Wire', 'Trenches', 'Mines8', 'Bunker'], 3).slice(0, Math.max(0, Math.floor(request.max * 0.5)));
}
