/** Choices inside resolution: own clause, doctrine, question by mail, fallback, in that order. */

import { describe, expect, test } from 'vitest';
import { valuesOf } from '../../../../src/kernel/questions.ts';
import type { DecisionRequest } from '../../../../src/kernel/types.ts';
import { viewFor } from '../../../../src/kernel/view.ts';
import type { OverlordQuestion } from '../../../../src/systems/overlord/types.ts';
import { board, codes, complaints, judge, type Play, play, position, wording } from '../../../helpers/overlord.ts';

const D_BK_2 = { purpose: 'battle 0511', rolls: [3] };
const D_ELIM = { purpose: 'battle 0511', rolls: [1] };
const units = { US4: '0510', 'DE243/1': '0511' };
const state = position(board, { turn: 3, step: 'allied', units });

function decided(orders: Play, kind: string): { chosen: string[]; by: string } | undefined {
  const found = play(board, state, orders).decisions.find((decision) => decision.id.startsWith(kind));
  return found && { chosen: found.chosen, by: found.by };
}

/** The open question of a phase that waits. */
function asked(orders: Play): DecisionRequest {
  const result = judge(board, state, orders);
  if (result.status !== 'waiting') throw new Error('nobody was asked');
  return result.requests[0]!;
}

describe('retreats: the owner breaks ties between equally easy ways (OVR-18)', () => {
  const attack = { allied: ['ATTACK 0511 WITH US4'], dice: [D_BK_2] };

  test('fallback: nearest own supply, then fewest friends, then lowest hex (OVR-17)', () => {
    expect(decided(attack, 'retreat')).toEqual({ chosen: ['0611 0711'], by: 'fallback' });
  });
  test('doctrine: each wish narrows what is left', () => {
    expect(decided({ ...attack, german: ['DOCTRINE RETREAT WEST'] }, 'retreat')).toEqual({
      chosen: ['0411 0311'],
      by: 'doctrine',
    });
    expect(decided({ ...attack, german: ['DOCTRINE RETREAT ROAD, SOUTH'] }, 'retreat')?.chosen[0]).toMatch(/0513$/);
    expect(decided({ ...attack, german: ['DOCTRINE RETREAT 0714'] }, 'retreat')?.by).toBe('doctrine');
  });
  test('ASK: the question goes out by mail with its options, and the answer is followed', () => {
    const orders = { ...attack, german: ['ASK RETREAT'] };
    const request = asked(orders);
    expect(request).toMatchObject({ to: 'german', kind: 'retreat', min: 1, max: 1, rule: 'OVL-RET-03' });
    expect(wording.say(request.words!)).toBe('DE243/1 must retreat 2 hexes from 0511: which of the equally easy ways?');
    expect(request.options.length).toBeGreaterThan(2);
    const read = board.rules.parseAnswer(viewFor(state, 'german'), request as OverlordQuestion, [{ n: 1, text: '2' }]);
    expect(read).toEqual({ chosen: [valuesOf(request)[1]] });
    const chosen = valuesOf(request)[1]!;
    const done = play(board, state, { ...orders, answers: { [request.id]: { chosen: [chosen], by: 'answer' } } });
    expect(done.state.table.units['DE243/1']).toBe(chosen.split(' ').at(-1));
  });
  test('a way along a road is taken without asking', () => {
    const road = position(board, { turn: 3, step: 'allied', units: { US4: '0215', 'DE243/1': '0216' } });
    const done = play(board, road, {
      allied: ['ATTACK 0216 WITH US4'],
      german: ['ASK RETREAT'],
      dice: [{ purpose: 'battle 0216', rolls: [3] }],
    });
    expect(done.state.table.units['DE243/1']).toBe('0218');
    expect(done.decisions.filter((one) => one.id.startsWith('retreat'))).toEqual([]);
  });
});

describe('losses (OVR-08)', () => {
  const dice = [{ purpose: 'battle 0511', rolls: [5] }];
  test('fallback, clause and doctrine', () => {
    expect(decided({ allied: ['ATTACK 0511 WITH US4'], dice }, 'losses')).toEqual({
      chosen: ['US4/3'],
      by: 'fallback',
    });
    expect(decided({ allied: ['ATTACK 0511 WITH US4 LOSSES US4/1'], dice }, 'losses')).toEqual({
      chosen: ['US4/1'],
      by: 'order',
    });
    const keep = { allied: ['ATTACK 0511 WITH US4', 'DOCTRINE LOSSES MIN KEEP US4/3'], dice };
    expect(decided(keep, 'losses')).toEqual({ chosen: ['US4/2'], by: 'doctrine' });
  });
  test('ASK: an answer that pays too little is refused with the amount', () => {
    const bigger = position(board, { turn: 3, step: 'allied', units: { US1: '0510', 'DE116/1': '0511' } });
    const orders = { allied: ['ATTACK 0511 WITH US1', 'ASK LOSSES'], dice };
    const result = judge(board, bigger, orders);
    if (result.status !== 'waiting') throw new Error('not asked');
    const [request] = result.requests;
    const answer = (text: string) => board.rules.parseAnswer(viewFor(bigger, 'allied'), request!, [{ n: 1, text }]);
    const small = answer('US1/1');
    expect('diagnostics' in small && complaints(small.diagnostics)).toEqual([
      '1: these units are not enough: 6 factors must be removed',
    ]);
    expect(answer('US1/1, US1/2')).toEqual({ chosen: ['US1/1', 'US1/2'] });
    expect(answer('1 2')).toEqual({ chosen: ['US1/1', 'US1/2'] });
    expect('diagnostics' in answer('whoever') && codes((answer('whoever') as { diagnostics: [] }).diagnostics)).toEqual(
      ['1 ANSWER UNCLEAR'],
    );
  });
});

