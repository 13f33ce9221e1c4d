/** One whole campaign between two sensible players, driven by the judge; what is shown of it; nothing shown is secret. */

import { beforeAll, describe, expect, test } from 'vitest';
import { publicView, viewFor } from '../../../../src/kernel/view.ts';
import { saidScene, shown } from '../../../../src/render/words.ts';
import { normandy, position, read, reportLines, wording } from '../../../helpers/overlord.ts';
import { type GameRecord, playGame, replayFaults } from '../../../helpers/overlord-games.ts';
import { sensibleOrders } from '../../../helpers/overlord-players.ts';
import { formOf } from '../../../helpers/play.ts';

const { rules, campaign } = normandy;
let record: GameRecord;

beforeAll(() => {
  const start = rules.setup({}, { roll: () => [], shuffle: (_, items) => [...items], draw: () => {} });
  const player = (view: Parameters<typeof sensibleOrders>[1]) => sensibleOrders(campaign, view);
  record = playGame(normandy, start, { german: player, allied: player }, 'bench d');
});

describe('a campaign of 28 turns', () => {
  test('runs to its end in 57 phases and replays to the same hashes', () => {
    expect(record.phases).toHaveLength(57);
    expect(record.state.phase).toMatchObject({ turn: 28, step: 'over' });
    expect(rules.outcome(record.state)?.reason).toBe('time');
    expect(replayFaults(normandy, record)).toEqual([]);
  });

  test('two order mails a game turn are enough: one phase each, none asks anything', () => {
    const steps = record.phases.slice(1).map(({ input }) => `${input.state.phase.turn}.${input.state.phase.step}`);
    expect(new Set(steps).size).toBe(56);
  });

  test('both sides fight, land, enter, retreat, exchange and leave: the game was a game', () => {
    const types = new Set(record.phases.flatMap(({ events }) => events.map((event) => event.type)));
    for (const type of [
      'battle',
      'landed',
      'entered',
      'retreated',
      'lost',
      'advanced',
      'exited',
      'withdrawal',
      'interdicted',
      'arrived',
    ])
      expect(types, type).toContain(type);
  });

  test('dice contexts name hexes and formations and are unique in their phase', () => {
    for (const { input, events } of record.phases.slice(0, 20)) {
      const battles = events.filter((event) => event.type === 'battle');
      const targets = battles.map((event) => (event.type === 'battle' ? event.odds.hex : ''));
      expect(new Set(targets).size, `phase ${input.state.phase.n}`).toBe(targets.length);
    }
  });
});

describe('what is shown', () => {
  const middle = () => record.phases[20]!;
  const later = () => record.phases[21]!.input.state;

  test('every report says what happened, what comes next and ends with a form that reads back', () => {
    for (const side of ['german', 'allied'] as const) {
      const report = rules.report(viewFor(later(), side), middle().events, { orders: [], standing: [] });
      const titles = report.sections.map((section) => wording.say(section.title));
      expect(titles[0]).toBe('What happened to you');
      expect(titles.at(-1)).toBe('What comes next');
      const found = read(normandy, later(), side, formOf(report));
      expect(found.diagnostics.filter((one) => one.severity === 'error')).toEqual([]);
    }
  });

  test('the form names every unit on the map at its present hex', () => {
    const { side } = rules.asks(publicView(later())).find((ask) => ask.must)!;
    const form = formOf(rules.report(viewFor(later(), side), [], { orders: [], standing: [] })).join('\n');
    const held = read(normandy, later(), side as 'german', form.split('\n')).orders.flatMap((order) =>
      order.verb === 'HOLD' ? order.subject.flatMap((name) => campaign.formations.get(name)?.units ?? [name]) : [],
    );
    const onMap = campaign.units.filter((unit) => unit.side === side && /^\d{4}$/.test(later().table.units[unit.id]!));
    expect(held.sort((a, b) => (a < b ? -1 : 1))).toEqual(
      onMap.map((unit) => unit.id).sort((a, b) => (a < b ? -1 : 1)),
    );
  });

  test('the map shows every counter once, arrows for moves and attacks, plates with odds, house marks and credits', () => {
    const scene = saidScene(rules.scenes(viewFor(later(), 'public'), middle().events)[0]!, wording);
    const of = (kind: string) => scene.items.filter((item) => item.kind === kind);
    expect(of('cell')).toHaveLength(42 * 28);
    const ids = of('counter').flatMap((item) =>
      item.kind === 'counter' && !item.counter.ghost ? [item.counter.id] : [],
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(Object.values(later().table.units).filter((where) => /^\d{4}$/.test(where)).length);
    expect(of('arrow').length).toBeGreaterThan(0);
    expect(scene.house).toContain('house map');
    expect(scene.credits?.[0]).toContain('Licence Ouverte');
    expect(scene.cellMetres).toBe(5000);
  });

  test('the report of a preview holds moves and odds alone', () => {
    const { input } = middle();
    const side = rules.asks(publicView(input.state)).find((ask) => ask.must)!.side;
    const view = viewFor(input.state, side);
    const { events } = rules.preview(view, input.filed[side]!.orders, input.filed[side]!.standing);
    const report = rules.report(view, events, { orders: [], standing: [] });
    expect(report.orderForm).toEqual([]);
    for (const section of report.sections)
      expect(['Your movement', 'Battles', 'Beaches, ports, roads, withdrawals']).toContain(wording.say(section.title));
  });

  test('house data is named in every game, each module only where it is on', () => {
    const state = position(normandy, {});
    const told = (at: typeof state): string[] => rules.house(viewFor(at, 'public')).map((text) => shown(text, wording));
    const lines = told(state);
    expect(lines.some((line) => line.startsWith('house map'))).toBe(true);
    expect(lines.some((line) => line.includes('16 TAC factors'))).toBe(true);
    expect(lines.some((line) => line.includes('naval'))).toBe(false);
    const naval = position(normandy, { options: { naval: true, tac: false } });
    const other = told(naval).join('\n');
    expect(other).toContain('naval');
    expect(other).not.toContain('TAC');
  });

  test('orders not carried out are told to their side only', () => {
    const state = position(normandy, { step: 'german', units: { 'DE243/1': '0707', US4: '1307' } });
    const event = {
      type: 'order-dropped',
      audience: ['german'],
      line: 3,
      code: 'DEAD',
      params: { unit: 'DE91/1' },
      rule: 'OVL-CRE-12',
    } as const;
    const german = reportLines(normandy, state, 'german', [{ ...event, audience: ['german'] }]);
    expect(german).toContain('Your line 3 was not carried out: DEAD (OVL-CRE-12)');
    expect(reportLines(normandy, state, 'allied', [{ ...event, audience: ['german'] }]).join()).not.toContain('DEAD');
  });
});
