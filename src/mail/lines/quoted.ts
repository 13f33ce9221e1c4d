/**
 * Order forms within quoted text: what players edit there is never filed by itself, but asked about. A form of ours begins
 * with its header, and what stands around it in our mail is dropped.
 */
import { isFrameLine, readHeaderLine } from '../../kernel/frame.ts';
import { lineForm } from '../bytes/lineform.ts';
import { findStart, findStop, joinBlock, type Lines, nextHead } from './block.ts';
import { isHeaderBlock, isOldMessage, isSignature } from './ends.ts';
import { firstWord, type ProfileWords } from './profilewords.ts';

const BLOCKS_MAX = 8;
const NONE: ReadonlySet<number> = new Set();
const NO_NUMBERS: ReadonlyMap<number, number> = new Map();

/** The blocks in quoted lines (behind `>`, and everything from `end` on), in the order they stand. */
export function quotedBlocks(
  raw: readonly string[],
  written: readonly string[],
  end: number,
  words: ProfileWords,
): string[][] {
  const quoted: string[] = [];
  written.forEach((line, i) => {
    if (line.startsWith('>')) quoted.push(raw[i]!.replace(/^[\s>]+/, ''));
    else if (i >= end) quoted.push(raw[i]!.replace(/^[\s>|]+/, ''));
  });
  if (quoted.length === 0) return [];
  const forms = quoted.map(lineForm);
  const lines: Lines = {
    raw: quoted,
    forms,
    firsts: forms.map(firstWord),
    numbers: NO_NUMBERS,
    taken: NONE,
    end: quoted.length,
    wrapping: () => 'wrapped',
  };
  const blocks: string[][] = [];
  const add = (start: number): number => {
    const stop = endOfForm(lines, start, words);
    blocks.push(joinBlock(lines, start, stop, words).map(({ text }) => text));
    return stop;
  };
  let start = nextHead(lines, 0, words);
  while (start >= 0 && blocks.length < BLOCKS_MAX) start = nextHead(lines, add(start), words);
  // Lines without a header are nobody's form where our own text stands around them.
  if (blocks.length === 0 && !forms.some((line) => words.isOurs?.(line))) {
    const first = findStart(lines, words);
    if (first >= 0) add(first);
  }
  return blocks.filter((block) => block.some((line) => !readHeaderLine(line) && !isFrameLine(line, 'END')));
}

/** Where a quoted form ends: at END, else where its mail goes on with something else. */
function endOfForm(lines: Lines, start: number, words: ProfileWords): number {
  const stop = findStop(lines, start, words);
  for (let i = start + 1; i < stop; i++) {
    const line = lines.forms[i]!;
    if (isFrameLine(line, 'END')) break;
    if (isSignature(line) || isOldMessage(line) || isHeaderBlock(lines.forms, i) || words.isOurs?.(line)) return i;
  }
  return stop;
}
