/** Rows whose first proof shares its test with many others: here each has an assertion of its own that fails without it. */

import { describe, expect, test } from 'vitest';
import { valuesOf } from '../../../src/kernel/questions.ts';
import { carryOut } from '../../../src/systems/normandie/actions/script.ts';
import type { NormandieOrder } from '../../../src/systems/normandie/language.ts';
import {
  assault,
  battle,
  face,
  HOUSE,
  lastShot,
  move,
  on,
  refused,
  shoot,
  WITH_HOUSE,
} from '../../helpers/normandie-battle.ts';

const supplied = (unit: string, to: string, line = 1): NormandieOrder => ({
  verb: 'SUPPLY',
  line,
  move: move(unit, to),
});

describe('markers and phases', () => {
  test('4.1-h: fired at an opportunity, it does not move in the Supply Phase; without the marker it does', () => {
    const moves = (activated: boolean) => {
      const b = battle({ units: { US1: { type: 'rifle', at: 'B2' }, GE1: { type: 'rifle', at: 'O15' } } });
      b.unit('US1').activated = activated;
      b.phase('supply', { us: [supplied('US1', 'B3')] });
      return b.unit('US1').at;
    };
    expect([moves(true), moves(false)]).toEqual(['B2', 'B3']);
  });

  test('1.1-b: the Defense Value of the side that is up, higher on the reduced side', () => {
    const need = (side: 'full' | 'reduced') => {
      const b = battle({ units: { US1: { type: 'rifle', at: 'B5' }, GE1: { type: 'rifle', at: 'D5', face: side } } });
      b.act(shoot('US1', 'GE1'), [1]);
      return lastShot(b).need;
    };
    expect([need('full'), need('reduced')]).toEqual([4, 5]);
  });

  test.each(['us', 'ge'] as const)(
    '8.3-j 3.3-f 8.1-e: with the Initiative of %s that side moves and rallies first, then the other',
    (first) => {
      const b = battle({
        units: { US1: { type: 'rifle', at: 'B2', suppressed: 1 }, GE1: { type: 'rifle', at: 'O15', suppressed: 1 } },
        initiative: first,
      });
      b.phase('supply', { us: [supplied('US1', 'B3')], ge: [supplied('GE1', 'O14')] });
      const order = b.events.flatMap((event) =>
        event.type === 'moved' || event.type === 'rallied' ? [`${event.unit} ${event.type}`] : [],
      );
      const [one, two] = first === 'us' ? ['US1', 'GE1'] : ['GE1', 'US1'];
      expect(order).toEqual([`${one} moved`, `${one} rallied`, `${two} moved`, `${two} rallied`]);
      expect(b.state.table.initiative).toBe(first === 'us' ? 'ge' : 'us');
    },
  );

  test('4.2-d: a card spent for its bonus does not do its Battle Event as well', () => {
    const total = (as: 'bonus' | 'event' | 'both') => {
      const b = battle({
        units: { US1: { type: 'rifle', at: 'B5' }, GE1: { type: 'team', at: 'D5' } },
        cards: { us: ['aim'] },
      });
      const uses = as === 'both' ? (['bonus', 'event'] as const) : ([as] as const);
      b.act(
        shoot('US1', 'GE1'),
        [1],
        undefined,
        uses.map((use) => ({ rider: 'card', card: 'aim', as: use })),
      );
      expect(b.told('card')).toHaveLength(1);
      expect(b.state.hands.us!.cards).toEqual([]);
      return lastShot(b).total;
    };
    expect(total('both')).toBe(total('bonus'));
  });
});

