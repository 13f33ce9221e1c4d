import { expect, test } from 'vitest';
import { assert, Fault, known, never } from '../../src/kernel/assert.ts';

test('what does not hold is a fault that says what', () => {
  expect(() => assert(1 > 2, 'one is more than two')).toThrow(new Fault('one is more than two'));
  expect(() => assert(true, 'fine')).not.toThrow();
});

test('what must be there is given back, nothing else', () => {
  expect(known(0, 'a number')).toBe(0);
  expect(known('', 'a text')).toBe('');
  expect(() => known(undefined, 'no unit of that name')).toThrow('no unit of that name');
  expect(() => known(null, 'no unit of that name')).toThrow(Fault);
});

test('a value outside its union is shown', () => {
  expect(() => never('dance' as never, 'order')).toThrow('order: unexpected "dance"');
});
