import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { crosses } from '../../src/board/sight.ts';
import { type Book, standing } from '../../src/systems/normandie/content/opened.ts';
import { sightBetweenPlaces } from '../../src/systems/normandie/ground/sightline.ts';
import { emptyTable, normandieBook } from '../helpers/normandie.ts';

const books: Record<string, Book> = {
  B1: normandieBook('orchard'),
  B2: normandieBook('church'),
  B3: normandieBook('hill88'),
};

/** Board, from, to, result and penalty, as worked out by hand and by an independent reference. */
const VECTORS = fs
  .readFileSync(new URL('./fixtures/lines.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' '));

const result = (board: string, from: string, to: string): string => {
  const line = sightBetweenPlaces(books[board]!, emptyTable(), from, to);
  if (!line) throw new Error(`no line ${from} ${to}`);
  if (!line.clear) return 'blocked';
  return line.penalty > 0 ? `obscured ${line.penalty}` : 'clear 0';
};

describe('lines on the house boards', () => {
  test.each(VECTORS)('%s %s to %s: %s %s', (board, from, to, kind, number) => {
    expect(result(board!, from!, to!)).toBe(kind === 'blocked' ? 'blocked' : `${kind} ${number}`);
  });

  test('3.2.3-los-h G-24 sight is mutual between all pairs of places of all boards, and the counts are those of the reference', () => {
    const counted: Record<string, Record<string, number>> = {};
    for (const [id, book] of Object.entries(books)) {
      const table = emptyTable();
      const places = standing(book).map((place) => place.name);
      const count: Record<string, number> = { places: places.length };
      places.forEach((a, i) => {
        for (const b of places.slice(i + 1)) {
          const there = sightBetweenPlaces(book, table, a, b)!;
          const back = sightBetweenPlaces(book, table, b, a)!;
          expect(there.clear === back.clear && (!there.clear || !back.clear || there.penalty === back.penalty)).toBe(
            true,
          );
          const kind = !there.clear ? 'blocked' : there.penalty > 0 ? 'obscured' : 'clear';
          count[kind] = (count[kind] ?? 0) + 1;
        }
      });
      counted[id] = count;
    }
    expect(counted).toEqual({
      B1: { places: 100, clear: 1278, blocked: 2684, obscured: 988 },
      B2: { places: 191, clear: 4459, blocked: 11132, obscured: 2554 },
      B3: { places: 219, clear: 5218, blocked: 17796, obscured: 857 },
    });
  });
});

describe('areas crossed', () => {
  test('R2 G-01 a line that only touches a corner does not cross the square', () => {
    expect(crosses([1, 1], [5, 5], [2, 0])).toBe(false);
    expect(crosses([1, 1], [5, 5], [2, 2])).toBe(true);
  });
  test('5.1-obsc-a a square crossed in part is crossed', () => {
    expect(crosses([1, 1], [5, 3], [2, 0])).toBe(true);
    expect(crosses([1, 1], [5, 3], [2, 2])).toBe(true);
    expect(crosses([1, 1], [5, 3], [0, 2])).toBe(false);
  });
  test('G-02 a line along an edge crosses neither side', () => {
    expect(crosses([1, 2], [9, 2], [4, 0])).toBe(false);
    expect(crosses([1, 2], [9, 2], [4, 2])).toBe(false);
  });
});
