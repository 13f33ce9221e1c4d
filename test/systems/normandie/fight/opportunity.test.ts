/** Opportunity Fire by every way of firing: templates, flames, charges (3.2.3-alt-c, HON-F06). */

import { describe, expect, test } from 'vitest';
import { valuesOf } from '../../../../src/kernel/questions.ts';
import type { DecisionRequest } from '../../../../src/kernel/types.ts';
import { fireRefusal } from '../../../../src/systems/normandie/actions/legality.ts';
import { PLAIN_SHOT } from '../../../../src/systems/normandie/fight/attack.ts';
import { offersAt } from '../../../../src/systems/normandie/fight/opportunity.ts';
import { type Battle, battle, face, move, on } from '../../../helpers/normandie-battle.ts';

const no = (request: DecisionRequest): string | undefined => (request.kind === 'opfire' ? 'NO' : undefined);

const table = (type: string, steps: { from: string }, gear: string[] = []): Battle =>
  battle({
    board: on({ E5: 's' }),
    counters: { how: { faces: { full: face('3 4 3/2/1 flip howitzer indirect-fire:2', '4/3/1') } } },
    units: { US1: { type: 'rifle', at: steps.from }, GE1: { type, at: 'E5' } },
    gear: gear.map((option) => ({ side: 'ge' as const, option, left: 3 })),
  });

describe('HON-F06 templates at an opportunity', () => {
  test('a flamethrower with grenades in sandbags: main, flame, and grenades on each interspace in reach that touches the mover', () => {
    const b = table('flame', { from: 'H5' }, ['grenades']);
    b.act(move('US1', 'G5'), [], no);
    const [asked] = b.asked.filter((each) => each.kind === 'opfire');
    expect(valuesOf(asked!).filter((value) => value !== 'NO')).toEqual([
      'FIRE GE1 AT US1',
      'FIRE GE1 WITH FLAME E',
      'FIRE GE1 WITH grenades AT @F4',
      'FIRE GE1 WITH grenades AT @F5',
    ]);
    expect(asked!.fallback[0]).not.toMatch(/WITH/);
  });

  test('the template chosen is resolved, and its unit has acted', () => {
    const b = table('flame', { from: 'H5' }, ['grenades']);
    b.act(move('US1', 'G5'), [6], (request) => valuesOf(request).find((value) => value.includes('grenades AT @F5')));
    expect(b.told('fired')).toMatchObject([{ unit: 'GE1', weapon: 'grenades', opportunity: true, at: '@F5' }]);
    expect(b.told('shot').map((each) => each.target)).toEqual(['US1']);
    expect(b.unit('GE1').activated).toBe(true);
    expect(b.state.table.gear[0]!.left).toBe(2);
  });

  test('a howitzer is offered every interspace of the square, a charge only beside it', () => {
    const far = table('how', { from: 'H5' });
    far.act(move('US1', 'H6'), [], no);
    expect(
      valuesOf(far.asked.find((each) => each.kind === 'opfire')!).filter((value) => value.includes('HOWITZER')),
    ).toHaveLength(4);
    for (const [to, offered] of [
      ['F5', 1],
      ['G5', 0],
    ] as const) {
      const b = table('rifle', { from: to === 'F5' ? 'G5' : 'H5' }, ['sticky-bomb']);
      b.state.table.units.find((unit) => unit.code === 'US1')!.type = 'us-jeep';
      b.book.options.get('sticky-bomb')!.sides.push('ge');
      b.act(move('US1', to), [], no);
      const values = b.asked.filter((each) => each.kind === 'opfire').flatMap(valuesOf);
      expect(values.filter((value) => value.includes('sticky-bomb'))).toHaveLength(offered);
    }
  });

  test('every offer is one that an order could be, from every square around', () => {
    let areas = 0;
    for (const column of 'BCDEFGH')
      for (let row = 2; row <= 8; row++) {
        const at = `${column}${row}`;
        if (at === 'E5') continue;
        const b = table('flame', { from: at }, ['grenades', 'rifle-grenade', 'panzerfaust']);
        for (const { action } of offersAt(b.book, b.known, b.unit('GE1'), b.unit('US1'))) {
          expect([at, action, fireRefusal(b.book, b.known, b.unit('GE1'), action, PLAIN_SHOT)]).toEqual([
            at,
            action,
            undefined,
          ]);
          if (action.targets[0]?.target !== 'unit') areas++;
        }
      }
    expect(areas).toBeGreaterThan(50);
  });
});
