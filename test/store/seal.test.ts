import { expect, test } from 'vitest';
import { seal, secretKey, secretMark, unseal } from '../../src/store/seal.ts';

const key = secretKey('one secret');
const nonce = Buffer.alloc(12, 7);

test('what was sealed is opened with the same secret and purpose only', () => {
  const sealed = seal(key, 'dice open 1', Buffer.from('a root'), nonce);
  expect(sealed.toString('latin1')).not.toContain('a root');
  expect(unseal(key, 'dice open 1', sealed).toString()).toBe('a root');
  expect(() => unseal(secretKey('another'), 'dice open 1', sealed)).toThrow(/another SECRET/);
  expect(() => unseal(key, 'dice open 2', sealed)).toThrow(/another SECRET/);
  sealed[sealed.length - 1]! ^= 1;
  expect(() => unseal(key, 'dice open 1', sealed)).toThrow(/another SECRET/);
});

test('the mark tells secrets apart and gives none away', () => {
  expect(secretMark(key)).toBe(secretMark(secretKey('one secret')));
  expect(secretMark(key)).not.toBe(secretMark(secretKey('another')));
  expect(key.toString('hex')).not.toContain(secretMark(key));
});
