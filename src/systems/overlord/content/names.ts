/** What a player wrote, resolved to printed names: units, formations, hexes. */
import { matchName, suggest } from '../../../kernel/orders.ts';
import type { Param } from '../../../kernel/types.ts';
import type { Campaign } from './campaign.ts';

/** A printed name, or what is wrong with what was written. */
export type Resolved = { name: string } | { code: string; params: Record<string, Param>; rule: string };

/** Counters carry formation and number; the map's hexes carry theirs. */
const UNIT_RULE = 'OVL-PCS-02';
const HEX_RULE = 'OVL-EXM-01';
/** Candidates that AMBIGUOUS UNIT names. */
const AMONG_MOST = 8;

/**
 * A unit (`DE21/1`) or formation (`DE21`) as printed, from any case and any shortening that leaves one: `DE12S`, `BR7/1`.
 * Otherwise UNKNOWN UNIT with what is near, or AMBIGUOUS UNIT with the candidates.
 */
export function resolveUnit(campaign: Campaign, written: string): Resolved {
  const upper = written.toUpperCase();
  if (campaign.unitIndex.has(upper) || campaign.formations.has(upper)) return { name: upper };
  const [head, number] = upper.split('/');
  const formations = [...campaign.formations.keys()];
  const match = matchName(head ?? '', formations);
  if ('name' in match && (head ?? '').length > 0) {
    if (number === undefined) return { name: match.name };
    const { units } = campaign.formations.get(match.name)!;
    if (units.includes(`${match.name}/${number}`)) return { name: `${match.name}/${number}` };
    return { code: 'UNKNOWN UNIT', params: { unit: written, near: units }, rule: UNIT_RULE };
  }
  if ('among' in match) {
    const among = match.among.map((id) => (number === undefined ? id : `${id}/${number}`));
    const fitting = number === undefined ? among : among.filter((id) => campaign.unitIndex.has(id));
    if (fitting.length === 1) return { name: fitting[0]! };
    if (fitting.length > 1) return { code: 'AMBIGUOUS UNIT', params: ambiguous(written, fitting), rule: UNIT_RULE };
  }
  const names = number === undefined ? formations : campaign.unitIndex.keys();
  if ('name' in resolveHex(campaign, written))
    return { code: 'UNKNOWN UNIT', params: { unit: written, near: [], hex: written }, rule: UNIT_RULE };
  return { code: 'UNKNOWN UNIT', params: { unit: written, near: suggest(written, names) }, rule: UNIT_RULE };
}

function ambiguous(written: string, fitting: readonly string[]): Record<string, Param> {
  const among = fitting.slice(0, AMONG_MOST);
  return among.length < fitting.length
    ? { unit: written, among, more: fitting.length - among.length }
    : { unit: written, among };
}

/** Whether a word (upper case) names a unit, a formation or a hex. */
export function isName(campaign: Campaign, word: string): boolean {
  return campaign.unitIndex.has(word) || campaign.formations.has(word) || campaign.board.grid.index.has(word);
}

/** A hex as printed (a leading zero may be left out), or HEX UNKNOWN with what is near. */
export function resolveHex(campaign: Campaign, written: string): Resolved {
  const padded = /^\d{3}$/.test(written) ? `0${written}` : written;
  const { grid, sea } = campaign.board;
  if (grid.index.has(padded)) return { name: padded };
  const land = grid.ids.filter((_, cell) => sea[cell] === 0);
  const named = hexesNamed(campaign, written);
  if (named.length > 0) return { code: 'PLACE NAME', params: { name: written, hexes: named }, rule: HEX_RULE };
  const unit = resolveName(campaign, written);
  if (unit !== undefined) return { code: 'UNIT FOR HEX', params: { unit }, rule: HEX_RULE };
  const params = { hex: written, near: suggest(padded, land), first: grid.ids[0]!, last: grid.ids.at(-1)! };
  return { code: 'HEX UNKNOWN', params, rule: HEX_RULE };
}

/** `US1` for a whole formation, `US1/2 US1/3` for parts of it, in counter order. */
export function nameUnits(campaign: Campaign, ids: readonly string[]): string {
  const byFormation = new Map<string, string[]>();
  for (const id of ids) {
    const formation = id.split('/')[0]!;
    byFormation.set(formation, [...(byFormation.get(formation) ?? []), id]);
  }
  return [...byFormation]
    .map(([formation, units]) => {
      const whole = campaign.formations.get(formation)!.units.length;
      return units.length === whole && whole > 1 ? formation : units.join(' ');
    })
    .join(', ');
}

/** Longest list of hexes that a place name is answered with. */
const HEXES_MOST = 12;

/** The hexes that reports call by a name (a town, a port, a beach), each with that name; none when nothing is called so. */
function hexesNamed(campaign: Campaign, written: string): string[] {
  const { grid, names, beaches, ports } = campaign.board;
  const upper = written.toUpperCase();
  const found: string[] = [];
  grid.ids.forEach((id, cell) => {
    const called = [names.get(cell), beaches.get(cell)?.name, ports.get(cell)].filter((name) => name !== undefined);
    const name = called.find((each) => each.toUpperCase() === upper || each.toUpperCase().split(/[\s-]+/)[0] === upper);
    if (name !== undefined) found.push(`${id} (${name})`);
  });
  return found.slice(0, HEXES_MOST);
}

/** The unit or formation of exactly this name. */
function resolveName(campaign: Campaign, written: string): string | undefined {
  const upper = written.toUpperCase();
  return campaign.unitIndex.has(upper) || campaign.formations.has(upper) ? upper : undefined;
}
