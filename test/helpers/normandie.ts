/** Small battles for rule tests: boards drawn in ASCII, counters of their own, orders given as data. */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { listDice } from '../../src/kernel/dice.ts';
import type { Scenario } from '../../src/kernel/types.ts';
import { type Book, openBook } from '../../src/systems/normandie/content/opened.ts';
import type { Data } from '../../src/systems/normandie/data.ts';
import { normandie } from '../../src/systems/normandie/system.ts';
import { setup } from '../../src/systems/normandie/turn/setup.ts';
import type { NormandieTable } from '../../src/systems/normandie/types.ts';

const CONTENT = fileURLToPath(new URL('../../scenarios/normandie/', import.meta.url));

/** A scenario of ours by its short id. */
export function normandieScenario(id: string): Scenario {
  const names = fs.readdirSync(CONTENT).filter((name) => name.endsWith('.json'));
  const offer = normandie.scenarios(names).find((each) => each.id === `normandie/${id}`);
  if (!offer) throw new Error(`no scenario ${id}`);
  const files = Object.fromEntries(
    offer.files.map((name) => [name, JSON.parse(fs.readFileSync(CONTENT + name, 'utf8')) as unknown]),
  );
  const read = normandie.read(offer.id, files);
  if ('faults' in read) throw new Error(read.faults.join('\n'));
  return read.scenario;
}

export function normandieBook(id: string): Book {
  return openBook(normandieScenario(id).data as Data);
}

/** A table with nothing on it. */
export function emptyTable(): NormandieTable {
  const state = setup(normandieBook('orchard'), {}, listDice('HON-0000', { n: 0, turn: 0, step: 'setup' }, []));
  return { ...state.table, units: [], roster: [], tiles: [], gear: [] };
}
