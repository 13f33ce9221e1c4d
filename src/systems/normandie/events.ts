/**
 * What happens, as typed data: the report tells it as a story, the map draws it. `unit`, `target` … are table codes of the
 * moment (an anonymous counter stays anonymous in events told to all until it is revealed).
 */
import type { Event as KernelEvent } from '../../kernel/types.ts';
import type { ArmyTile, DamageKind, Direction, Face, NormandieSide, RollPurpose, TokenKind } from './data.ts';

/** One number of a sum, with the rule it comes from: `{ what: 'obscured', n: -2, rule: '5.1-obsc-b' }`. */
export interface Term {
  /** die, value, fire on the move, doubled, ammo, card, any-card, suppressed, long range, obscured, assault, terrain,
   *  building, weapon, knife, hold-your-ground … */
  what: string;
  n: number;
  /** Card or option id, place … where it says more. */
  of?: string;
  rule?: string;
}

/** A total against a need, ready to be told: die + terms = total, needs `need`. */
export interface Sum {
  dice: number[];
  /** The die that counts (the better of two). */
  die: number;
  terms: Term[];
  total: number;
  /** Defense: printed value and bonuses. */
  defense: Term[];
  need: number;
}

type Told<T extends string, F> = KernelEvent & { type: T } & F;

export type NormandieEvent =
  | Told<'turn', { turn: number; initiative: NormandieSide }>
  | Told<'drafted', { side: NormandieSide; army: ArmyTile[]; cost: number }>
  /** Placing at set-up. `unit` anonymous when concealed; the owner hears `identity`. */
  | Told<
      'deployed',
      { unit: string; side: NormandieSide; at: string; rear: string | null; facing: Direction; aboard: string | null }
    >
  | Told<'identity', { unit: string; code: string; counter: string }>
  | Told<'foxhole', { side: NormandieSide; square: string }>
  // Order Phase
  | Told<'tokens', { side: NormandieSide; numbered: number; special: number; backs: string[] }>
  | Told<'own-tokens', { side: NormandieSide; tokens: Record<string, TokenKind> }>
  /** Bluff tokens turned up and dropped (3.3-e). */
  | Told<'bluffs', { side: NormandieSide; units: string[] }>
  /** `filed`: something was, but not for these units, or nothing that is allowed. */
  | Told<
      'defaulted',
      { side: NormandieSide; what: 'tokens' | 'supply' | 'setup' | 'recruit'; filed: boolean; units: string[] }
    >
  | Told<'sudden-death', { sides: NormandieSide[] }>
  // Activation Phase
  /** A token is turned up. `void`: its unit is lost or has acted (3.2-f). */
  | Told<
      'revealed',
      { side: NormandieSide; token: number | 'special' | 'autonomous'; unit: string | null; void: boolean }
    >
  /** Owner's trace: clause k was taken (0: the standard default, null: nothing), and why those above were not. */
  | Told<
      'clause',
      {
        side: NormandieSide;
        unit: string;
        token: string;
        taken: number | null;
        skipped: { clause: number; why: string }[];
      }
    >
  /**
   * Forecast for its owner: one clause of a script. `when` null: ELSE, `AND`: a further weapon; `outlook` empty: it could be
   * done now, `IF`: its condition does not hold now, else the code of what stands against it.
   */
  | Told<
      'planned',
      {
        side: NormandieSide;
        token: string;
        unit: string;
        clause: number;
        when: string | null;
        action: string;
        outlook: string;
        chance: number | null;
      }
    >
  | Told<'passed', { unit: string }>
  | Told<'paused', { after: number }>
  | Told<'claimed', { side: NormandieSide; what: string }>
  // movement
  | Told<
      'moved',
      {
        unit: string;
        from: string;
        to: string;
        rear: string | null;
        facing: Direction;
        how:
          | 'step'
          | 'pivot'
          | 'turn'
          | 'forced'
          | 'retreat'
          | 'displaced'
          | 'back'
          | 'advance'
          | 'board'
          | 'leave'
          | 'push'
          | 'supply'
          | 'scout'
          | 'bail out';
        aboard: string | null;
        spent: number;
        of: number;
      }
    >
  | Told<'stopped', { unit: string; at: string; why: string }>
  | Told<'flipped', { unit: string; face: Face; why: 'order' | 'hit' | 'forced' | 'crew' | 'medic' }>
  /** An anonymous counter is named: from now on it is `code`. */
  | Told<
      'revealed-unit',
      {
        was: string;
        code: string;
        counter: string;
        at: string;
        why: 'spotted' | 'fired' | 'assault' | 'moved' | 'flipped' | 'forced';
      }
    >
  | Told<'concealed', { was: string; unit: string }>
  | Told<'exited', { unit: string; at: string }>
  | Told<'wreck-pushed', { wreck: string; by: string; to: string[]; sunk: boolean }>
  | Told<'passage', { unit: string; square: string }>
  | Told<'wire-cleared', { unit: string; squares: string[] }>
  // fire
  | Told<
      'fired',
      {
        unit: string;
        weapon: string;
        suppress: boolean;
        targets: string[];
        at: string | null;
        opportunity: boolean;
        moving: boolean;
        rule?: string;
      }
    >
  /** One roll resolved against one target. */
  | Told<
      'shot',
      {
        unit: string;
        target: string;
        weapon: string;
        purpose: RollPurpose;
        sum: Sum;
        result: string;
        n: number;
        range: number;
        side?: 'front' | 'side' | 'rear';
      }
    >
  | Told<'no-effect', { unit: string; why: string }>
  | Told<'scatter', { unit: string; aimed: string; die: number; landed: string | null }>
  | Told<
      'rerolled',
      { side: NormandieSide; source: 'veteran' | 'second'; purpose: string; was: number[]; dice: number[] }
    >
  | Told<'sniper', { unit: string; target: string; sum: Sum; result: string }>
  // effects
  | Told<'suppressed', { unit: string; n: number; total: number; why: string }>
  | Told<'hit', { unit: string; by: string | null }>
  | Told<'damaged', { unit: string; dice: number[]; part: DamageKind | '6' }>
  | Told<'destroyed', { unit: string; counter: string | null; by: string | null; why: string; wreck: string | null }>
  | Told<'removed-wreck', { wreck: string }>
  | Told<'destruction', { structure: string; dice: number[]; points: number; total: number; of: number }>
  | Told<'rubble', { building: string }>
  | Told<'activated', { unit: string }>
  | Told<'bomb', { unit: string; target: string; option: string }>
  | Told<'exploded', { target: string; option: string }>
  // assault
  | Told<
      'assault',
      {
        unit: string;
        target: string;
        from: string;
        attack: Sum | null;
        defense: Sum | null;
        result: 'won' | 'lost' | 'tie';
        automatic: boolean;
      }
    >
  // cards and gear
  | Told<'card', { side: NormandieSide; card: string; use: 'event' | 'bonus'; on: string | null }>
  | Told<'gear', { side: NormandieSide; option: string; unit: string; n: number; left: number | null }>
  /** A card or marker of an order that would have done nothing: its owner still has it. */
  | Told<'kept', { side: NormandieSide; unit: string; what: string }>
  | Told<'token-moved', { from: string; to: string }>
  | Told<'cancelled', { what: 'opportunity fire' | 'suppressed'; unit: string }>
  | Told<'restored', { unit: string; at: string }>
  | Told<'smoke', { squares: string[] }>
  // Supply Phase and end
  | Told<'rallied', { unit: string; left: number }>
  | Told<'drew', { side: NormandieSide; n: number; discarded: number }>
  | Told<'drew-cards', { side: NormandieSide; cards: string[]; discarded: string[] }>
  | Told<'broken', { tile: string; side: NormandieSide; points: number; restored: boolean }>
  | Told<'objective', { objective: string; side: NormandieSide | null; points: number }>
  /** Owner's trace of doctrine looked at in a window. */
  | Told<'considered', { side: NormandieSide; window: string; unit: string; chosen: string }>
  /** An order that could not be carried out, told to its owner. */
  | Told<'order-lost', { side: NormandieSide; line: number; text: string; why: string }>
  | Told<'outcome', { winner: NormandieSide | 'draw'; reason: string; score: Record<NormandieSide, number> }>;
