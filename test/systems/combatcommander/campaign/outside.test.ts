/** Battles fought outside: report, confirmation, silence, different reports, the game master, reopening. */
import { describe, expect, test } from 'vitest';
import type { GameState } from '../../../../src/kernel/types.ts';
import { publicView } from '../../../../src/kernel/view.ts';
import { applyEdit } from '../../../../src/turn/phase/edits.ts';
import {
  all,
  codes,
  complaints,
  fight,
  first,
  newCampaign,
  play,
  playTo,
  reportText,
  rules,
  type State,
  settle,
} from '../../../helpers/combatcommander.ts';

const ready = playTo(newCampaign(), 'battle');
const american = ['REPORT BATTLE 1 WINNER AMERICAN VP 12 NOTE "St. André fell at noon"'];
const german = ['REPORT BATTLE 1 WINNER GERMAN'];

describe('report and confirmation', () => {
  test('both may report; one report is enough to ask the other side', () => {
    expect(rules.asks(publicView(ready)).map((ask) => ask.side)).toEqual(['american', 'german']);
    expect(rules.ready(publicView(ready), [])).toBe(false);
    expect(rules.ready(publicView(ready), ['german'])).toBe(true);
    const { state, events } = play(ready, { american });
    expect(first(events, 'reported')).toMatchObject({ winner: 'american', vp: 12, note: 'St. André fell at noon' });
    expect(state.phase.step).toBe('confirm');
    expect(rules.asks(publicView(state))).toEqual([
      { side: 'american', must: false },
      { side: 'german', must: true },
    ]);
    expect(reportText(state, 'german', events)).toContain(
      'CONFIRM BATTLE 1, if this is right: American victory with 12 VP ("St. André fell at noon"); else your own REPORT. Silence for 7 days counts as confirmation.',
    );
    expect(reportText(state, 'german', events)).toContain('> CONFIRM BATTLE 1');
  });

  test('a confirmation closes the battle; a second one comes too late', () => {
    const { state } = play(ready, { american });
    const closed = play(state, { german: ['CONFIRM BATTLE 1'] });
    expect(first(closed.events, 'closed')).toMatchObject({ how: 'confirmed', winner: 'american', vp: 12 });
    expect(codes(closed.state, 'german', 'CONFIRM BATTLE 1')).toEqual(['ALREADY CONFIRMED']);
    expect(codes(closed.state, 'german', ...german)).toEqual(['ALREADY CONFIRMED']);
  });

  test('two equal reports close it at once; VP told by one side only count', () => {
    const both = play(ready, { american, german: ['REPORT BATTLE 1 WINNER AMERICAN'] });
    expect(first(both.events, 'closed')).toMatchObject({ how: 'agreed', winner: 'american', vp: 12 });
    const vp = play(ready, { american, german: ['REPORT BATTLE 1 WINNER AMERICAN VP 11'] });
    expect(vp.state.phase.step).toBe('dispute');
  });

  test('only the battle in hand can be reported, and only while it is fought', () => {
    expect(codes(ready, 'german', 'REPORT BATTLE 2 WINNER GERMAN')).toEqual(['NOT YOUR BATTLE']);
    expect(codes(ready, 'german', 'CONFIRM BATTLE 1')).toEqual(['NOTHING TO CONFIRM']);
    expect(codes(newCampaign(), 'german', ...german)).toEqual(['NOT NOW']);
  });

  test('silence past its own term counts as confirmation, and is logged as such', () => {
    const { state } = play(ready, { american });
    expect(rules.pace(publicView(state))).toEqual({ days: 7, silence: 'accept' });
    expect(rules.ready(publicView(state), ['american'])).toBe(false);
    const closed = play(state, {});
    expect(first(closed.events, 'closed')).toMatchObject({ how: 'silence', winner: 'american' });
    expect(reportText(closed.state, 'german', closed.events)).toContain(
      'Battle 1 is closed: American victory with 12 VP (reported by one side and not contradicted in time). "St. André fell at noon"',
    );
  });

  test('a bare FINAL is no word where a battle is reported or confirmed, but in a dispute it stays with the report', () => {
    expect(rules.ready(publicView(ready), ['american', 'german'], [])).toBe(false);
    expect(rules.ready(publicView(ready), ['german'], ['american'])).toBe(false);
    const { state } = play(ready, { american });
    expect(rules.ready(publicView(state), ['german'], [])).toBe(false);
    expect(rules.ready(publicView(state), ['german'], ['german'])).toBe(true);
    const { state: differ } = play(state, { german });
    expect(rules.ready(publicView(differ), ['american', 'german'], [])).toBe(true);
  });

  test('a confirmation is of the report as it was read, not of one changed meanwhile', () => {
    const { state } = play(ready, { american: ['REPORT BATTLE 1 WINNER AMERICAN'] });
    const sly = play(state, { american: ['REPORT BATTLE 1 WINNER AMERICAN VP 50'], german: ['CONFIRM BATTLE 1'] });
    expect(sly.state.phase.step).toBe('dispute');
    expect(first(sly.events, 'reports-differ').round).toBe(1);
    const same = play(state, { american: ['REPORT BATTLE 1 WINNER AMERICAN'], german: ['CONFIRM BATTLE 1'] });
    expect(first(same.events, 'closed')).toMatchObject({ how: 'confirmed', vp: 0, told: false });
  });

  test('a corrected report begins the term anew', () => {
    const { state } = play(ready, { american });
    const again = play(state, { american: ['REPORT BATTLE 1 WINNER GERMAN VP 3'] });
    expect(again.state.phase.step).toBe('confirm');
    expect(again.state.table.battle.reports.american).toMatchObject({ winner: 'german', vp: 3 });
  });

  test('a battle nobody reports is asked for again; its time is the club’s', () => {
    expect(rules.pace(publicView(ready))).toEqual({ days: 14, silence: 'hold' });
    const { state, events } = play(ready, {});
    expect(first(events, 'battle-awaited').battle).toBe(1);
    expect(state.phase).toMatchObject({ step: 'battle', n: ready.phase.n + 1 });
    const short = playTo(newCampaign({ battleDays: 7, confirmDays: 3 }), 'battle');
    expect(rules.pace(publicView(short))?.days).toBe(7);
    expect(rules.pace(publicView(play(short, { american }).state))?.days).toBe(3);
  });
});

