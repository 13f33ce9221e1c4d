/** A storm: so many orders missing at once that deadlines stand still until the operator has looked. */
import type { Reader, Trx } from '../../store/db.ts';
import { logAction, serviceValue, setServiceValue } from '../../store/games.ts';
import { gamesDue } from '../../store/phases.ts';
import type { Service } from '../context.ts';
import { runSoon } from '../time/deadlines.ts';

/** Names under which the service keeps what stands still, and from when on missing orders count again. */
export const STORM = 'deadlines stand still';
export const FORGIVEN = 'deadlines forgiven until';

export interface Storm {
  since: string;
  missed: number;
  kept: number;
}

/** Do deadlines stand still because of a storm of missing orders? */
export async function stormNow(db: Reader): Promise<Storm | undefined> {
  return ((await serviceValue(db, STORM)) as Storm | null | undefined) ?? undefined;
}

/** The operator says that deadlines may run again. Returns how many games had waited. */
export async function endStorm(service: Service, trx: Trx, who: string): Promise<number | undefined> {
  const storm = await stormNow(trx);
  if (!storm) return undefined;
  const now = service.now();
  await setServiceValue(trx, STORM, null);
  await logAction(trx, { at: now, gameId: null, who, door: 'service', what: 'storm over' });
  const waiting = await gamesDue(trx, now);
  // What was missed while deadlines stood still does not make the next storm.
  await setServiceValue(trx, FORGIVEN, now.toISOString());
  for (const { gameId } of waiting) await runSoon(service, trx, gameId);
  return waiting.length;
}
