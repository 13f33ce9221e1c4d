/**
 * What players put into the dice before a game begins: words of their own, or the digest of the mail they joined with. Those
 * who run the game or the service come first: what they would add after another player's words is left out, so that the
 * last word is never theirs.
 */
import { rolesIn } from '../../store/club.ts';
import { gameById, seatsOf, setGameSettings } from '../../store/games.ts';
import { addressesOf } from '../../store/people.ts';
import type { GameRow, SeedWords } from '../../store/schema.ts';
import { confirmFirst, type Errand, gameMeant, isOperator, no, type Said, words, yes } from '../errand.ts';

const WORDS_CHARS_MAX = 200;

/** Does this person run the game or the service? */
async function runs(errand: Errand, game: GameRow, personId: number): Promise<boolean> {
  if (game.master_id === personId) return true;
  const roles = await rolesIn(errand.trx, game.id);
  if (roles.some((one) => one.role === 'deputy' && one.person_id === personId)) return true;
  return isOperator(errand.service, await addressesOf(errand.trx, personId));
}

/** Puts a side's words into the dice of a game that is forming. False: somebody who runs it comes too late. */
export async function putWords(errand: Errand, gameId: number, side: string, personId: number): Promise<boolean> {
  const game = await gameById(errand.trx, gameId);
  const { seed } = game.settings;
  if (!seed || game.status !== 'forming') return false;
  const text = (errand.args.words ?? '').replace(/\s+/g, ' ').trim().slice(0, WORDS_CHARS_MAX);
  const late = (await runs(errand, game, personId)) && seed.words.some((one) => !one.runs && one.side !== side);
  const own: SeedWords = late
    ? { side, text: '', how: 'none', runs: true }
    : {
        side,
        text: text === '' ? (errand.mailDigest ?? '') : text,
        how: text !== '' ? 'words' : errand.mailDigest ? 'mail' : 'none',
        runs: await runs(errand, game, personId),
      };
  const others = seed.words.filter((one) => one.side !== side);
  await setGameSettings(errand.trx, game.id, { ...game.settings, seed: { ...seed, words: [...others, own] } });
  return !late;
}

/** A seat that was given back before the game takes its words with it. */
export async function dropWords(errand: Errand, game: GameRow, side: string): Promise<void> {
  const { seed } = game.settings;
  if (!seed || game.status !== 'forming') return;
  const words = seed.words.filter((one) => one.side !== side);
  await setGameSettings(errand.trx, game.id, { ...game.settings, seed: { ...seed, words } });
}

/** What a player is told of the dice before the game begins: the club is bound, and may be given words. */
export function commitmentText(errand: Pick<Errand, 'service'>, game: GameRow): string[] {
  const { seed } = game.settings;
  return seed && game.status === 'forming'
    ? [words(errand, 'dice bound', { game: game.ref, commitment: seed.commitment })]
    : [];
}

/** WORDS game text: before the game begins. */
export async function diceWords(errand: Errand): Promise<Said> {
  const game = await gameMeant(errand);
  if (!game || !errand.person) return no(errand, 'no such game', { game: errand.args.game ?? '' });
  if (!errand.trusted) return confirmFirst(errand);
  const own = (await seatsOf(errand.trx, game.id)).filter((seat) => seat.person_id === errand.person!.id);
  if (own.length === 0) return no(errand, 'no seat there');
  if (game.status !== 'forming') return no(errand, 'words late', { game: game.ref });
  let taken = true;
  for (const seat of own) taken = (await putWords(errand, game.id, seat.side, errand.person.id)) && taken;
  return taken ? yes(errand, 'words taken', { game: game.ref }) : no(errand, 'words not last', { game: game.ref });
}
