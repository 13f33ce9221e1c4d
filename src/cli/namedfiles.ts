/** Reading and writing the files named on the command line; what goes wrong is one clear line. */
import fs from 'node:fs';

/** The bytes of a file; `-` is standard input. */
export function readBytes(file: string): Buffer {
  try {
    return fs.readFileSync(file === '-' ? 0 : file);
  } catch (problem) {
    throw new Error(`can't read ${file}: ${reason(problem)}`);
  }
}

/** The lines of a text file, without line ends. */
export function readLines(file: string): string[] {
  return readBytes(file)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
}

export function readJson(file: string): unknown {
  return parseJson(readBytes(file).toString('utf8'), file);
}

/** Reads JSON given as text; `what` names it in the message. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (problem) {
    throw new Error(`${what} is not JSON: ${reason(problem)}`);
  }
}

/** Writes a file that did not exist before. `hidden`: for its owner alone. */
export function writeNew(file: string, content: Uint8Array | string, hidden = false): void {
  try {
    fs.writeFileSync(file, content, { flag: 'wx', mode: hidden ? 0o600 : 0o644 });
  } catch (problem) {
    throw new Error(`can't write ${file}: ${reason(problem)}`);
  }
}

function reason(problem: unknown): string {
  const { code, message } = problem as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EEXIST') return 'it is there already';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES') return 'not allowed';
  return message;
}

/** Prints a value as JSON: one line for a program, indented for a reader at a terminal. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined)}\n`);
}

/** Says on standard error how far long work has come, when somebody watches. */
export function progress(what: string): (done: number, of: number) => void {
  let shown = 0;
  return (done, of) => {
    if (!process.stderr.isTTY || (done < of && Date.now() - shown < 100)) return;
    shown = Date.now();
    process.stderr.write(`\r${what} ${done} of ${of}${done === of ? '\n' : ''}`);
  };
}
