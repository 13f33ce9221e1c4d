/** How .ci/run counts: what is not a passed test is a failed one. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const CI = fileURLToPath(new URL('../.ci/', import.meta.url));
let folder: string;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-ci-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

interface Result {
  fullName: string;
  status: string;
}

function count(files: { status: string; message?: string; assertionResults: Result[] }[], exitCode = 0) {
  const report = path.join(folder, 'report.json');
  fs.writeFileSync(
    report,
    JSON.stringify({ testResults: files.map((file, i) => ({ name: `${i}.test.ts`, ...file })) }),
  );
  const { stdout, stderr } = spawnSync(process.execPath, [path.join(CI, 'count.js'), report, String(exitCode)], {
    encoding: 'utf8',
  });
  return { counted: stdout.trim(), said: stderr.trim() };
}

const passed = { fullName: 'a passes', status: 'passed' };

describe('counting', () => {
  test('passed tests', () => {
    expect(count([{ status: 'passed', assertionResults: [passed, passed] }])).toEqual({ counted: '2 0', said: '' });
  });

  test('a failed test is named', () => {
    const failed = { fullName: 'b fails', status: 'failed' };
    expect(count([{ status: 'failed', assertionResults: [passed, failed] }], 1)).toEqual({
      counted: '1 1',
      said: 'failed: 0.test.ts: b fails',
    });
  });

  test.each(['skipped', 'pending', 'todo', 'disabled'])('a test that is %s counts as failed', (status) => {
    const { counted, said } = count([
      { status: 'passed', assertionResults: [passed, { fullName: 'with Dovecot', status }] },
    ]);
    expect(counted).toBe('1 1');
    expect(said).toContain('skipped: with Dovecot');
  });

  test('what runs only by hand does not count', () => {
    const assertionResults = [passed, { fullName: 'whole games (by hand)', status: 'skipped' }];
    expect(count([{ status: 'passed', assertionResults }]).counted).toBe('1 0');
  });

  test('a test file that could not be read counts as failed', () => {
    const { counted, said } = count([{ status: 'failed', message: 'no such module\nat …', assertionResults: [] }], 1);
    expect(counted).toBe('0 1');
    expect(said).toBe('failed: 0.test.ts: no such module');
  });

  test('an exit code that no test explains counts as failed', () => {
    expect(count([{ status: 'passed', assertionResults: [passed] }], 1)).toMatchObject({ counted: '1 1' });
  });
});

describe('the whole script', () => {
  /** A repository with nothing in it but .ci, and programs that only pretend. */
  function pretend(npm: string): { code: number | null; lines: string[] } {
    const root = fs.mkdtempSync(path.join(folder, 'repo-'));
    fs.cpSync(CI, path.join(root, '.ci'), { recursive: true });
    const bin = path.join(root, 'bin');
    fs.mkdirSync(bin);
    const script = (name: string, body: string): void =>
      fs.writeFileSync(path.join(bin, name), `#!/bin/bash\n${body}\n`, { mode: 0o755 });
    for (const name of ['dovecot', 'pdftotext', 'qpdf', 'chromium', 'python3', 'apt-get', 'sudo'])
      script(name, 'exit 0');
    script('npm', npm);
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, TEST_REPORT: path.join(root, 'report.json') };
    const { status, stdout } = spawnSync('bash', [path.join(root, '.ci/run')], { encoding: 'utf8', env });
    return { code: status, lines: stdout.trim().split('\n') };
  }
  const report = (status: string): string =>
    `if [ "$1" = test ]; then echo '{"testResults":[{"name":"x","status":"${status}","assertionResults":[{"fullName":"a","status":"${status}"}]}]}' > "$TEST_REPORT"; fi`;

  test('ends with the count alone, and with code 0 when nothing failed', () => {
    const { code, lines } = pretend(`${report('passed')}; echo noise`);
    expect(lines.at(-1)).toBe('1 passed, 0 failed');
    expect(code).toBe(0);
  });

  test('ends with another code when something failed', () => {
    const { code, lines } = pretend(`${report('failed')}; [ "$1" != test ]`);
    expect(lines.at(-1)).toBe('0 passed, 1 failed');
    expect(code).toBe(1);
  });

  test('fails when the tests never ran, or nothing could be installed', () => {
    expect(pretend('[ "$1" != test ]')).toMatchObject({ code: 1, lines: ['0 passed, 1 failed'] });
    expect(pretend('[ "$1" != ci ]')).toMatchObject({ code: 1, lines: ['0 passed, 1 failed'] });
  });

  test('can be run as it is', () => {
    expect(() => execFileSync('test', ['-x', path.join(CI, 'run')])).not.toThrow();
  });
});