describe('templates and structures', () => {
  test('6.2-howitzer-c: no template where the Interspace is not seen; an obscured line is enough', () => {
    const units = { US1: { type: 'gun', at: 'B5' }, GE1: { type: 'rifle', at: 'H5' } };
    const fire = shoot('US1', '@H5', { weapon: 'HOWITZER' });
    const wall = on({ E4: 'h', E5: 'h', E6: 'h' });
    expect(refused(battle({ board: wall, units }), fire)).toBe('NO LINE OF SIGHT');
    expect(refused(battle({ board: on({ E4: 'w', E5: 'w', E6: 'w' }), units }), fire)).toBeUndefined();
  });

  test('6.2-howitzer-k 7.2-grenade-d: every unit under the template has its own die', () => {
    const b = battle({
      units: { US1: { type: 'rifle', at: 'E5' }, GE1: { type: 'team', at: 'F6' }, GE2: { type: 'team', at: 'G6' } },
      gear: [{ side: 'us', option: 'grenades', left: 3 }],
      change: (data) => {
        data.options.find((option) => option.id === 'grenades')!.cv = { inf: 3, light: 2, heavy: 0 };
      },
    });
    b.act(shoot('US1', '@F5', { weapon: 'grenades' }), [6, 1]);
    expect(b.told('shot').map((shot) => [shot.target, shot.sum.die])).toEqual([
      ['GE1', 6],
      ['GE2', 1],
    ]);
  });

  test('7.2-grenade-a: infantry throws, a vehicle does not', () => {
    const b = battle({
      units: { US1: { type: 'jeep', at: 'E5' }, US2: { type: 'rifle', at: 'E6' }, GE1: { type: 'team', at: 'G6' } },
      gear: [{ side: 'us', option: 'grenades', left: 3 }],
    });
    expect(refused(b, shoot('US1', '@F5', { weapon: 'grenades' }))).toBe('NOT ITS GEAR');
    expect(refused(b, shoot('US2', '@F5', { weapon: 'grenades' }))).toBeUndefined();
  });

  test('6.2-flame-d: a friend in the flame is attacked and suppressed as an enemy is', () => {
    const b = battle({
      units: { US1: { type: 'flame', at: 'C5' }, US2: { type: 'team', at: 'D5' }, GE1: { type: 'rifle', at: 'E5' } },
    });
    b.act({ do: 'fire', unit: 'US1', weapon: 'FLAME', direction: 2, targets: [] }, [1, 1]);
    expect(b.told('shot').map((shot) => shot.target)).toEqual(['GE1', 'US2']);
    expect([b.unit('US2').suppressed, b.unit('GE1').suppressed]).toEqual([1, 1]);
  });

  test('6.2-destruction-h: a vehicle on a destroyed structure is Destroyed, its wreck lies in the rubble', () => {
    const b = battle({
      board: WITH_HOUSE,
      buildings: [HOUSE],
      units: { US1: { type: 'baz', at: 'J8' }, GE1: { type: 'jeep', at: 'J10' } },
      change: (_data, state) => {
        state.table.destruction['1'] = 3;
      },
    });
    b.act(shoot('US1', '#1'), [4, 1]);
    expect(b.gone('GE1')).toBe(true);
    expect(b.state.table.wrecks.map((wreck) => wreck.squares)).toEqual([['J10']]);
  });
});

describe('vehicles', () => {
  test('3.2.1-push-h R7: infantry with nowhere to go, or that can not move, is Destroyed by the push', () => {
    const push = (changes: Record<string, string>, type: string) => {
      const b = battle({
        board: on(changes),
        counters: { fixed: { faces: { full: { ...face('4 4 1/X/X destroyed'), move: 0 } } } },
        units: { US1: { type: 'pz', at: 'E5', rear: 'E6', facing: 0 }, GE1: { type, at: 'E3' } },
        wrecks: [{ id: 'W1', kind: 'wreck-1', squares: ['E4'], facing: 2, points: 0 }],
      });
      b.act(move('US1', 'PUSH:E4'));
      return b.gone('GE1');
    };
    const around = Object.fromEntries(['D2', 'E2', 'F2', 'D3', 'F3', 'D4', 'F4'].map((square) => [square, 'X']));
    expect(push(around, 'team')).toBe(true);
    expect(push({}, 'fixed')).toBe(true);
    expect(push({}, 'team')).toBe(false);
  });

  test('6.6-transport-d: neither assaulted nor touched by a template', () => {
    const b = battle({
      units: {
        US1: { type: 'track', at: 'E5', rear: 'E6' },
        US2: { type: 'rifle', at: 'E5', aboard: 'US1' },
        GE1: { type: 'gun', at: 'L5' },
        GE2: { type: 'rifle', at: 'E4' },
      },
    });
    expect(refused(b, assault('GE2', 'US2'))).toBe('ABOARD');
    b.act(shoot('GE1', '@E5', { weapon: 'HOWITZER' }), [1]);
    expect(b.told('shot').map((shot) => shot.target)).toEqual(['US1']);
  });

  test('6.6-transport-f: seen from any square of the vehicle, the rear one too', () => {
    const board = on({ F5: 'h', G5: 'h', F6: 'h', G6: 'h' });
    const GE1 = { type: 'team', at: 'K7' };
    const US2 = { type: 'rifle', at: 'E5', aboard: 'US1' };
    const long = battle({ board, units: { US1: { type: 'track', at: 'E5', rear: 'E6', facing: 0 }, US2, GE1 } });
    expect(refused(long, shoot('US2', 'GE1'))).toBe('NO LINE OF SIGHT');
    const rear = battle({ board, units: { US1: { type: 'track', at: 'E6', rear: 'E7', facing: 0 }, US2, GE1 } });
    expect(refused(rear, shoot('US2', 'GE1'))).toBeUndefined();
  });

  test('6.6-transport-g: infantry in the line hides the target from infantry on foot, not from infantry aboard', () => {
    const between = { US4: { type: 'rifle', at: 'G5' }, GE1: { type: 'team', at: 'J5' } };
    const afoot = battle({ units: { US2: { type: 'rifle', at: 'E5' }, ...between } });
    expect(refused(afoot, shoot('US2', 'GE1'))).toBe('NO LINE OF SIGHT');
    const riding = battle({
      units: { US1: { type: 'jeep', at: 'E5' }, US2: { type: 'rifle', at: 'E5', aboard: 'US1' }, ...between },
    });
    expect(refused(riding, shoot('US2', 'GE1'))).toBeUndefined();
  });
});

