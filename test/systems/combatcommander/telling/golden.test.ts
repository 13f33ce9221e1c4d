/**
 * One battle from the first choice to the opening of the next one, as both players read it: every report word for word.
 * GOLDEN=write npx vitest run test/systems/combatcommander/telling/golden.test.ts writes the file anew; read its diff before that.
 */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hashOf } from '../../../../src/kernel/hash.ts';
import type { CampaignEvent } from '../../../../src/systems/combatcommander/types.ts';
import { newCampaign, type Played, play, reportText } from '../../../helpers/combatcommander.ts';
import { heardBy } from '../../../helpers/play.ts';

const FILE = fileURLToPath(new URL('../fixtures/first-battle.txt', import.meta.url));

const PHASES: { american?: string[]; german?: string[] }[] = [
  { american: ['SECTIONS C E'] },
  { german: ['SECTIONS Ehnert'] },
  {
    american: ['ARMOR YES'],
    german: ['SUPPORT BUY CHEAPEST', 'ARMOR IF OPPONENT ARMOR', 'ARTILLERY 2 UNLESS ARMOR'],
  },
  { german: ['FORT 1 Wire', 'FORT VP Trenches'] },
  { american: ['RADIO NO', 'SETUP DEPLOY C/1 INTO C/1A C/1B, CHARGE WITH C/1A, CHARGE WITH C/1B'] },
  { german: [] },
  { american: ['REPORT BATTLE 1 WINNER AMERICAN VP 9'] },
  { german: ['REPORT BATTLE 1 WINNER GERMAN VP 2'] },
  { american: ['CONFIRM BATTLE 1'], german: ['REPORT BATTLE 1 WINNER GERMAN VP 2 NOTE "the wire held"'] },
  { german: ['CHOOSE QUALITY OPPONENT', 'CHOOSE REQUEST 1'] },
];

function told(): string {
  const lines: string[] = [];
  let state = newCampaign({}, { orientation: [1] });
  let events: CampaignEvent[] = [];
  for (const blocks of [...PHASES, undefined]) {
    const { phase } = state;
    lines.push(`######## phase ${phase.n}, battle ${phase.battle}, ${phase.step}, ${hashOf(state).slice(0, 12)}`);
    for (const side of ['american', 'german'] as const)
      lines.push(`#### ${side}`, ...reportText(state, side, heardBy(side, events) as CampaignEvent[]));
    if (!blocks) break;
    const played: Played = play(state, blocks, { seed: 'first battle' });
    state = played.state;
    events = played.events;
  }
  return `${lines.join('\n')}\n`;
}

test('C0.5: the first battle reads as it did', () => {
  if (process.env.GOLDEN === 'write') fs.writeFileSync(FILE, told());
  expect(told()).toBe(fs.readFileSync(FILE, 'utf8'));
});
