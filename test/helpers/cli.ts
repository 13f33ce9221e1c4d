/** Runs verbs of the command line: in this process where many cases are tried, as a child as a user would. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { vi } from 'vitest';

const BIN = fileURLToPath(new URL('../../bin/fieldpost.js', import.meta.url));

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs one verb in this process, with what it prints caught. An error is a line on standard error and code 1. */
export async function runVerb(register: (program: Command) => void, ...args: string[]): Promise<Ran> {
  const caught = { stdout: [] as string[], stderr: [] as string[] };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      caught[name].push(Buffer.isBuffer(chunk) ? chunk.toString('latin1') : String(chunk));
      return true;
    }),
  );
  // The test runner sets a BASE_URL of its own.
  vi.stubEnv('BASE_URL', '');
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    const program = new Command('fieldpost').exitOverride();
    register(program);
    for (const command of program.commands) command.exitOverride();
    await program.parseAsync(['node', 'fieldpost', ...args]);
  } catch (problem) {
    caught.stderr.push(`${(problem as Error).message}\n`);
    process.exitCode = 1;
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
  const code = Number(process.exitCode ?? 0);
  process.exitCode = before;
  return { code, stdout: caught.stdout.join(''), stderr: caught.stderr.join('') };
}

/** Runs the command as a user does, in a folder of its own and with nothing of our environment but what is given. */
export function fieldpost(args: string[], options: { cwd: string; env?: Record<string, string> }): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH ?? '', HOME: options.cwd, ...options.env };
    const child = spawn(process.execPath, [BIN, ...args], { cwd: options.cwd, env });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code: code ?? -1, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
  });
}
