/** CONFIRM code: what a code that was mailed to an address is good for, done once it comes back from that address. */

import type { PendingRow, WaitingCommand } from '../../store/club-schema.ts';
import { gameById, seatById } from '../../store/games.ts';
import { addAddress, changePerson, takePending } from '../../store/members.ts';
import { addressesOf, personByAddress, personById, personFor } from '../../store/people.ts';
import type { PersonRow, SeatRow } from '../../store/schema.ts';
import { codeHash, type Errand, no, type Said, words, yes } from '../errand.ts';
import { speakersOf } from '../seats.ts';
import { forgetNow } from './anyone.ts';
import { startDeputy } from './deputy.ts';
import { acceptInvitation, sideName, startStandIn } from './signup.ts';

type Obey = (errand: Errand) => Promise<Said>;

export async function confirm(errand: Errand, obey: Obey): Promise<Said> {
  const row = await takePending(errand.trx, codeHash(errand.args.code ?? ''), errand.now, errand.from);
  // The same words for an unknown code, a used one and one that went to another address.
  if (!row) return no(errand, 'code unknown');
  switch (row.kind) {
    case 'signup':
      return signedUp(errand, row, obey);
    case 'address':
      return addressConfirmed(errand, row);
    case 'invite':
      return invited(errand, row);
    case 'substitute':
      return standsIn(errand, row);
    case 'deputy':
      return becomesDeputy(errand, row);
    case 'forget':
      return forgetNow(errand, row.person_id ?? 0);
    case 'command':
      return confirmed(errand, row, obey);
    case 'signin':
      return no(errand, 'code for the page');
  }
}

/** The person of the author's address, made now if the code is the first thing he ever confirmed. */
async function personOf(errand: Errand, name: string): Promise<PersonRow> {
  const known = await personByAddress(errand.trx, errand.from);
  if (known) return known;
  const zone = errand.service.config.club.zone;
  const person = await personFor(errand.trx, { address: errand.from, name, zone }, errand.now);
  const consent = errand.args.consent?.toLowerCase() === 'private' ? 'private' : 'public';
  await changePerson(errand.trx, person.id, { settings: { consent } });
  return (await personById(errand.trx, person.id))!;
}

async function signedUp(errand: Errand, row: PendingRow, obey: Obey): Promise<Said> {
  const person = await personOf(errand, String(row.payload.name ?? 'A player'));
  const club = errand.service.config.club.name;
  const welcome = words(errand, 'welcome', { name: person.name, club, zone: person.zone });
  const after = [row.payload.after ?? []].flat();
  if (after.length === 0) return { ok: true, paragraphs: welcome.split('\n\n') };
  const commands = after.map((one) => (typeof one === 'string' ? { text: one, gameRef: null, press: null } : one));
  const said = await confirmed({ ...errand, person }, { ...row, payload: { commands } }, obey);
  return { ...said, paragraphs: [...welcome.split('\n\n'), ...said.paragraphs] };
}

async function addressConfirmed(errand: Errand, row: PendingRow): Promise<Said> {
  if (row.person_id === null) return no(errand, 'code unknown');
  const other = await personByAddress(errand.trx, row.address);
  if (other && other.id !== row.person_id) return no(errand, 'address of another');
  const own = await addressesOf(errand.trx, row.person_id);
  await addAddress(errand.trx, row.person_id, row.address, own.length, errand.now);
  return yes(errand, 'address confirmed', { address: row.address });
}

async function invited(errand: Errand, row: PendingRow): Promise<Said> {
  if (row.game_id === null) return no(errand, 'code unknown');
  const person = await personOf(errand, errand.fromName ?? errand.from.split('@')[0]!);
  const side = String(row.payload.side);
  const result = await acceptInvitation({ ...errand, person }, row.game_id, side, person);
  const game = await gameById(errand.trx, row.game_id);
  const params = { game: game.ref, title: game.title, side: sideName(errand.service, game, side), due: '' };
  if (result === 'seen') return no(errand, 'has seen', params);
  if (result === 'gone') return no(errand, 'seat gone', params);
  return yes(errand, result === 'started' ? 'joined and started' : result === 'joined' ? 'joined' : 'replaces', params);
}

/** A deputy said yes: from now on he has the master's verbs, and everybody is told. */
async function becomesDeputy(errand: Errand, row: PendingRow): Promise<Said> {
  if (row.game_id === null) return no(errand, 'code unknown');
  const person = await personOf(errand, errand.fromName ?? errand.from.split('@')[0]!);
  return startDeputy(errand, await gameById(errand.trx, row.game_id), person);
}

async function standsIn(errand: Errand, row: PendingRow): Promise<Said> {
  const person = await personOf(errand, errand.fromName ?? errand.from.split('@')[0]!);
  const until = String(row.payload.until);
  const good = await startStandIn({ ...errand, person }, Number(row.payload.seat), until, person);
  return good ? yes(errand, 'you stand in', { until }) : no(errand, 'stand-in plays');
}

/** Commands that waited for their author's proof, in their order. */
async function confirmed(errand: Errand, row: PendingRow, obey: Obey): Promise<Said> {
  // A code from before a mail could hold several has the one command as its payload.
  const waiting = row.payload.commands ?? [row.payload as WaitingCommand];
  const said: Said[] = [];
  for (const { text, gameRef, seatId, press } of waiting) {
    const seat = seatId == null ? errand.seat : await ownSeat(errand, seatId);
    const person = (await personByAddress(errand.trx, errand.from)) ?? null;
    const { waits: _, ...alone } = errand;
    const one = await obey({ ...alone, person, seat, text, args: {}, gameRef, press, trusted: true, confirmed: true });
    said.push(
      waiting.length === 1
        ? one
        : { ...one, paragraphs: [words(errand, 'answer to', { command: text }), ...one.paragraphs] },
    );
  }
  const subject = said.find((one) => one.subject !== undefined)?.subject;
  return {
    ok: said.every(({ ok }) => ok),
    paragraphs: said.flatMap(({ paragraphs }) => paragraphs),
    ...(subject === undefined ? {} : { subject }),
  };
}

/** The seat a command was written for, if its author still may speak for it. */
async function ownSeat(errand: Errand, seatId: number): Promise<SeatRow | null> {
  const seat = await seatById(errand.trx, seatId);
  const person = await personByAddress(errand.trx, errand.from);
  return person && (await speakersOf(errand.trx, seat)).includes(person.id) ? seat : null;
}
