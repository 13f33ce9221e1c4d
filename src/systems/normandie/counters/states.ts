/** Sides of a counter: flips, concealment and its end (6.1, 7.4). */
import { known as must } from '../../../kernel/assert.ts';
import type { Book } from '../content/opened.ts';
import type { Face } from '../data.ts';
import type { NormandieEvent } from '../events.ts';
import { never, type Refusal } from '../refusal.ts';
import type { Known, NormandieUnit } from '../types.ts';
import { handOf, type Play } from './play.ts';
import { counterOf, findUnit, rename } from './units.ts';

type WhyFlip = Extract<NormandieEvent, { type: 'flipped' }>['why'];
type WhySeen = Extract<NormandieEvent, { type: 'revealed-unit' }>['why'];

/** The side a voluntary change of state would show, or why there is none (6.1-a, 6.1-e). */
export function flipTarget(book: Book, known: Known, unit: NormandieUnit): Face | Refusal {
  const found = counterOf(book, known, unit);
  const params = { unit: unit.code };
  if (!found || (found.face !== 'active' && found.face !== 'inactive')) return never('NO OTHER STATE', '6.1-a', params);
  const abilities = must(found.counter.faces[found.face], 'a counter without that side').abilities;
  if (!('ambush' in abilities || 'tripod' in abilities || 'crew' in abilities))
    return never('NO OTHER STATE', '6.1-e', params);
  return found.face === 'active' ? 'inactive' : 'active';
}

/** Turns a unit over to a side; a concealed one is named, one that gets Ambush in view is concealed. */
export function turnOver(play: Play, unit: NormandieUnit, face: Face, why: WhyFlip): void {
  if (unit.concealed === 'ambush' && face !== 'active') {
    reveal(play, unit, why === 'forced' ? 'forced' : 'flipped');
    return;
  }
  if (unit.concealed !== null) {
    const identity = must(handOf(play, unit.side).identities[unit.code], 'no identity');
    identity.face = face;
    return;
  }
  unit.face = face;
  play.emit({ type: 'flipped', audience: 'all', unit: unit.code, face, why, rule: '6.1-a' });
  const counter = must(play.book.counters.get(unit.type!), `no counter ${unit.type}`);
  if (face === 'active' && 'ambush' in (counter.faces.active?.abilities ?? {})) hide(play, unit, 'ambush', null);
}

/** Makes a counter anonymous: its own Ambush side, or a Concealed marker of a letter (6.1-ambush-g, 7.4-concealed-c). */
export function hide(play: Play, unit: NormandieUnit, by: 'ambush' | 'marker', letter: string | null): void {
  const was = unit.code;
  const code = letter === null ? freeCode(play, unit) : `${unit.side.toUpperCase()}?${letter}`;
  handOf(play, unit.side).identities[code] = {
    code: was,
    type: must(unit.type, 'already concealed'),
    face: must(unit.face, 'already concealed'),
  };
  rename(play.draft, unit, code);
  unit.type = null;
  unit.face = null;
  unit.concealed = by;
  play.emit({ type: 'concealed', audience: 'all', was, unit: code, rule: '7.4-concealed-c' });
}

/** Letters of units under their own Ambush side; A and B are those of Concealed markers. */
const AMBUSH_LETTERS = 'MNPQRSTUVWXYZ';

function freeCode(play: Play, unit: NormandieUnit): string {
  const letter = [...AMBUSH_LETTERS].find((each) => !findUnit(play.table, `${unit.side.toUpperCase()}?${each}`));
  return `${unit.side.toUpperCase()}?${must(letter, 'no letter left')}`;
}

/** Names a concealed counter: its unit lies open, Inactive Side up (6.1-ambush-j, 7.4-concealed-e). */
export function reveal(play: Play, unit: NormandieUnit, why: WhySeen): void {
  if (unit.concealed === null) return;
  const hand = handOf(play, unit.side);
  const was = unit.code;
  const identity = must(hand.identities[was], `no identity of ${was}`);
  delete hand.identities[was];
  unit.type = identity.type;
  unit.face = unit.concealed === 'ambush' ? 'inactive' : identity.face;
  unit.concealed = null;
  rename(play.draft, unit, identity.code);
  play.table.aliases[was] = identity.code;
  play.emit({
    type: 'revealed-unit',
    audience: 'all',
    was,
    code: unit.code,
    counter: identity.type,
    at: unit.at,
    why,
    rule: '6.1-ambush-j',
  });
}
