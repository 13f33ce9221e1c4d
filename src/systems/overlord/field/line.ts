/**
 * One order line of the movement phase being carried out: who is meant, what is complained of, what is taken back when the
 * line falls. Shared by moves, arrivals and exits.
 */
import { error, warning } from '../../../kernel/orders.ts';
import type { Diagnostic, Param } from '../../../kernel/types.ts';
import { indexOf } from '../content/campaign.ts';
import type { Formation, OverlordEvent, OverlordOrder, OverlordSide } from '../types.ts';
import type { Start } from './condition.ts';
import { type Field, place } from './field.ts';
import { enterHex } from './ground.ts';
import type { Halt, HexWalk } from './movement.ts';

/** Where events and complaints go. */
export interface LineLog {
  emit(event: OverlordEvent): void;
  say(diagnostic: Diagnostic): void;
}

/** The movement phase under way. */
export interface March {
  field: Field;
  side: OverlordSide;
  log: LineLog;
  start: Start;
  /** Units that have moved, landed or entered. */
  moved: Set<number>;
  /** Units named to hold. */
  held: Set<number>;
  /** By kind of order and unit: the line that counts. */
  claims: Map<string, Claim>;
  /** Replacement factors used so far this turn. */
  replaced: number;
  /** Lines that must find room at once, since who was to leave for them did not. */
  strict: ReadonlySet<number>;
  /** The line that put each unit where it is. */
  lineOf: Map<number, number>;
}

/** The line that counts for a unit and a verb. */
export interface Claim {
  line: number;
  /** The unit was named itself, not only its formation. */
  named: boolean;
}

/** One line being carried out: nothing is said or told before it is known to stand. */
export interface LineAtWork {
  march: March;
  line: number;
  verb: string;
  events: OverlordEvent[];
  faults: Diagnostic[];
  undo: { unit: number; where: string }[];
}

/** Orders of the movement phase. */
export type MovementOrder = Exclude<OverlordOrder, { verb: 'ATTACK' | 'INTERDICT' }>;

/** Is it carried out in the movement phase? */
export function isMovement(order: OverlordOrder): order is MovementOrder {
  return order.verb !== 'ATTACK' && order.verb !== 'INTERDICT';
}

/** Notes a complaint of the line. */
export function say(line: LineAtWork, diagnostic: Diagnostic): void {
  line.faults.push(diagnostic);
}

/** Notes an error of the line. */
export function refuse(line: LineAtWork, code: string, params: Record<string, Param>, rule?: string): void {
  say(line, error(code, line.line, params, rule));
}

/** Puts a unit somewhere for this line; taken back if the line falls. */
export function put(line: LineAtWork, unit: number, where: number | string): void {
  const { field } = line.march;
  line.undo.push({ unit, where: field.table.units[field.campaign.units[unit]!.id]! });
  place(field, unit, where);
  line.march.moved.add(unit);
  line.march.lineOf.set(unit, line.line);
}

/**
 * The units a line speaks of. A unit named itself must be there; a formation means those of its units for which `here`
 * holds. Units claimed by a later line of the same kind are left out, with DUPLICATE ORDER when they were named.
 */
export function unitsOf(line: LineAtWork, subject: readonly string[], here: (unit: number) => boolean): number[] {
  const { march } = line;
  const { campaign } = march.field;
  const found: number[] = [];
  for (const token of subject) {
    const formation = campaign.formations.get(token);
    if (formation) {
      if (formation.side !== march.side) refuse(line, 'NOT YOURS', { unit: token }, 'OVL-SEQ-01');
      else found.push(...formationUnits(line, formation, here));
      continue;
    }
    const unit = indexOf(campaign, token);
    if (campaign.units[unit]!.side !== march.side) {
      refuse(line, 'NOT YOURS', { unit: token }, 'OVL-SEQ-01');
      continue;
    }
    const claim = march.claims.get(`${line.verb} ${token}`);
    if (claim && claim.line !== line.line && line.verb !== 'HOLD') {
      duplicate(line, subject, token, claim.line);
      continue;
    }
    if (!found.includes(unit)) found.push(unit);
  }
  return found;
}

/** The earlier line falls for this unit; if it speaks of nobody else, altogether. */
function duplicate(line: LineAtWork, subject: readonly string[], unit: string, later: number): void {
  const params = { unit, verb: line.verb, later };
  say(
    line,
    subject.length === 1
      ? error('DUPLICATE ORDER', line.line, params, 'OVL-MOV-01')
      : warning('DUPLICATE ORDER', line.line, params, 'OVL-MOV-01'),
  );
}

function formationUnits(line: LineAtWork, formation: Formation, here: (unit: number) => boolean): number[] {
  const { march } = line;
  const all = formation.units.map((id) => indexOf(march.field.campaign, id));
  if (line.verb === 'HOLD') return all;
  const mine = all.filter((unit) => {
    const claim = march.claims.get(`${line.verb} ${march.field.campaign.units[unit]!.id}`);
    return claim?.line === line.line && !march.moved.has(unit);
  });
  const found = mine.filter(here);
  if (found.length > 0) return found;
  // All in one hex and none can start: their way itself is wrong, and the walk says how.
  const hexes = new Set(mine.map((unit) => march.field.at[unit]!));
  if (hexes.size === 1 && !hexes.has(-1)) return mine;
  refuseFormation(line, formation, mine);
  return [];
}

