/** Files that go into every exported game beside its own: what it is, and the script that checks its dice. */
import fs from 'node:fs';
import path from 'node:path';
import { TEMPLATES } from '../words.ts';

/** The companions of a language by name, English where it has none. */
export function companions(language = 'en'): Map<string, Buffer> {
  const own = path.join(TEMPLATES, language, 'bundle');
  const folder = fs.existsSync(own) ? own : path.join(TEMPLATES, 'en', 'bundle');
  const names = fs.readdirSync(folder);
  names.sort();
  return new Map(names.map((name) => [name, fs.readFileSync(path.join(folder, name))]));
}
