/** Gear, traits and customizations: who may use which marker (7.2, 7.3, 7.5, 2.1-c, 2.1-e). */
import { known as must } from '../../../kernel/assert.ts';
import type { Book } from '../content/opened.ts';
import type { RecruitOption } from '../data.ts';
import { never, type Refusal, refuse } from '../refusal.ts';
import type { Gear, Known, Member, NormandieTable, NormandieUnit } from '../types.ts';
import type { Play } from './play.ts';
import { classOf, memberOfUnit } from './units.ts';

/** Identical markers that may be spent on one action (7.2-e). */
export const MARKERS_MAX = 3;
const HEAVY_ONLY: readonly string[] = ['culin'];

/** May this member of the army use markers lying on that tile, by stripes, command tile or being the character? */
export function mayUse(book: Book, table: NormandieTable, gear: Gear, option: RecruitOption, member: Member): boolean {
  if (gear.side !== member.side) return false;
  const counter = must(book.counters.get(member.type), `no counter ${member.type}`);
  const holder = must(table.tiles[gear.tile], 'gear without a tile');
  const tile = must(book.tiles.get(holder.tile), `no tile ${holder.tile}`);
  if (option.kind === 'customization') {
    if (counter.class !== 'inf') return false;
    if (tile.command && option.markers !== null) return true;
    return member.main && member.tile === gear.tile;
  }
  if (HEAVY_ONLY.includes(option.id) ? counter.class !== 'heavy' : option.kind === 'gear' && counter.class !== 'inf')
    return false;
  if (tile.command) return true;
  if (member.tile === gear.tile) return true;
  if (tile.kind === 'support') return false;
  const own = tile.units.map((id) => book.counters.get(id)?.stripe).find((stripe) => stripe && isSpecific(stripe));
  return own !== undefined && counter.stripe === own;
}

/** Army generic and command stripes are not specific to a tile (2.1-l). */
function isSpecific(stripe: string): boolean {
  return !stripe.endsWith('-gen') && !stripe.endsWith('-cmd');
}

/** The markers of an option that a unit may use now, the fullest first; its own customizations before the army's. */
export function gearFor(book: Book, known: Known, unit: NormandieUnit, optionId: string): Gear | undefined {
  const option = book.options.get(optionId);
  const member = memberOfUnit(known, unit);
  if (!option || !member) return undefined;
  return known.table.gear
    .filter((gear) => gear.option === optionId && gear.left !== 0 && mayUse(book, known.table, gear, option, member))
    .reduce<Gear | undefined>(
      (best, gear) => (!best || (gear.left ?? 99) > (best.left ?? 99) ? gear : best),
      undefined,
    );
}

/** Why `n` markers of an option can't be spent by a unit on one action. */
export function gearRefusal(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  optionId: string,
  n: number,
): Refusal | undefined {
  const option = book.options.get(optionId);
  if (!option) return never('NO SUCH GEAR', '7.2-a', { option: optionId });
  const params = { option: optionId, n, unit: unit.code };
  if (n > MARKERS_MAX) return never('TOO MANY MARKERS', '7.2-e', params);
  if (n > 1 && isAlternate(option)) return never('ONE MARKER', '7.2-e', params);
  const gear = gearFor(book, known, unit, optionId);
  if (!gear) return refuse('NOT ITS GEAR', option.kind === 'customization' ? '7.5-a' : '7.2-a', params);
  if (gear.left !== null && gear.left < n) return refuse('NO MARKER LEFT', '7.2-c', { ...params, left: gear.left });
  return undefined;
}

/** Is it an Alternate Firing Action (3.2.3-alt-a)? */
export function isAlternate(option: RecruitOption): boolean {
  return option.cv !== undefined || option.template !== undefined || option.usesUnit !== undefined;
}

/** Spends markers and tells everybody. */
export function spend(play: Play, unit: NormandieUnit, gear: Gear, n: number): void {
  if (gear.left !== null) gear.left -= n;
  play.emit({
    type: 'gear',
    audience: 'all',
    side: unit.side,
    option: gear.option,
    unit: unit.code,
    n,
    left: gear.left,
    rule: '7.2-c',
  });
}

/** Does a character's Overwatch give it Opportunity Fire (7.5-overwatch)? */
export function hasOverwatch(book: Book, known: Known, unit: NormandieUnit): boolean {
  return classOf(book, unit) === 'inf' && gearFor(book, known, unit, 'overwatch') !== undefined;
}