function refuseFormation(line: LineAtWork, formation: Formation, mine: readonly number[]): void {
  const { field, moved } = line.march;
  const places = formation.units.map((id) => field.table.units[id]!);
  const later = formation.units.map((id) => line.march.claims.get(`${line.verb} ${id}`)?.line ?? 0);
  if (mine.length === 0 && Math.max(...later) > line.line) {
    duplicate(line, [formation.id], formation.id, Math.max(...later));
    return;
  }
  if (mine.length === 0 && formation.units.some((id) => moved.has(indexOf(field.campaign, id))))
    refuse(line, 'ALREADY MOVED', { unit: formation.id, verb: line.verb }, 'OVL-MOV-01');
  else if (places.every((where) => where === 'lost')) refuse(line, 'DEAD', { unit: formation.id }, 'OVL-CRE-12');
  else if (places.every((where) => where === 'due'))
    refuse(line, 'NOT ARRIVED', arrival(formation, field), 'OVL-APP-01');
  else refuse(line, 'NONE HERE', { unit: formation.id, verb: line.verb, places: [...new Set(places)].join(', ') });
}

function arrival(formation: Formation, field: Field): Record<string, Param> {
  return { unit: formation.id, turn: formation.turn, date: field.campaign.turns[formation.turn - 1]!.date };
}

/** Is the unit on the map and free to move? Says why not. */
export function mayMove(line: LineAtWork, unit: number): boolean {
  const { field, moved } = line.march;
  const counter = field.campaign.units[unit]!;
  if (moved.has(unit)) {
    refuse(line, 'ALREADY MOVED', { unit: counter.id, verb: line.verb }, 'OVL-MOV-01');
    return false;
  }
  if (!onMap(line, unit)) return false;
  if (field.table.held.includes(counter.formation)) {
    refuse(line, 'NOT RELEASED', { unit: counter.id, formation: counter.formation }, 'OVL-GOB-02');
    return false;
  }
  return true;
}

/** Says DEAD, NOT ARRIVED or NOT ON MAP of a unit that is not on the map. */
export function onMap(line: LineAtWork, unit: number): boolean {
  const { field } = line.march;
  if (field.at[unit]! >= 0) return true;
  const counter = field.campaign.units[unit]!;
  const where = field.table.units[counter.id]!;
  const formation = field.campaign.formations.get(counter.formation)!;
  if (where === 'lost') refuse(line, 'DEAD', { unit: counter.id }, 'OVL-CRE-12');
  else if (where === 'due')
    refuse(line, 'NOT ARRIVED', { ...arrival(formation, field), unit: counter.id }, 'OVL-APP-01');
  else
    refuse(
      line,
      'NOT ON MAP',
      { unit: counter.id, where, verb: waysOn(counter.side, where) },
      counter.side === 'german' ? 'OVL-APP-02' : 'OVL-APP-05',
    );
  return false;
}

/** The verb that brings a unit on from where it is off the map; empty when nothing does, since it has left the game. */
export function waysOn(side: OverlordSide, where: string): string {
  if (where === 'exited' || where === 'withdrawn') return '';
  return side === 'german' ? 'ENTER' : 'LAND';
}

/** Says what stopped or forbade a walk. False when the unit goes nowhere. */
export function halts(line: LineAtWork, walked: HexWalk, stands = walked.cells.length > 0): boolean {
  const tell = (halt: Halt, make: typeof error): void => say(line, make(halt.code, line.line, halt.params, halt.rule));
  if (walked.fault) {
    tell(walked.fault, error);
    return false;
  }
  if (walked.stop) tell(walked.stop, stands ? warning : error);
  return stands;
}

/** Moves the counter along the walked cells, with what entering them does. */
export function follow(line: LineAtWork, unit: number, walked: HexWalk): void {
  for (const cell of walked.cells) {
    put(line, unit, cell);
    enterHex(line.march.field, unit, cell, (event) => line.events.push(event));
  }
}

/** One unit that has walked. */
export interface Walked {
  from: string;
  walked: HexWalk;
  unit: number;
  left: number;
  isolated: boolean;
}
/** Units that walked the same way. */
export type Group = Walked[];

/** Units that go the same way are told together. */
export function join(groups: Group[], step: Walked): void {
  const same = groups.find(
    ([first]) => first!.from === step.from && first!.walked.cells.join() === step.walked.cells.join(),
  );
  if (same) same.push(step);
  else groups.push([step]);
}

/** The event of a group. */
export function movedEvent(line: LineAtWork, group: Group): OverlordEvent {
  const { campaign } = line.march.field;
  const ids = campaign.board.grid.ids;
  const name = (step: Walked): string => campaign.units[step.unit]!.id;
  return {
    type: 'moved',
    audience: 'all',
    rule: 'OVL-MOV-01',
    side: line.march.side,
    units: group.map(name),
    from: group[0]!.from,
    path: group[0]!.walked.cells.map((cell) => ids[cell]!),
    costs: group.map((step) => step.walked.spent),
    allowances: group.map((step) => step.left),
    isolated: group.filter((step) => step.isolated).map(name),
    stopped: group[0]!.walked.stop?.code ?? null,
  };
}

/** Tells of one unit's way on after it has landed or entered; units of a line that go the same way are told together. */
export function movedOn(line: LineAtWork, unit: number, from: number, walked: HexWalk, left: number): void {
  if (walked.cells.length === 0) return;
  const start = line.march.field.campaign.board.grid.ids[from]!;
  const fresh = movedEvent(line, [{ from: start, walked, unit, left, isolated: false }]);
  if (fresh.type !== 'moved') return;
  for (const event of line.events) {
    if (event.type !== 'moved' || event.from !== start || event.path.join() !== fresh.path.join()) continue;
    if (event.stopped !== fresh.stopped) continue;
    event.units.push(...fresh.units);
    event.costs.push(...fresh.costs);
    event.allowances.push(...fresh.allowances);
    return;
  }
  line.events.push(fresh);
}
