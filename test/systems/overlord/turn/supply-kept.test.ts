import { expect, test } from 'vitest';
import { openScenarios, SCENARIOS } from '../../../../src/scenarios.ts';
import { openField, place, suppliedCells } from '../../../../src/systems/overlord/field/field.ts';
import { normandy } from '../../../helpers/overlord.ts';

test('OVL-SUP-05: supply kept over a move is what a fresh look gives, whoever moves wherever', () => {
  const { campaign, rules } = normandy;
  const { options } = openScenarios([SCENARIOS]).open('overlord/campaign').scenario;
  const chosen = Object.fromEntries(options.map((option) => [option.name, option.fallback]));
  const start = rules.setup(chosen, {
    roll: (_context, n) => Array<number>(n).fill(3),
    shuffle: (_context, items) => [...items],
    draw: () => {},
  });
  const table = structuredClone(start.table);
  const field = openField(campaign, table, 1);
  let state = 6;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
  const { grid, sea } = campaign.board;
  let kept = 0;
  for (let i = 0; i < 800; i++) {
    const unit = draw(campaign.units.length);
    const { side } = campaign.units[unit]!;
    const cell = draw(grid.size);
    const other = side === 'german' ? 2 : 1;
    if (sea[cell] === 1 || field.owner[cell] === other) continue;
    for (const each of ['german', 'allied'] as const) suppliedCells(field, each);
    const before = field.supplied[side];
    place(field, unit, draw(12) === 0 ? 'lost' : cell);
    if (field.supplied[side] === before) kept++;
    const fresh = openField(campaign, field.table, 1);
    for (const each of ['german', 'allied'] as const)
      expect(Buffer.from(suppliedCells(field, each)).equals(suppliedCells(fresh, each)), `move ${i}`).toBe(true);
  }
  expect(kept).toBeGreaterThan(50);
});