describe('fire and concealment', () => {
  test('6.2-suppressive-d: five markers at one blow, and more on top of them', () => {
    const b = battle({
      counters: { storm: { faces: { full: face('4 4 7/X/X flip suppressive-fire') } } },
      units: { US1: { type: 'storm', at: 'B5' }, GE1: { type: 'rifle', at: 'D5', suppressed: 3 } },
    });
    b.act(shoot('US1', 'GE1', { suppress: true }), [6]);
    expect(lastShot(b)).toEqual({ total: 20, need: 4, result: 'suppressed' });
    expect(b.unit('GE1').suppressed).toBe(8);
  });

  test('3.2.3-weap-b: both weapons at one target', () => {
    const b = battle({
      units: { US1: { type: 'pz', at: 'B5', rear: 'B6' }, GE1: { type: 'blean', at: 'E5' } },
    });
    const part = (weapon: string) => ({ action: shoot('US1', 'GE1', { weapon }), riders: [] });
    b.run((play) => carryOut(play, b.unit('US1'), [part('PRIMARY'), part('SECONDARY')]), [1, 1]);
    expect(b.told('shot').map((shot) => [shot.target, shot.weapon])).toEqual([
      ['GE1', 'primary'],
      ['GE1', 'secondary'],
    ]);
  });

  test('6.1-ambush-n: a concealed unit spots a concealed enemy that walks into its sight', () => {
    const b = battle({
      units: {
        'US?M': { type: 'amb', at: 'E9', conceals: 'US1' },
        'GE?M': { type: 'amb', at: 'E4', conceals: 'GE1' },
      },
    });
    b.act(move('GE?M', 'E5'));
    expect(b.told('revealed-unit').map((event) => [event.was, event.why])).toEqual([
      ['GE?M', 'spotted'],
      ['US?M', 'spotted'],
    ]);
  });

  test('4.2-fallback-b: difficult ground ends it, markers do not shorten it', () => {
    const reach = (changes: Record<string, string>) => {
      const b = battle({
        board: on(changes),
        units: { US1: { type: 'rifle', at: 'E3' }, GE1: { type: 'team', at: 'E7', suppressed: 3 } },
        cards: { ge: ['fallback'] },
      });
      b.act(shoot('US1', 'GE1'), [1]);
      return valuesOf(b.asked.find((request) => valuesOf(request).some((option) => option.startsWith('fallback')))!);
    };
    expect(reach({})).toContain('fallback E10');
    const marsh = Object.fromEntries([...'ABCDEFGHIJKLMNOP'].map((column) => [`${column}8`, 'b']));
    expect(reach(marsh)).toContain('fallback E8');
    expect(reach(marsh)).not.toContain('fallback E10');
  });
});
