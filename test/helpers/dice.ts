import type { LoggedDice } from '../../src/kernel/dice.ts';
import type { DieRoll } from '../../src/kernel/types.ts';

export interface ScriptedRoll {
  /** Must occur in the purpose of the roll. */
  purpose: string;
  rolls: number[];
}

/** Dice that follow a script: a wrong purpose, a wrong count or a roll left over (see `done`) fails the test. */
export function scriptedDice(script: readonly ScriptedRoll[]): LoggedDice & { done(): void } {
  const left = [...script];
  const log: DieRoll[] = [];
  return {
    log,
    roll(purpose, count, sides) {
      const next = left.shift();
      if (!next) throw new Error(`no roll scripted for "${purpose}" (${count}d${sides})`);
      if (!purpose.includes(next.purpose)) throw new Error(`expected a roll for "${next.purpose}", got "${purpose}"`);
      if (next.rolls.length !== count)
        throw new Error(`"${purpose}" rolls ${count} dice, the script gives ${next.rolls.length}`);
      log.push({ context: purpose, sides, rolls: next.rolls });
      return [...next.rolls];
    },
    shuffle(purpose, items) {
      log.push({ context: purpose, sides: items.length, rolls: items.map((_, i) => i), secret: true });
      return [...items];
    },
    draw(purpose, drawn) {
      log.push({ context: purpose, sides: 0, rolls: [], drawn });
    },
    done() {
      if (left.length > 0) throw new Error(`rolls never asked for: ${left.map((roll) => roll.purpose).join(', ')}`);
    },
  };
}
