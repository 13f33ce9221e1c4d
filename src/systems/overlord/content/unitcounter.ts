/** How a unit is drawn. */
import type { SceneCounter } from '../../../kernel/types.ts';
import type { OverlordUnit } from '../types.ts';

/** The counter of a unit as it is drawn. */
export function counterOf(unit: OverlordUnit, states: string[]): SceneCounter {
  return {
    id: unit.id,
    side: unit.side,
    nation: unit.nation,
    symbol: unit.type,
    size: unit.mark,
    formation: unit.formation.replace(/^(US|BR|CDN|FR|PL|DE)/, ''),
    unit: unit.id.slice(unit.formation.length + 1),
    factors: [String(unit.cf), String(unit.mf)],
    states,
  };
}
