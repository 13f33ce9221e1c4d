/** Dice that may be rolled again: window W3 (7.3-veteran, 4.2-second). The initiative player is asked first, until both pass. */
import { gearFor, spend } from '../counters/gear.ts';
import { holdsCard, playCard } from '../counters/hands.ts';
import { type Asking, ask, type Play, wantsAsking } from '../counters/play.ts';
import { bothSides, findUnit } from '../counters/units.ts';
import type { NormandieSide, RollPurpose } from '../data.ts';
import type { Term } from '../events.ts';
import type { Moment, RollResult } from '../types.ts';
import { rollBonus } from './bonus.ts';

export interface RollSpec {
  /** Who rolls, for which unit, against which. */
  side: NormandieSide;
  unit: string;
  target: string | null;
  purpose: RollPurpose;
  /** In a player's words: `GE7 fires main at US3`. */
  context: string;
  count: number;
  /** What dice would do. */
  judge(dice: readonly number[], more: readonly Term[]): { total: number; need: number; result: RollResult };
  /** Per cent that a new roll does something. */
  chance: number;
  /** Its bonuses were declared with the action: none is offered before the first roll (4.2-k). */
  declared?: true;
}

/** The dice that stand, and what cards for any one die roll add to them (4.2-o): to each die of the roll. */
export interface Rolled {
  dice: number[];
  more: Term[];
}

/** What the cards played on a roll add to a die. */
export function plusOf(more: readonly Term[]): number {
  return more.reduce((sum, term) => sum + term.n, 0);
}

/** Rolls, shows the dice, and lets both sides use re-rolls until both pass. Before each roll its owner may play a card on it. */
export function* rollDice(play: Play, spec: RollSpec): Asking<Rolled> {
  const more = spec.declared ? [] : yield* rollBonus(play, spec, spec.context);
  let dice = play.roll(spec.context, spec.count);
  let times = 1;
  for (let passes = 0; passes < 2; ) {
    passes = 0;
    for (const side of bothSides(play.table.initiative)) {
      const source = yield* rerollWanted(play, spec, side, dice, more);
      if (source === undefined) {
        passes++;
        continue;
      }
      const was = dice;
      times++;
      more.push(...(yield* rollBonus(play, spec, `${spec.context}, roll ${times}`)));
      dice = play.roll(`${spec.context}, roll ${times}`, spec.count);
      play.emit({
        type: 'rerolled',
        audience: 'all',
        side,
        source,
        purpose: spec.purpose,
        was,
        dice,
        rule: source === 'veteran' ? '7.3-veteran-a' : '4.2-second',
      });
      break;
    }
    if (passes === 0) continue;
  }
  return { dice, more };
}

function* rerollWanted(
  play: Play,
  spec: RollSpec,
  side: NormandieSide,
  dice: readonly number[],
  more: readonly Term[],
): Asking<'veteran' | 'second' | undefined> {
  const own = side === spec.side;
  const code = own ? spec.unit : spec.target;
  const unit = code === null ? undefined : findUnit(play.table, code);
  const marker = unit && unit.side === side ? gearFor(play.book, play.known, unit, 'veteran') : undefined;
  const second = own && holdsCard(play, side, 'second');
  const always = wantsAsking(play, side, 'REROLL') && own && play.table.cards[side].hand > 0;
  if (!marker && !second && !always) return undefined;
  const { total, need, result } = spec.judge(dice, more);
  const before: Moment | null = play.table.moment;
  play.table.moment = {
    at: 'roll',
    side: spec.side,
    unit: spec.unit,
    target: spec.target,
    purpose: spec.purpose,
    dice: [...dice],
    total,
    need,
    chance: spec.chance,
    result,
  };
  const options = ['PASS', ...(marker ? ['VETERAN'] : []), ...(second ? ['SECOND'] : [])];
  const chosen = yield* ask(play, {
    id: `reroll ${spec.context}`,
    to: side,
    kind: 'reroll',
    options,
    fallback: 'PASS',
    params: { unit: spec.unit, target: spec.target ?? '', dice: dice.join(' ') },
    rule: '7.3-veteran-a',
    always,
  });
  play.table.moment = before;
  if (chosen === 'VETERAN' && marker && unit) {
    spend(play, unit, marker, 1);
    return 'veteran';
  }
  if (chosen === 'SECOND') {
    playCard(play, side, 'second', 'event', spec.unit);
    return 'second';
  }
  return undefined;
}
