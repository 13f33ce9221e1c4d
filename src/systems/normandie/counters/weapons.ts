/** What a unit fires with: the weapons of its side in view, and everything that gives an Alternate Firing Action. */
import { known as must } from '../../../kernel/assert.ts';
import type { Book } from '../content/opened.ts';
import type { Abilities, CombatValues, Weapon } from '../data.ts';
import { never, type Refusal, refuse } from '../refusal.ts';
import type { Gear, Known, NormandieUnit } from '../types.ts';
import { gearFor, gearRefusal, isAlternate } from './gear.ts';
import { abilitiesOf, faceOf, weaponsOf } from './units.ts';

type Manner = 'direct' | 'sniper' | 'howitzer' | 'indirect' | 'flame' | 'grenade' | 'charge';

/** One way of firing, ready to be used. */
export interface WeaponUse {
  /** `main`, `primary`, `secondary`, `sniper`, `flame`, `howitzer`, `indirect` or an option id: as players read it. */
  label: string;
  manner: Manner;
  cv: CombatValues;
  /** Abilities in force: an alternate action has only those of its source (3.2.3-alt-b, 8.3-c). */
  abilities: Abilities;
  arc: number;
  limit: number | null;
  overTerrain: boolean;
  /** Penalty when moving; null: may not be fired on the move. */
  onTheMove: number | null;
  gear: Gear | null;
  /** Shots of one slot happen once an action. */
  slot: string;
}

const NOTHING: CombatValues = { inf: 'X', light: 'X', heavy: 'X' };
const FLAME_PENALTY = 1;
/** The slot of whatever an option fires. */
const ALTERNATE = 'alternate';
const GRENADES: readonly string[] = ['grenades'];
const CHARGES: readonly string[] = ['sticky-bomb', 'magnetic-mine'];

/** The way of firing that a weapon word means for a unit now, or why it has none. Without a word: its first own weapon. */
export function weaponFor(
  book: Book,
  known: Known,
  unit: NormandieUnit,
  word: string | undefined,
): WeaponUse | Refusal {
  const own = ownWeapons(book, known, unit);
  const upper = word?.toUpperCase();
  if (upper === undefined) {
    const usable = own.filter((use) => destroyedRefusal(unit, use) === undefined);
    const direct = usable.find((use) => Object.values(use.cv).some((value) => value !== 'X'));
    const spent = own[0] && destroyedRefusal(unit, own[0]);
    return direct ?? usable[0] ?? spent ?? refuse('NO WEAPON', '3.2.3-type-a', { unit: unit.code });
  }
  const option = book.options.get(word!.toLowerCase());
  if (option) {
    if (!isAlternate(option)) return never('NOT A WEAPON', '3.2.3-alt-a', { option: option.id });
    return gearRefusal(book, known, unit, option.id, 1) ?? unfired(unit, gearWeapon(book, known, unit, option.id));
  }
  const found = own.find((use) => use.label.toUpperCase() === upper || bothMeans(use, upper));
  if (!found) return never('NO SUCH WEAPON', '3.2.3-type-a', { unit: unit.code, weapon: word! });
  return destroyedRefusal(unit, found) ?? found;
}

/** A single weapon is primary and secondary at once (1.3-e). */
function bothMeans(use: WeaponUse, upper: string): boolean {
  return use.slot === 'both' && use.manner === 'direct' && (upper === 'PRIMARY' || upper === 'SECONDARY');
}

function destroyedRefusal(unit: NormandieUnit, use: WeaponUse): Refusal | undefined {
  if (unit.damage.includes('5') && (use.slot === 'primary' || use.slot === 'both'))
    return never('WEAPON DESTROYED', '3.2.3-dmg-5', { unit: unit.code });
  if (unit.damage.includes('1') && unit.fired.length > 0) return refuse('CREW HIT', '3.2.3-dmg-1', { unit: unit.code });
  if (unit.fired.includes(use.slot) || unit.fired.includes(ALTERNATE))
    return refuse('FIRED ALREADY', '3.2.3-weap-a', { unit: unit.code, weapon: use.label });
  return undefined;
}

/** An Alternate Firing Action of an option is taken instead of every other Firing Action of the activation (3.2.3, 7.2-e). */
function unfired(unit: NormandieUnit, use: WeaponUse): WeaponUse | Refusal {
  return unit.fired.length === 0 ? use : refuse('FIRED ALREADY', '3.2.3-alt-a', { unit: unit.code, weapon: use.label });
}

