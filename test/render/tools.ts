/** Outside tools that look at our PDFs. Missing ones fail the run where nothing may be skipped, and are told loudly elsewhere. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Is the tool there? Throws in CI when it is not. */
export function hasTool(name: string): boolean {
  const found = spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
  if (!found && process.env.CI) throw new Error(`${name} is not installed; tests of PDF files need it`);
  if (!found) console.warn(`SKIPPED: ${name} is not installed, a test of PDF files was left out`);
  return found;
}

/** Runs a tool on a PDF; `-` in the arguments stands for the file. Gives what it prints. */
export function onPdf(pdf: Buffer, tool: string, args: readonly string[]): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-pdf-'));
  const file = path.join(dir, 'map.pdf');
  try {
    fs.writeFileSync(file, pdf);
    const filled = args.map((arg) => (arg === '@' ? file : arg));
    return execFileSync(tool, filled, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}