describe('advances', () => {
  const attack = 'ATTACK 0511 WITH US4';
  test('nobody advances unless told', () => {
    expect(decided({ allied: [attack], dice: [D_BK_2] }, 'advance')).toEqual({ chosen: [], by: 'fallback' });
  });
  test('clause before doctrine before question', () => {
    const both = { allied: [`${attack} ADVANCE US4/2`, 'DOCTRINE ADVANCE ALL', 'ASK ADVANCE'], dice: [D_BK_2] };
    expect(decided(both, 'advance')).toEqual({ chosen: ['US4/2 -> 0511'], by: 'order' });
    const doctrine = { allied: [attack, 'DOCTRINE ADVANCE ALL', 'ASK ADVANCE'], dice: [D_BK_2] };
    expect(decided(doctrine, 'advance')?.chosen).toEqual(['US4/1 -> 0511', 'US4/2 -> 0511', 'US4/3 -> 0511']);
    const request = asked({ allied: [attack, 'ASK ADVANCE'], dice: [D_BK_2] });
    expect(request.form).toEqual(['ADVANCE US4/1 -> 0511', 'ADVANCE US4/2 -> 0511', 'ADVANCE US4/3 -> 0511']);
  });
  test('ASK BREAKOUT: answered by order lines, read with the same grammar', () => {
    const orders = { allied: [attack, 'ASK BREAKOUT'], dice: [D_ELIM, { purpose: 'breakout 0511', rolls: [3] }] };
    const request = asked(orders);
    expect(wording.say(request.words!)).toBe('breakout die 3 at 0511: who advances, and where?');
    const read = board.rules.parseAnswer(viewFor(state, 'allied'), request as OverlordQuestion, [
      { n: 1, text: 'BREAKOUT US4/1 -> 0511 0512 0513' },
      { n: 2, text: '' },
    ]);
    expect(read).toEqual({ chosen: ['US4/1 -> 0511 0512 0513'] });
    const chosen = 'chosen' in read ? read.chosen : [];
    const done = play(board, state, { ...orders, answers: { [request.id]: { chosen, by: 'answer' } } });
    expect(done.state.table.units['US4/1']).toBe('0513');
    const wrong = board.rules.parseAnswer(viewFor(state, 'allied'), request as OverlordQuestion, [
      { n: 1, text: 'BREAKOUT US9/1 -> 0511' },
    ]);
    expect('diagnostics' in wrong && codes(wrong.diagnostics)).toEqual(['1 ADVANCE OF A NON-ATTACKER']);
  });
  test('the events before a question are the same when the phase runs again', () => {
    const orders = { allied: [attack, 'ASK ADVANCE'], dice: [D_BK_2] };
    const first = judge(board, state, orders);
    const again = judge(board, state, orders);
    expect(first.status === 'waiting' && again.status === 'waiting' && first.prefixHash === again.prefixHash).toBe(
      true,
    );
  });
});

describe('doctrine kept and taken back', () => {
  const parse = (side: 'german' | 'allied', text: string) => board.rules.parse([{ n: 1, text }], viewFor(state, side));
  test('one key each; NONE and OFF take it back', () => {
    expect(parse('german', 'DOCTRINE RETREAT ROAD').standing[0]).toMatchObject({ key: 'retreat', values: ['ROAD'] });
    expect(parse('german', 'DOCTRINE RETREAT NONE').standing[0]).toMatchObject({ key: 'retreat', withdraw: true });
    expect(parse('german', 'ASK BREAKOUT OFF').standing[0]).toMatchObject({ key: 'ask breakout', withdraw: true });
  });
  test('it must fit the side', () => {
    expect(codes(parse('allied', 'DOCTRINE WITHDRAW DE243').diagnostics)).toEqual(['1 WRONG SIDE']);
    expect(codes(parse('german', 'DOCTRINE NAVAL 0303').diagnostics)).toEqual(['1 WRONG SIDE']);
    expect(codes(parse('german', 'DOCTRINE LOSSES KEEP US4').diagnostics)).toEqual(['1 NOT YOURS']);
  });
});