describe('different reports', () => {
  test('both are told and nothing moves; a report equal to the other one ends it', () => {
    const { state } = play(ready, { american });
    expect(complaints(state, 'german', ...german)).toEqual([
      'your opponent reports battle 1 differently: winner American VP 12; if both stay with it, another round follows',
    ]);
    const differ = play(state, { german });
    expect(first(differ.events, 'reports-differ')).toMatchObject({ round: 1 });
    expect(differ.state.phase.step).toBe('dispute');
    expect(differ.state.table.campaign).toEqual(state.table.campaign);
    const closed = play(differ.state, { american: ['CONFIRM BATTLE 1'], german });
    expect(first(closed.events, 'closed')).toMatchObject({ winner: 'german', how: 'confirmed' });
  });

  function disputed(): State {
    let state = play(ready, { american, german }).state;
    for (let round = 2; round <= 3; round++) state = play(state, { american, german }).state;
    return state;
  }

  test('after three rounds the game master decides', () => {
    const state = disputed();
    expect(state.phase.step).toBe('ruling');
    expect(state.table.battle).toMatchObject({ disputed: true, rounds: 3, ruling: null });
    expect(rules.asks(publicView(state)).every((ask) => !ask.must)).toBe(true);
    expect(rules.ready(publicView(state), [])).toBe(false);
    expect(play(state, {}).state.phase.step).toBe('ruling');
  });

  test('his ruling is an edit of the table that closes the battle when the step is run', () => {
    const edited = applyEdit(disputed() as GameState, 'table.battle.ruling', 'German');
    if ('fault' in edited) throw new Error(edited.fault);
    const state = edited.state as State;
    expect(rules.ready(publicView(state), [])).toBe(true);
    const closed = play(state, { american });
    expect(first(closed.events, 'closed')).toMatchObject({ how: 'ruling', winner: 'german' });
    const odd = disputed();
    odd.table.battle.ruling = 'nobody';
    expect(play(odd, {}).state.phase.step).toBe('ruling');
  });

  test('the sides can still agree while he thinks', () => {
    const closed = play(disputed(), { german: ['CONFIRM BATTLE 1'] });
    expect(first(closed.events, 'closed')).toMatchObject({ winner: 'american', how: 'confirmed' });
  });

  test('each confirming the other is no agreement', () => {
    const { state } = play(ready, { american, german });
    const crossed = play(state, { american: ['CONFIRM BATTLE 1'], german: ['CONFIRM BATTLE 1'] });
    expect(crossed.state.table.battle.reports).toMatchObject({
      american: { winner: 'german' },
      german: { winner: 'american' },
    });
    expect(first(crossed.events, 'reports-differ').round).toBe(2);
  });
});

