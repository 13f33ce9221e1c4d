/** The handed mails for the demonstration game: what stands afterwards, whether FINAL counts, what the receipt names. */
import fs from 'node:fs';
import { expect, test } from 'vitest';
import { readInbound } from '../../src/mail/inbound.ts';
import { openScenarios, SCENARIOS } from '../../src/scenarios.ts';
import { answerTo } from '../../src/turn/intake/wouldbe.ts';
import { firstPhaseOf } from '../../src/turn/phase/firstphase.ts';
import { seats, wording } from './seats.ts';

const FOLDER = new URL('./fixtures/live/', import.meta.url);
const names = fs
  .readdirSync(FOLDER)
  .filter((file) => file.endsWith('.eml'))
  .map((file) => file.slice(0, -'.eml'.length));
const { profile } = seats.find(({ side }) => side === 'german')!;
const open = openScenarios([SCENARIOS]).open('overlord/campaign');

test('all thirteen are here', () => {
  expect(names).toHaveLength(13);
});

test.each(names)('%s', async (name) => {
  const wanted = JSON.parse(fs.readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));
  const { state } = firstPhaseOf({ open, side: wanted.side, seed: Buffer.alloc(32), dice: wanted.dice });
  const message = await readInbound(fs.readFileSync(new URL(`${name}.eml`, FOLDER)), profile);
  const said = answerTo(message, { open, state, side: wanted.side }, wording);
  expect([said.filed, said.final]).toEqual([wanted.filed, wanted.final]);
  if (wanted.mustMention) expect(message.strays.join('\n')).toContain(wanted.mustMention);
  if (wanted.mustMention) expect(said.errors).toMatchObject([{ code: 'OUTSIDE THE BLOCK' }]);
  if (wanted.keepsWhatStands) expect([said.filed, said.commands]).toEqual([[], []]);
});
