import { expect, test } from 'vitest';
import { wilson } from './wilson.ts';

/** Reference values of Wilson's score interval at 95 of 100, as statistics programs print them. */
test.each([
  [0, 0, 0, 100],
  [0, 10, 0, 27.8],
  [10, 10, 72.2, 100],
  [1, 10, 1.8, 40.4],
  [5, 10, 23.7, 76.3],
  [50, 100, 40.4, 59.6],
  [95, 100, 88.8, 97.8],
  [120, 200, 53.1, 66.5],
])('%i of %i: %f to %f per cent', (wins, games, low, high) => {
  expect(wilson(wins, games)).toEqual({ low, high });
});
