import { describe, expect, test } from 'vitest';
import type { Looks } from '../../../src/kernel/looks.ts';
import { liveriesOf } from '../../../src/render/paint/livery.ts';

const looks: Looks = {
  sides: {
    red: {
      name: 'Red',
      short: 'R',
      corners: 'square',
      counter: ['#aa3333', '#cccccc'],
      nations: 'colour',
      outline: '#aa0000',
      marker: ['#bb0000', '#222222'],
    },
    blue: {
      name: 'Blue',
      short: 'B',
      corners: 'round',
      counter: '#3333aa',
      nations: 'bar',
      outline: '#0000aa',
      marker: '#0000bb',
    },
  },
  nations: { RU: { colour: '#99aa77', bar: '#334455', ink: '#ffffff' } },
};

describe('the colours of a side', () => {
  test('a nation is a colour on one side and a bar on the other, but for counters with a band', () => {
    const { counter } = liveriesOf(looks, false);
    expect(counter({ side: 'red', nation: 'RU' })).toEqual({ tint: '#99aa77', bar: undefined, ink: '#ffffff' });
    expect(counter({ side: 'red', nation: 'XX' }).tint).toBe('#aa3333');
    expect(counter({ side: 'blue', nation: 'RU' })).toEqual({ tint: '#3333aa', bar: '#334455', ink: undefined });
    const band = { text: '1', solid: true };
    expect(counter({ side: 'blue', nation: 'RU', band })).toMatchObject({ tint: '#99aa77', bar: undefined });
  });

  test('in black a pair has its second, a fill alone is white, a line alone black', () => {
    const black = liveriesOf(looks, true);
    expect(black.counter({ side: 'red', nation: '' }).tint).toBe('#cccccc');
    expect(black.counter({ side: 'blue', nation: '' }).tint).toBe('#ffffff');
    expect([black.side('red').marker, black.side('blue').marker]).toEqual(['#222222', '#000000']);
    expect([black.side('red').outline, black.bar('RU')]).toEqual(['#000000', '#000000']);
  });

  test('a side that no looks know is plain, and the same plain for all', () => {
    const liveries = liveriesOf(undefined, false);
    expect(liveries.has('german')).toBe(false);
    expect(liveries.side('german')).toEqual(liveries.side('green'));
    expect(liveries.counter({ side: 'german', nation: 'DE' }).tint).toBe(liveries.side('green').counter);
  });
});
