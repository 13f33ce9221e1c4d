import { describe, expect, test } from 'vitest';
import { type Looks, readLooks } from '../../src/kernel/looks.ts';

const side = {
  name: 'Red',
  short: 'R',
  corners: 'round',
  nations: 'colour',
  counter: ['#aa3333', '#cccccc'],
  outline: '#aa3333',
  marker: '#aa3333',
};
const figure = {
  frame: '#aa3333',
  ground: '#ddaaaa',
  body: '#552222',
  helmet: '#331111',
  strip: '#552222',
  token: '#552222',
  sign: 'star',
};
const looks = {
  sides: { red: side, blue: { ...side, figure } },
  nations: { RU: { colour: '#99aa77', bar: '#334455' } },
};

describe('how sides look', () => {
  test('what the file says beside it is not taken over', () => {
    expect(readLooks({ format: 'x', source: 'house', ...looks })).toEqual({ looks });
    expect(readLooks({ sides: looks.sides })).toEqual({ looks: { sides: looks.sides, nations: {} } });
  });

  test.each<[string, unknown, string]>([
    ['no record', [], 'must be a record'],
    ['no sides', {}, 'sides: must be a record'],
    ['a side without a name', { sides: { red: { ...side, name: ' ' } } }, 'sides.red.name: must be a text'],
    [
      'a colour by name',
      { sides: { red: { ...side, outline: 'red' } } },
      'sides.red.outline: must be a colour such as #8f9698',
    ],
    [
      'a pair of three',
      { sides: { red: { ...side, counter: ['#aa3333', '#aa3333', '#aa3333'] } } },
      'sides.red.counter: a pair is a colour and the one for maps in black',
    ],
    [
      'a wrong colour in a pair',
      { sides: { red: { ...side, marker: ['#aa3333', '#FFF'] } } },
      'sides.red.marker.1: must be a colour such as #8f9698',
    ],
    [
      'corners of another kind',
      { sides: { red: { ...side, corners: 'cut' } } },
      'sides.red.corners: must be round or square',
    ],
    [
      'half a figure',
      { sides: { red: { ...side, figure: { ...figure, sign: 'moon' } } } },
      'sides.red.figure.sign: must be star or bar-cross',
    ],
    [
      'a nation without a colour',
      { sides: { red: side }, nations: { RU: { bar: '#334455' } } },
      'nations.RU.colour: must be a colour such as #8f9698',
    ],
    [
      'a sample of no side',
      { sides: { red: side }, sample: { side: 'green', nation: 'RU' } },
      'sample.side: green is no side here',
    ],
  ])('%s is named with its place', (_, content, fault) => {
    const read = readLooks(content);
    expect('faults' in read && read.faults).toEqual([fault]);
  });

  test('every fault is found at once', () => {
    const read = readLooks({ sides: { red: {}, blue: side }, nations: { RU: {} } });
    expect('faults' in read ? read.faults.length : 0).toBe(8);
    const none: Looks | undefined = 'looks' in read ? read.looks : undefined;
    expect(none).toBeUndefined();
  });
});
