import { describe, expect, test } from 'vitest';
import { hashOf } from '../../../src/kernel/hash.ts';
import type { DieRoll } from '../../../src/kernel/types.ts';
import type { RulingEdit } from '../../../src/store/club-schema.ts';
import { type RecordedGame, type RecordedPhase, verifyGame } from '../../../src/turn/phase/replay.ts';
import { race, recordedRace, secretKeyOf } from '../../helpers/recorded.ts';
import type { Tiny } from '../../helpers/tiny.ts';

/** The faults of a record after something in it was changed. */
function faultsAfter(change: (game: RecordedGame) => void, over = true): string[] {
  const game = recordedRace(over);
  change(game);
  return verifyGame(game, race).faults.map(({ n, what }) => `${n ?? 'game'}: ${what}`);
}

const phaseWith = (game: RecordedGame, holds: (phase: RecordedPhase) => boolean): RecordedPhase => {
  const phase = game.phases.find(holds);
  if (!phase) throw new Error('the race has no such phase');
  return phase;
};
const openRoll = (phase: RecordedPhase): DieRoll | undefined => phase.dice?.find((roll) => !roll.secret);

describe('verifyGame', () => {
  test('a finished game replays to the same hashes, with every key and die checked', () => {
    const game = recordedRace(true);
    const seen: string[] = [];
    const result = verifyGame(game, race, (done, of) => seen.push(`${done}/${of}`));
    expect(result).toMatchObject({ ref: 'TNY-0001', faults: [], notes: [], phases: 5, keys: 5, shuffles: 1 });
    expect(result.dice).toBeGreaterThan(0);
    expect(seen.at(-1)).toBe('6/6');
    expect(game.phases.some((phase) => Object.keys(phase.answers).length > 0)).toBe(true);
    expect(game.phases.some((phase) => phase.inputs && phase.inputs.nmr.length > 0)).toBe(true);
  });

  test('a running game is checked as far as its keys are shown, and says what is not', () => {
    const result = verifyGame(recordedRace(false), race);
    expect(result).toMatchObject({ faults: [], phases: 5, keys: 5, shuffles: 0 });
    expect(result.notes).toEqual([
      'the club’s secret of the dice is shown when the game is over',
      'shuffles are taken as recorded: their keys are shown when the game is over',
    ]);
    const older = recordedRace(false);
    older.setupDice = null;
    expect(verifyGame(older, race).notes).toContain('the set-up is taken as recorded: it draws on keys not yet shown');
  });

  test('a key of shuffles that was shown early proves every shuffle up to it, and nothing later', () => {
    const last = (game: RecordedGame): RecordedPhase => game.phases.findLast((phase) => phase.dice !== null)!;
    const shown = recordedRace(false);
    last(shown).secretKey = secretKeyOf(last(shown).snapshot.phase.n);
    expect(verifyGame(shown, race)).toMatchObject({ faults: [], phases: 5, keys: 6, shuffles: 1 });
    const forged = recordedRace(false);
    last(forged).secretKey = secretKeyOf(last(forged).snapshot.phase.n - 1);
    expect(verifyGame(forged, race).faults.map(({ what }) => what)).toContain(
      'its key of shuffles does not lead back to the head that was mailed',
    );
  });

  test('a card that was turned is checked by the replay, not as a roll', () => {
    const faults = faultsAfter((game) => {
      const phase = phaseWith(game, ({ dice }) => (dice?.length ?? 0) > 0);
      const context = `${openRoll(phase)!.context}, card`;
      phase.dice!.push({
        context,
        sides: 0,
        rolls: [],
        drawn: { from: 'red', card: '1', shuffle: 'weather deck', place: 1 },
      });
    });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/other dice than on record/);
  });

  test('after a restore from a backup the set-up keeps its chain and play has new ones', () => {
    for (const over of [true, false]) {
      const game = recordedRace(over, undefined, true);
      expect(game.chains).toHaveLength(4);
      expect(verifyGame(game, race)).toMatchObject({ faults: [], phases: 5, keys: 5, shuffles: over ? 1 : 0 });
    }
  });

  test('a state changed by hand', () => {
    expect(
      faultsAfter((game) => Object.assign(game.phases[2]!.snapshot.table as object, { weather: 'snow' })),
    ).toContain('3: the state on record does not have its hash');
  });

  test('a state changed together with its hash', () => {
    const faults = faultsAfter((game) => {
      game.phases[2]!.hash = 'f'.repeat(64);
    });
    expect(faults).toContain('3: the replay of phase 2 leads to another state');
    expect(faults).toContain('4: it names another state before it than the one it came from');
  });

  test('a set-up that the options do not give', () => {
    expect(faultsAfter((game) => Object.assign(game.options, { squares: 1000 }))).toContain(
      '1: the set-up gives another state',
    );
  });

  test('a die changed on record', () => {
    const change = (game: RecordedGame): void => {
      const roll = openRoll(phaseWith(game, (phase) => openRoll(phase) !== undefined))!;
      roll.rolls[0] = (roll.rolls[0]! % 6) + 1;
    };
    for (const over of [true, false]) {
      const faults = faultsAfter(change, over);
      expect(faults.some((fault) => fault.includes('other dice than the key gives: TNY-0001/'))).toBe(true);
    }
    expect(faultsAfter(change).some((fault) => fault.includes('other dice than on record (from number 1 on)'))).toBe(
      true,
    );
  });

  test('a shuffle changed on record, once its key is known', () => {
    const faults = faultsAfter((game) => game.setupDice![0]!.rolls.reverse());
    expect(faults).toEqual(['1: another shuffle than the key gives: TNY-0001/0.setup/weather deck']);
  });

  test('a die of another game or phase, and one used twice', () => {
    const faults = faultsAfter((game) => {
      const phase = phaseWith(game, (candidate) => openRoll(candidate) !== undefined);
      const roll = openRoll(phase)!;
      phase.dice!.push({ ...roll }, { ...roll, context: `X${roll.context}` });
    });
    expect(faults.some((fault) => fault.includes('the same dice used twice: TNY-0001/'))).toBe(true);
    expect(faults.some((fault) => fault.includes('a roll of another phase: XTNY-0001/'))).toBe(true);
  });

  test('a key that does not lead to the head', () => {
    const faults = faultsAfter((game) => {
      game.phases[1]!.openKey = game.phases[0]!.openKey;
    });
    expect(faults).toContain('2: its key does not lead back to the head that was mailed');
  });

  test('a chain whose root does not lead to its head', () => {
    const faults = faultsAfter((game) => {
      game.chains[1]!.head = '0'.repeat(64);
    });
    expect(faults).toEqual([
      'game: the secret chain from phase 1 does not lead to its head',
      'game: the secret chain is not made of the club’s secret and the players’ words',
    ]);
  });

  test('events, decisions and orders changed on record', () => {
    expect(faultsAfter((game) => game.phases[0]!.events!.pop())).toContain(
      '1: other events than on record (from number 2 on)',
    );
    const asked = (game: RecordedGame): RecordedPhase =>
      phaseWith(game, (phase) => Object.keys(phase.answers).length > 0);
    expect(
      faultsAfter((game) => {
        asked(game).decisions = [];
      }).some((fault) => fault.includes('other decisions than on record (from number 1 on)')),
    ).toBe(true);
    expect(
      faultsAfter((game) => {
        asked(game).answers = {};
      }).some((fault) => fault.includes('the replay asks what was not asked: capture at')),
    ).toBe(true);
    expect(
      faultsAfter((game) => {
        game.phases[1]!.inputs!.filed = {};
      }).some((fault) => fault.includes('leads to another state')),
    ).toBe(true);
  });

  test('a phase that came from nowhere', () => {
    const faults = faultsAfter((game) => {
      game.phases[3]!.from = 99;
    });
    expect(faults).toEqual(['4: it is not on record which phase it came from']);
  });

  test('other content than the game began with', () => {
    const faults = faultsAfter((game) => {
      game.scenarioHash = '0'.repeat(64);
    });
    expect(faults).toEqual(['game: the scenario differs from the one the game began with']);
  });

  test('a rewind and other rules are noted; a rewind to a state that never was is a fault', () => {
    const game = recordedRace(true);
    const back = { ...structuredClone(game.phases[1]!), id: 99, line: 2, openedBy: 'rewind', status: 'open' as const };
    back.snapshot.phase.n = 7;
    Object.assign(back, { hash: hashOf(back.snapshot), openKey: null, dice: null });
    game.phases.push(back);
    game.phases[0]!.rulesVersion = '0';
    expect(verifyGame(game, race)).toMatchObject({
      faults: [],
      notes: ['phase 1 was run under rules 0', 'line 2 goes back: its phase 7 begins from an earlier state'],
    });
    (back.snapshot.table as Tiny['table']).weather = 'snow';
    back.hash = hashOf(back.snapshot);
    expect(verifyGame(game, race).faults).toEqual([{ n: 7, line: 2, what: 'it goes back to a state that never was' }]);
  });

  describe('a ruling that changed a state', () => {
    /** The record with square 5 for red put into the last phase by hand. */
    const ruled = (edits: RulingEdit[]): RecordedGame => {
      const game = recordedRace(true);
      const last = game.phases.at(-1)!;
      const { places } = last.snapshot.table as Tiny['table'];
      game.rulings = [{ phase: last.id, edits: edits.map((edit) => ({ ...edit, before: edit.before ?? places.red })) }];
      places.red = 5;
      Object.assign(last, { hash: hashOf(last.snapshot), openedBy: 'ruling' });
      return game;
    };
    const edit = { path: 'table.places.red', before: null, after: 5 };

    test('is noted, and its edits explain the whole difference', () => {
      expect(verifyGame(ruled([edit]), race)).toMatchObject({
        faults: [],
        notes: ['phase 6 begins by ruling, with 1 edits'],
      });
    });

    test('is a fault where the edits on record do not explain the state', () => {
      const faults = (game: RecordedGame) => verifyGame(game, race).faults.map(({ what }) => what);
      expect(faults(ruled([]))).toEqual(['its state does not follow from play and the edits on record']);
      expect(faults(ruled([{ ...edit, before: 11 }]))).toEqual([
        'its state does not follow from play and the edits on record',
      ]);
      expect(faults(ruled([{ ...edit, after: 4 }]))).toEqual(['its state is not what the edits on record put there']);
    });
  });
});
