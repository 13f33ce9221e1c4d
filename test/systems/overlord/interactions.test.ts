/** Where two rules, or an order and a standing order, meet: the positions of the ledger of interactions, OVL-X. */
import { describe, expect, test } from 'vitest';
import { board, codes, play, position, read } from '../../helpers/overlord.ts';

describe('OVL-X02 the check knows the standing orders', () => {
  const owed = [{ hex: '0530', factors: 4 }];
  const state = position(board, { turn: 22, units: { 'DE243/1': '0527', 'DE709/1': '0527' }, table: { owed } });
  const doctrine = 'DOCTRINE WITHDRAW DE243';
  const order = 'MOVE DE709/1 -> 0526';

  test('a doctrine of the same mail saves the order, in the receipt and in the run', () => {
    expect(codes(read(board, state, 'german', [doctrine, order]).diagnostics)).toEqual([]);
    const { state: after } = play(board, state, { german: [doctrine, order] });
    expect([after.table.units['DE243/1'], after.table.units['DE709/1']]).toEqual(['withdrawn', '0526']);
  });

  test('so does one that stands already, until it is taken back', () => {
    const twins = position(board, { turn: 22, units: { 'DE243/1': '0527', 'DE243/2': '0527' }, table: { owed } });
    for (const [goes, stays] of [
      ['DE243/1', 'DE243/2'],
      ['DE243/2', 'DE243/1'],
    ]) {
      const { standing } = read(board, twins, 'german', [`DOCTRINE WITHDRAW ${goes}`]);
      expect(codes(read(board, twins, 'german', [`MOVE ${stays} -> 0526`], standing).diagnostics)).toEqual([]);
      expect(codes(read(board, twins, 'german', [`MOVE ${goes} -> 0526`], standing).diagnostics)).toEqual([
        '1 NOT ON MAP',
      ]);
    }
    const { standing } = read(board, twins, 'german', ['DOCTRINE WITHDRAW DE243/2']);
    const back = ['DOCTRINE WITHDRAW NONE', 'MOVE DE243/1 -> 0526'];
    expect(codes(read(board, twins, 'german', back, standing).diagnostics)).toEqual(['2 NOT ON MAP']);
  });

  test('who wants to be asked is told which units may have to go; only who must go at any rate is refused', () => {
    const found = read(board, state, 'german', ['ASK WITHDRAW', 'MOVE DE709/1 -> 0526']);
    expect(codes(found.diagnostics)).toEqual([]);
    expect(codes(found.diagnostics, 'warning')).toContain('mail WITHDRAWAL OPEN');
    // Without DE243/1 the two factors of DE709/1 do not suffice.
    expect(codes(read(board, state, 'german', ['ASK WITHDRAW', 'MOVE DE243/1 -> 0526']).diagnostics)).toEqual([
      '2 NOT ON MAP',
    ]);
  });
});
