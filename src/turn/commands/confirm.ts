/** CONFIRM code: what a code that was mailed to an address is good for, done once it comes back from that address. */

import type { PendingRow, WaitingCommand } from '../../store/club-schema.ts';
import { gameById, seatById } from '../../store/games.ts';
import { addAddress, changePerson, takePending } from '../../store/members.ts';
import { addressesOf, personByAddress, personById, personFor } from '../../store/people.ts';
import type { PersonRow, SeatRow } from '../../store/schema.ts';
import { type Ask, codeHash, no, type Said, words, yes } from '../errand.ts';
import { speakersOf } from '../seats.ts';
import { forgetNow } from './anyone.ts';
import { acceptInvitation, sideName, startStandIn } from './signup.ts';

type Obey = (ask: Ask) => Promise<Said>;

export async function confirm(ask: Ask, obey: Obey): Promise<Said> {
  const row = await takePending(ask.trx, codeHash(ask.args.code ?? ''), ask.now, ask.from);
  // The same words for an unknown code, a used one and one that went to another address.
  if (!row) return no(ask, 'code unknown');
  switch (row.kind) {
    case 'signup':
      return signedUp(ask, row, obey);
    case 'address':
      return addressConfirmed(ask, row);
    case 'invite':
      return invited(ask, row);
    case 'substitute':
      return standsIn(ask, row);
    case 'forget':
      return forgetNow(ask, row.person_id ?? 0);
    case 'command':
      return confirmed(ask, row, obey);
    case 'signin':
      return no(ask, 'code for the page');
  }
}

/** The person of the author's address, made now if the code is the first thing he ever confirmed. */
async function personOf(ask: Ask, name: string): Promise<PersonRow> {
  const known = await personByAddress(ask.trx, ask.from);
  if (known) return known;
  const zone = ask.service.config.club.zone;
  const person = await personFor(ask.trx, { address: ask.from, name, zone }, ask.now);
  const consent = ask.args.consent?.toLowerCase() === 'private' ? 'private' : 'public';
  await changePerson(ask.trx, person.id, { settings: { consent } });
  return (await personById(ask.trx, person.id))!;
}

async function signedUp(ask: Ask, row: PendingRow, obey: Obey): Promise<Said> {
  const person = await personOf(ask, String(row.payload.name ?? 'A player'));
  const club = ask.service.config.club.name;
  const welcome = words(ask, 'welcome', { name: person.name, club, zone: person.zone });
  const after = [row.payload.after ?? []].flat();
  if (after.length === 0) return { ok: true, paragraphs: welcome.split('\n\n') };
  const commands = after.map((one) => (typeof one === 'string' ? { text: one, gameRef: null, press: null } : one));
  const said = await confirmed({ ...ask, person }, { ...row, payload: { commands } }, obey);
  return { ...said, paragraphs: [...welcome.split('\n\n'), ...said.paragraphs] };
}

async function addressConfirmed(ask: Ask, row: PendingRow): Promise<Said> {
  if (row.person_id === null) return no(ask, 'code unknown');
  const other = await personByAddress(ask.trx, row.address);
  if (other && other.id !== row.person_id) return no(ask, 'address of another');
  const own = await addressesOf(ask.trx, row.person_id);
  await addAddress(ask.trx, row.person_id, row.address, own.length, ask.now);
  return yes(ask, 'address confirmed', { address: row.address });
}

async function invited(ask: Ask, row: PendingRow): Promise<Said> {
  if (row.game_id === null) return no(ask, 'code unknown');
  const person = await personOf(ask, ask.fromName ?? ask.from.split('@')[0]!);
  const side = String(row.payload.side);
  const result = await acceptInvitation({ ...ask, person }, row.game_id, side, person);
  const game = await gameById(ask.trx, row.game_id);
  const params = { game: game.ref, title: game.title, side: sideName(ask.service, game, side), due: '' };
  if (result === 'gone') return no(ask, 'seat gone', params);
  return yes(ask, result === 'started' ? 'joined and started' : result === 'joined' ? 'joined' : 'replaces', params);
}

async function standsIn(ask: Ask, row: PendingRow): Promise<Said> {
  const person = await personOf(ask, ask.fromName ?? ask.from.split('@')[0]!);
  const until = String(row.payload.until);
  const good = await startStandIn({ ...ask, person }, Number(row.payload.seat), until, person);
  return good ? yes(ask, 'you stand in', { until }) : no(ask, 'stand-in plays');
}

/** Commands that waited for their author's proof, in their order. */
async function confirmed(ask: Ask, row: PendingRow, obey: Obey): Promise<Said> {
  // A code from before a mail could hold several has the one command as its payload.
  const waiting = row.payload.commands ?? [row.payload as WaitingCommand];
  const said: Said[] = [];
  for (const { text, gameRef, seatId, press } of waiting) {
    const seat = seatId == null ? ask.seat : await ownSeat(ask, seatId);
    const person = (await personByAddress(ask.trx, ask.from)) ?? null;
    const { waits: _, ...alone } = ask;
    const one = await obey({ ...alone, person, seat, text, args: {}, gameRef, press, trusted: true, confirmed: true });
    said.push(
      waiting.length === 1
        ? one
        : { ...one, paragraphs: [words(ask, 'answer to', { command: text }), ...one.paragraphs] },
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
async function ownSeat(ask: Ask, seatId: number): Promise<SeatRow | null> {
  const seat = await seatById(ask.trx, seatId);
  const person = await personByAddress(ask.trx, ask.from);
  return person && (await speakersOf(ask.trx, seat)).includes(person.id) ? seat : null;
}