describe('reopening', () => {
  const closed = fight(newCampaign(), 'american').state;

  test('both together take a closed battle up again, and all that followed is taken back', () => {
    const next = settle(closed, ['CHOOSE QUALITY OWN', 'CHOOSE REQUEST 1']).state;
    const one = play(next, { german: ['REOPEN BATTLE 1'], american: ['SECTIONS C'] });
    expect(first(one.events, 'reopen-asked')).toMatchObject({ side: 'german', battle: 1 });
    expect(one.state.table.reopen).toEqual(['german']);
    expect(one.state.table.battle.sealed).toEqual({ american: true, german: false });
    const both = play(one.state, { american: ['REOPEN BATTLE 1'] });
    expect(first(both.events, 'reopened').battle).toBe(1);
    expect(both.state.phase).toMatchObject({ step: 'battle', battle: 1, n: one.state.phase.n + 1 });
    expect(both.state.table.campaign).toMatchObject({ position: 'A1', battle: 1, fought: [] });
    expect(both.state.table.campaign.quality.american).toBe('Line');
    expect(both.state.hands.american).toEqual({ chit: ready.hands.american!.chit, sealed: null, chitBefore: null });
    const again = play(both.state, { american: ['REPORT BATTLE 1 WINNER GERMAN'], german });
    expect(first(again.events, 'closed')).toMatchObject({ winner: 'german' });
  });

  test('a battle closed by ruling waits for new reports when it is open again', () => {
    const ruled = structuredClone(ready);
    ruled.table.battle.ruling = 'german';
    const { state } = play(ruled, {});
    expect(state.table.campaign.fought).toMatchObject([{ winner: 'german', how: 'ruling' }]);
    const open = play(state, { american: ['REOPEN BATTLE 1'], german: ['REOPEN BATTLE 1'] }).state;
    expect(open.table.battle.ruling).toBeNull();
    expect(rules.ready(publicView(open), [])).toBe(false);
  });

  test('asking again and again holds nobody up: neither the choices after a battle nor the Sections', () => {
    const asked = play(closed, { american: ['REOPEN BATTLE 1'] }).state;
    const again = play(asked, { american: ['REOPEN BATTLE 1'] }).state;
    expect(again.phase).toMatchObject({ step: 'sections', battle: 2 });
    const held = play(again, { american: ['REOPEN BATTLE 1'], german: ['SECTIONS NONE'] }).state;
    expect(held.phase.step).toBe('sections');
    expect(play(held, { american: ['REOPEN BATTLE 1'] }).state.table.battle.bought).not.toBeNull();
  });

  test('one alone does not, and the winner who only asks still owes his choices', () => {
    const asked = play(closed, { american: ['REOPEN BATTLE 1'] });
    expect(asked.state.phase.step).toBe('after');
    const on = settle(asked.state);
    expect(on.state.phase).toMatchObject({ step: 'sections', battle: 2 });
    expect(codes(on.state, 'german', 'REOPEN BATTLE 1')).toEqual([]);
  });

  test('after the next reveal it is too late', () => {
    const next = settle(closed).state;
    const revealed = play(next, { american: ['SECTIONS NONE'], german: ['SECTIONS NONE'] }).state;
    expect(codes(revealed, 'german', 'REOPEN BATTLE 1')).toEqual(['TOO LATE TO REOPEN']);
    expect(codes(revealed, 'german', 'REOPEN BATTLE 2')).toEqual(['NOT YOUR BATTLE']);
    expect(revealed.table.before).toBeNull();
  });

  test('all of it is told', () => {
    const { events } = play(closed, { american: ['REOPEN BATTLE 1'], german: ['REOPEN BATTLE 1'] });
    expect(all(events, 'reopen-asked')).toHaveLength(2);
    expect(first(events, 'reopened').audience).toBe('all');
  });
});
