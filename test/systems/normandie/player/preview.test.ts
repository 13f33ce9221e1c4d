/** The forecast in a receipt: every script in words, with what the board says of it now. */
import { expect, test } from 'vitest';
import { viewFor } from '../../../../src/kernel/view.ts';
import { openWording } from '../../../../src/render/words.ts';
import type { NormandieOrder } from '../../../../src/systems/normandie/language.ts';
import { planned } from '../../../../src/systems/normandie/player/preview.ts';
import { report } from '../../../../src/systems/normandie/telling/report.ts';
import { battle, move, shoot } from '../../../helpers/normandie-battle.ts';

const wording = openWording('en');

const field = () =>
  battle({
    units: {
      US1: { type: 'rifle', at: 'B5' },
      US2: { type: 'pz', at: 'E9', rear: 'E10', facing: 0 },
      US3: { type: 'team', at: 'B12' },
      US4: { type: 'team', at: 'D12' },
      GE1: { type: 'rifle', at: 'F5' },
      'GE?M': { type: 'amb', at: 'M12', conceals: 'GE2' },
    },
  });

const ORDERS: NormandieOrder[] = [
  { verb: 'TOKEN', line: 1, token: 1, unit: 'US1' },
  { verb: 'TOKEN', line: 2, token: 2, unit: 'US2' },
  { verb: 'TOKEN', line: 3, token: 3, unit: 'US3' },
  { verb: 'TOKEN', line: 4, token: 'bluff', unit: 'US4' },
  {
    verb: 'ON',
    line: 5,
    on: { n: 1 },
    clauses: [
      { when: { is: 'lost', unit: 'GE1' }, parts: [{ action: move('US1', 'C5'), riders: [] }] },
      { parts: [{ action: shoot('US1', 'GE1'), riders: [] }] },
    ],
  },
  {
    verb: 'ON',
    line: 6,
    on: { n: 2 },
    clauses: [
      {
        parts: [
          { action: shoot('US2', 'GE1', { weapon: 'PRIMARY' }), riders: [] },
          { action: shoot('US2', 'GE?M', { weapon: 'SECONDARY' }), riders: [] },
        ],
      },
    ],
  },
];

test('each clause as if, else and and, with its chance or what stands against it', () => {
  const b = field();
  const view = viewFor(b.state, 'us');
  const events = planned(b.book, view, ORDERS);
  const said = report(b.book, view, events, { orders: ORDERS, standing: [] }).sections.flatMap((section) =>
    section.lines.map((line) => wording.say(line).trim()),
  );
  expect(said).toEqual([
    'token 1, US1: if LOST GE1 then MOVE US1 -> C5; not now',
    'token 1, US1: else FIRE US1 AT GE1 (83 per cent)',
    'token 2, US2: else FIRE US2 WITH PRIMARY AT GE1 (100 per cent)',
    'and FIRE US2 WITH SECONDARY AT GE?M; not now: a concealed unit is no target and takes no second marker',
    'token 3, US3: the standard default',
    'token BLUFF, US4: a bluff',
  ]);
  expect(events.every((event) => event.audience !== 'all' && event.audience.join() === 'us')).toBe(true);
});

test('planned paths are arrows on the own map, as far as they are legal', () => {
  const b = field();
  const orders: NormandieOrder[] = [
    ORDERS[1]!,
    {
      verb: 'ON',
      line: 9,
      on: { n: 2 },
      clauses: [{ parts: [{ action: move('US2', 'FWD FWD FWD FWD FWD FWD'), riders: [] }] }],
    },
  ];
  const moved = planned(b.book, viewFor(b.state, 'us'), orders).filter((event) => event.type === 'moved');
  expect(moved.map((event) => event.to)).toEqual(['E8', 'E7', 'E6', 'E5']);
  expect(planned(b.book, viewFor(b.state, 'public'), orders)).toEqual([]);
});