/** Every way of firing printed on the side in view. */
export function ownWeapons(book: Book, known: Known, unit: NormandieUnit): WeaponUse[] {
  const face = faceOf(book, known, unit);
  if (!face) return [];
  const heavy = face.weapons !== undefined;
  return weaponsOf(book, known, unit).flatMap((weapon) => [
    direct(weapon, heavy),
    ...alternates(weapon, heavy, abilitiesOf(book, known, unit)),
  ]);
}

function direct(weapon: Weapon, heavy: boolean): WeaponUse {
  const { abilities } = weapon;
  return {
    label: heavy ? (weapon.slot === 'both' ? 'primary' : weapon.slot) : 'main',
    manner: 'direct',
    cv: weapon.cv,
    abilities,
    arc: weapon.arc,
    limit: abilities['limited-range'] ?? abilities['limited-range-ignores-obstacles'] ?? null,
    overTerrain: 'limited-range-ignores-obstacles' in abilities,
    onTheMove: abilities['fire-on-the-move'] ?? null,
    gear: null,
    slot: heavy ? weapon.slot : 'main',
  };
}

function alternates(weapon: Weapon, heavy: boolean, all: Abilities): WeaponUse[] {
  const abilities = heavy ? weapon.abilities : all;
  const base = { ...direct(weapon, heavy), cv: weapon.template ?? NOTHING };
  const kept = (names: readonly (keyof Abilities)[]): Abilities =>
    Object.fromEntries(Object.entries(abilities).filter(([name]) => names.some((each) => each === name)));
  const uses: WeaponUse[] = [];
  const area = kept(['destruction', 'piercing', 'limited-range', 'indirect-fire', 'howitzer']);
  if ('howitzer' in abilities || 'indirect-fire' in abilities)
    uses.push({ ...base, label: 'howitzer', manner: 'howitzer', abilities: area });
  if ('indirect-fire' in abilities) uses.push({ ...base, label: 'indirect', manner: 'indirect', abilities: area });
  if ('sniper' in abilities)
    uses.push({ ...base, label: 'sniper', manner: 'sniper', cv: { inf: 0, light: 'X', heavy: 'X' }, abilities: {} });
  if ('flamethrower' in abilities)
    uses.push({ ...base, label: 'flame', manner: 'flame', abilities: kept(['destruction']), onTheMove: FLAME_PENALTY });
  return uses;
}

/** An option as a weapon: only the values of the option count. */
function gearWeapon(book: Book, known: Known, unit: NormandieUnit, id: string): WeaponUse {
  const option = must(book.options.get(id), `no option ${id}`);
  const gear = must(gearFor(book, known, unit, id), `${unit.code} has no ${id}`);
  const base: WeaponUse = {
    label: id,
    manner: 'direct',
    cv: option.cv ?? option.template ?? NOTHING,
    abilities: option.abilities,
    arc: 360,
    limit: option.range ?? option.abilities['limited-range'] ?? null,
    overTerrain: false,
    onTheMove: option.abilities['fire-on-the-move'] ?? null,
    gear,
    slot: ALTERNATE,
  };
  if (option.usesUnit) {
    const face = must(book.counters.get(option.usesUnit)?.faces.full, `${option.usesUnit} has no full side`);
    const abilities = face.abilities;
    return {
      ...base,
      cv: must(face.cv, `${option.usesUnit} has no values`),
      abilities,
      limit: abilities['limited-range'] ?? null,
    };
  }
  if (GRENADES.includes(id)) return { ...base, manner: 'grenade' };
  if (CHARGES.includes(id)) return { ...base, manner: 'charge' };
  if (option.template) return { ...base, manner: 'flame', onTheMove: FLAME_PENALTY };
  if ('indirect-fire' in option.abilities) return { ...base, manner: 'indirect' };
  return base;
}

/** All ways of firing a unit has now, gear included: for ANY targets, reactions and defaults. */
export function allWeapons(book: Book, known: Known, unit: NormandieUnit): WeaponUse[] {
  const gear = [...book.options.values()].filter(
    (option) => isAlternate(option) && unit.fired.length === 0 && gearFor(book, known, unit, option.id) !== undefined,
  );
  return [
    ...ownWeapons(book, known, unit).filter((use) => destroyedRefusal(unit, use) === undefined),
    ...gear.map((option) => gearWeapon(book, known, unit, option.id)),
  ];
}
