/** One folder's trial: its tests without a change, then every drawn mutant against the tests that meet it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Covered, Reply, Request, TestId } from './child.ts';
import { type ModuleScript, testsOf } from './modules.ts';
import type { Mutant } from './mutants.ts';

/** How often a mutant may be met, in times of how often it is met unchanged: more is a loop (StrykerJS's own factor). */
const HITS_FACTOR = 100;
/** Longest time for one mutant: this, and so many times what its tests take unchanged. */
const PATIENCE_MILLISECONDS = 20_000;
const PATIENCE_FACTOR = 20;
const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));

export type Fate = 'killed' | 'timeout' | 'survived' | 'no coverage';
export interface Verdict {
  mutant: Mutant;
  fate: Fate;
  /** The test it died by. */
  by: string | undefined;
  /** How many tests met it. */
  tests: number;
}
export interface Trial {
  testFiles: number;
  tests: number;
  verdicts: Verdict[];
}

/** Tries mutants of a folder with the tests in `testFolder`. Throws when a test fails without any change. */
export async function tryMutants(
  root: string,
  testFolder: string,
  mutants: readonly Mutant[],
  sources: ReadonlyMap<string, string>,
  told: (done: number, verdict: Verdict) => void,
): Promise<Trial> {
  const { tests, ...scripts } = await testsOf(root, testFolder, sources);
  if (tests.length === 0) throw new Error(`no test in ${testFolder} reaches these files without a database`);
  let child = await newChild(scripts);
  try {
    const first = await ask(child, { kind: 'dry', tests }, undefined);
    if (first?.kind === 'failed') throw new Error(`fails without any change: ${first.test}\n${first.message}`);
    if (first?.kind !== 'covered') throw new Error('the tests did not come to an end');
    const verdicts: Verdict[] = [];
    for (const mutant of mutants) {
      const plan = planFor(mutant, first.whileLoading, first.covered);
      const verdict: Verdict = { mutant, fate: 'no coverage', by: undefined, tests: plan.request.tests.length };
      if (verdict.tests > 0) {
        const reply = await ask(child, plan.request, plan.milliseconds);
        if (!reply) {
          child.kill('SIGKILL');
          child = await newChild(scripts);
        }
        verdict.by = reply?.kind === 'tried' ? reply.by : undefined;
        if (!reply || (reply.kind === 'tried' && reply.loop)) verdict.fate = 'timeout';
        else verdict.fate = verdict.by === undefined ? 'survived' : 'killed';
      }
      verdicts.push(verdict);
      told(verdicts.length, verdict);
    }
    return { testFiles: tests.length, tests: first.covered.length, verdicts };
  } finally {
    child.kill();
  }
}

/** Which tests a mutant must face, the quickest first: those that meet it, or all if it is met while modules load. */
function planFor(
  { id, file }: Mutant,
  whileLoading: Record<string, number>,
  covered: readonly Covered[],
): { request: Extract<Request, { kind: 'mutant' }>; milliseconds: number } {
  const met = ({ hits, opening }: Covered) => (hits[id] ?? 0) + (opening[id] ?? 0);
  const early = whileLoading[id] ?? 0;
  const facing = early > 0 ? [...covered] : covered.filter((test) => met(test) > 0);
  facing.sort((a, b) => Number(met(b) > 0) - Number(met(a) > 0) || a.milliseconds - b.milliseconds);
  const hits = facing.reduce((sum, test) => sum + met(test), early);
  const milliseconds = facing.reduce((sum, test) => sum + test.milliseconds, 0);
  const tests: TestId[] = facing.map((test) => ({ file: test.file, number: test.number }));
  return {
    request: { kind: 'mutant', id, file, whileLoading: early > 0, hitLimit: hits * HITS_FACTOR, tests },
    milliseconds: PATIENCE_MILLISECONDS + milliseconds * PATIENCE_FACTOR,
  };
}

async function newChild(scripts: { modules: ModuleScript[]; plain: ModuleScript[] }): Promise<ChildProcess> {
  const child = fork(CHILD, {
    cwd: HERE,
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await ask(child, { kind: 'load', ...scripts }, undefined);
  return child;
}

/** The child's answer. With a limit: undefined when it is over, or when the mutant has brought the process down. */
async function ask(child: ChildProcess, request: Request, limit: number | undefined): Promise<Reply | undefined> {
  const over = new AbortController();
  const timer = limit === undefined ? undefined : setTimeout(() => over.abort(), limit);
  const { signal } = over;
  const silent = (error: unknown): undefined => {
    if (!signal.aborted) throw error;
    return undefined;
  };
  const died = once(child, 'exit', { signal }).then((): undefined => {
    if (limit === undefined) throw new Error('the process that tries mutants has ended');
    return undefined;
  }, silent);
  const answered = once(child, 'message', { signal }).then(([reply]) => reply as Reply, silent);
  try {
    child.send(request);
    return await Promise.race([answered, died]);
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}
