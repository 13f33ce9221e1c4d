/** The demonstration club: made once in an empty database, so that a newcomer can play a turn within a minute. */
import { gameByRef, serviceValue, setServiceValue } from '../store/games.ts';
import type { Service } from './context.ts';
import { createGameIn } from './newgame.ts';

const MARK = 'demo game';
const SCENARIO = 'overlord/campaign';
const PLAYERS = [
  { address: 'anna@players.example', name: 'Anna' },
  { address: 'ben@players.example', name: 'Ben' },
] as const;

/** Addresses whose mailboxes the demo's page shows. */
export const DEMO_ADDRESSES: readonly string[] = PLAYERS.map((player) => player.address);

/** Makes the demo game unless it was made before, or there are games already. Returns its reference, if there is one. */
export async function makeDemo(service: Service): Promise<string | undefined> {
  const made = await serviceValue(service.db, MARK);
  if (typeof made === 'string') return made;
  const offered = service.scenarios.list();
  const scenario = offered.find(({ id }) => id === SCENARIO) ?? offered[0];
  if (!scenario) return undefined;
  return service.db.transaction().execute(async (trx) => {
    const { count } = await trx
      .selectFrom('game')
      .select((game) => game.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (count > 0) return undefined;
    const sides = service.scenarios.open(scenario.id).scenario.sides;
    const seats = sides.map((side, i) => ({ side: side.id, ...PLAYERS[i % PLAYERS.length]! }));
    const game = await createGameIn(service, trx, { scenarioId: scenario.id, seats, by: 'service', door: 'service' });
    await setServiceValue(trx, MARK, game.ref);
    return game.ref;
  });
}

/** The demo game's reference, for the page; undefined where there is no demo. */
export async function demoGame(service: Service): Promise<string | undefined> {
  const made = await serviceValue(service.db, MARK);
  return typeof made === 'string' && (await gameByRef(service.db, made)) ? made : undefined;
}
