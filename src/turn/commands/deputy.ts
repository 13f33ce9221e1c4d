/** DEPUTY: somebody who acts for the master of a game, above all where the master plays in it. He holds no seat there. */
import { addRole, dropRoles, rolesIn } from '../../store/club.ts';
import { logAction } from '../../store/games.ts';
import { personByAddress, personById } from '../../store/people.ts';
import type { GameRow, PersonRow } from '../../store/schema.ts';
import { actor, type Errand, no, offerCode, type Said, words, yes } from '../errand.ts';
import { tellAddress, tellGame } from '../post/notices.ts';
import { newToken, ROLE_PURPOSE } from '../seats.ts';
import { playsIn } from './impartial.ts';
import { namedTo } from './signup.ts';

/** Asks an address to be a game's deputy: he is one when the code comes back. */
export async function askDeputy(errand: Errand, game: GameRow, address: string): Promise<void> {
  const code = await offerCode(errand, { kind: 'deputy', address, gameId: game.id, days: 14 });
  const { title, by } = await namedTo(errand, game, address);
  const params = { club: errand.service.config.club.name, game: game.ref, title, by, code };
  const about = { key: 'deputy asked', params, title: `CONFIRM ${code}` };
  await tellAddress(errand.service, errand.trx, address, about, { game });
}

/** May this person be deputy? One who plays may not. */
export async function mayBeDeputy(errand: Errand, game: GameRow, address: string): Promise<boolean> {
  const person = await personByAddress(errand.trx, address);
  return !person || !(await playsIn(errand.service, errand.trx, game, person.id));
}

/** The deputy said yes: the old one, if there was one, is none any more, and everybody is told. */
export async function startDeputy(errand: Errand, game: GameRow, person: PersonRow): Promise<Said> {
  const { service, trx, now } = errand;
  if (game.status === 'over' || game.status === 'cancelled') return no(errand, 'game is over', { game: game.ref });
  if (person.id === game.master_id || (await playsIn(service, trx, game, person.id)))
    return no(errand, 'deputy plays', { game: game.ref });
  await endDeputies(errand, game);
  const token = newToken(service, ROLE_PURPOSE);
  await addRole(trx, {
    gameId: game.id,
    personId: person.id,
    role: 'deputy',
    tokenHash: token.hash,
    tokenSealed: token.sealed,
    now,
  });
  const { door } = errand;
  await logAction(trx, { at: now, gameId: game.id, who: person.name, door, what: 'deputy', public: true });
  const params = { game: game.ref, name: person.name };
  await tellGame(service, trx, game, { key: 'deputy named', params }, { except: person.id });
  return yes(errand, 'deputy now', { game: game.ref, title: game.title });
}

/** DEPUTY OFF, or another one begins. Returns how many there were. */
export async function endDeputies(errand: Errand, game: GameRow): Promise<number> {
  let ended = 0;
  for (const one of await rolesIn(errand.trx, game.id)) {
    if (one.role !== 'deputy') continue;
    ended += await dropRoles(errand.trx, one.person_id, game.id, ['deputy']);
    const { now, door, trx, service } = errand;
    await logAction(trx, { at: now, gameId: game.id, who: actor(errand), door, what: 'deputy ended', public: true });
    const name = (await personById(trx, one.person_id))?.name ?? words(errand, 'former member');
    await tellGame(service, trx, game, { key: 'deputy ended', params: { game: game.ref, name } });
  }
  return ended;
}
