/**
 * A game that the house has never heard of: begun by new-system in a folder of its own, with sides, colours and a ledger of
 * its own, and a hand that only its owner knows. Nothing of the house is touched for it.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { newSystem } from '../../src/cli/new-system.ts';
import type { GameSystem } from '../../src/kernel/types.ts';
import { openScenarios, type ScenarioStore } from '../../src/scenarios.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface ForeignGame {
  system: GameSystem;
  /** The checkout it was written into: holds its own files and the index of games. */
  folder: string;
  /** The names of what was written, the index last. */
  written: string[];
  scenarios: ScenarioStore;
  templates: string;
}

/** Writes the game `waterloo` (French against Prussians) and opens it. */
export async function foreignGame(): Promise<ForeignGame> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-foreign-'));
  fs.mkdirSync(path.join(folder, 'src/systems'), { recursive: true });
  fs.copyFileSync(path.join(ROOT, 'src/systems/index.ts'), path.join(folder, 'src/systems/index.ts'));
  fs.symlinkSync(path.join(ROOT, 'src/kernel'), path.join(folder, 'src/kernel'));
  const written = newSystem(folder, 'waterloo', 'WAT');
  for (const file of written.slice(0, -1)) {
    const at = path.join(folder, file);
    fs.writeFileSync(at, withOwnSides(fs.readFileSync(at, 'utf8')));
  }
  const source = pathToFileURL(path.join(folder, 'src/systems/waterloo/system.ts')).href;
  const { waterloo } = (await import(/* @vite-ignore */ source)) as { waterloo: GameSystem };
  const scenarios = openScenarios([path.join(folder, 'scenarios')], [waterloo]);
  return { system: waterloo, folder, written, scenarios, templates: path.join(folder, 'templates') };
}

function withOwnSides(text: string): string {
  return text
    .replace(/\bred\b/g, 'french')
    .replace(/\bblue\b/g, 'prussian')
    .replace(/\bRed\b/g, 'French')
    .replace(/\bBlue\b/g, 'Prussian')
    .replace(/"short": "R"/, '"short": "FR"')
    .replace(/"short": "B"/, '"short": "PR"')
    .replaceAll('#8a2f22', '#123c8c')
    .replaceAll('#2f4a7c', '#4b2f7d');
}
