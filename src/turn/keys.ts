/** Dice keys: two hash chains a game, stored sealed; a phase draws on its own key and its key is shown when it is done. */
import { known } from '../kernel/assert.ts';
import {
  CHAIN_LENGTH,
  chainKey,
  commitmentTo,
  earlierKey,
  type LoggedDice,
  phaseDice,
  rootOf,
} from '../kernel/dice.ts';
import type { PhaseId } from '../kernel/types.ts';
import type { Reader, Trx } from '../store/db.ts';
import { addChain, chainFor, chainsOf } from '../store/games.ts';
import type { GameRow, GameSeed, KeyChainRow } from '../store/schema.ts';
import { seal, unseal } from '../store/seal.ts';
import type { Service } from './context.ts';

type Sealing = Pick<Service, 'secret' | 'randomBytes' | 'now'>;

/** The next chain is made, and its head told, when so many keys are left. */
const KEYS_LEFT_MIN = 16;
const SEED_PURPOSE = 'dice seed';
const KINDS = ['open', 'secret'] as const;

/** What the root of a chain is sealed for. */
export const dicePurpose = (gameId: number, kind: string): string => `dice ${kind} ${gameId}`;

/** A club's secret for a game's dice, bound by its digest before any player's words are read. */
export function newSeed(service: Sealing): GameSeed {
  const secret = service.randomBytes(32);
  const sealed = seal(service.secret, SEED_PURPOSE, secret, service.randomBytes(12));
  return { commitment: commitmentTo(secret), sealed: sealed.toString('base64'), words: [] };
}

/** The secret of a seed; undefined where it is not here. */
export function secretOf(service: Pick<Service, 'secret'>, seed: GameSeed): Buffer | undefined {
  if (seed.secret !== undefined) return Buffer.from(seed.secret, 'hex');
  return seed.sealed === undefined
    ? undefined
    : unseal(service.secret, SEED_PURPOSE, Buffer.from(seed.sealed, 'base64'));
}

/** Makes a pair of chains for the phases from `firstN` on, the very first of a game from its seed. Returns the heads to be told to the players. */
export async function makeChains(
  service: Sealing,
  trx: Trx,
  gameId: number,
  firstN: number,
  seed?: GameSeed,
): Promise<{ open: string; secret: string }> {
  const before = await chainsOf(trx, gameId);
  const number = Math.max(0, ...before.map((chain) => chain.number)) + 1;
  // Only the chains a game begins with: when later ones are made, the words are known.
  const given = seed && number === 1 ? secretOf(service, seed) : undefined;
  const heads = { open: '', secret: '' };
  for (const kind of KINDS) {
    const root = given ? rootOf(given, seed?.words ?? [], kind) : service.randomBytes(32);
    heads[kind] = chainKey(root, 0).toString('hex');
    const sealed = seal(service.secret, dicePurpose(gameId, kind), root, service.randomBytes(12));
    await addChain(trx, {
      game_id: gameId,
      number,
      kind,
      first_n: firstN,
      head: heads[kind],
      root_sealed: sealed,
      created_at: service.now(),
    });
  }
  return heads;
}

/** Makes the next pair of chains when the present one is nearly used up after phase n. */
export async function renewChains(
  service: Sealing,
  trx: Trx,
  gameId: number,
  n: number,
): Promise<{ open: string; secret: string; firstN: number } | undefined> {
  const all = await chainsOf(trx, gameId);
  const last = known(all.at(-1), `game ${gameId} has no dice keys`);
  const lastN = last.first_n + CHAIN_LENGTH - 1;
  if (n < lastN - KEYS_LEFT_MIN) return undefined;
  return { ...(await makeChains(service, trx, gameId, lastN + 1)), firstN: lastN + 1 };
}

/** The root of a chain. */
export function chainRoot(service: Pick<Service, 'secret'>, chain: KeyChainRow): Buffer {
  return unseal(service.secret, dicePurpose(chain.game_id, chain.kind), chain.root_sealed);
}

/** A chain is walked once; every so manyth key is remembered, for so many chains, so that a phase costs a few hashes. */
const MARK_EVERY = 64;
const CHAINS_REMEMBERED = 2000;
const marks = new Map<string, Buffer[]>();

/** The same as `chainKey`, remembering the way. */
function walkedKey(root: Buffer, n: number): Buffer {
  const name = root.toString('hex');
  let keys = marks.get(name);
  if (!keys) {
    keys = [root];
    for (let at = CHAIN_LENGTH; at > 0; at -= MARK_EVERY) keys.push(earlierKey(keys.at(-1)!, MARK_EVERY));
    const [oldest] = marks.keys();
    if (marks.size >= CHAINS_REMEMBERED && oldest !== undefined) marks.delete(oldest);
    marks.set(name, keys);
  }
  const mark = Math.floor((CHAIN_LENGTH - n) / MARK_EVERY);
  return earlierKey(keys[mark]!, CHAIN_LENGTH - mark * MARK_EVERY - n);
}

export interface PhaseKeys {
  open: Buffer;
  secret: Buffer;
  /** The key before the open one: what anyone hashes it against. The chain's head for its first phase. */
  previous: Buffer;
}

/** The keys of phase n. Whoever calls this makes sure that nobody learns them before the phase is done. */
export async function phaseKeys(
  service: Pick<Service, 'secret'>,
  db: Reader,
  gameId: number,
  n: number,
): Promise<PhaseKeys> {
  const keyOf = async (kind: KeyChainRow['kind'], back = 0): Promise<Buffer> => {
    const chain = known(await chainFor(db, gameId, kind, n), `no dice key for phase ${n} of game ${gameId}`);
    return walkedKey(chainRoot(service, chain), n - chain.first_n + 1 - back);
  };
  return { open: await keyOf('open'), secret: await keyOf('secret'), previous: await keyOf('open', 1) };
}

/** The dice of a phase. Set-up draws on the keys of phase 1 with contexts of its own (`0.setup`). */
export async function gameDice(
  service: Pick<Service, 'secret'>,
  db: Reader,
  game: Pick<GameRow, 'id' | 'ref' | 'settings'>,
  phase: PhaseId,
): Promise<LoggedDice> {
  const keys = await phaseKeys(service, db, game.id, Math.max(1, phase.n));
  return phaseDice(keys.open, keys.secret, game.settings.diceName ?? game.ref, phase);
}
