/**
 * An exported game as files by name in one zip archive. Every file but the manifest is listed in it with its SHA-256;
 * what does not fit is refused. The zip's times are fixed, so that the same game gives the same bytes.
 */
import { Readable } from 'node:stream';
import yauzl from 'yauzl';
import yazl from 'yazl';
import { sha256 } from '../../kernel/hash.ts';

export const MANIFEST = 'manifest.json';
const FILES_MAX = 100_000;
const FILE_BYTES_MAX = 64 * 1024 * 1024;
const BUNDLE_BYTES_MAX = 1024 * 1024 * 1024;
/** The earliest time a zip archive can tell. */
const WRITTEN_AT = new Date('1980-01-01T00:00:00Z');

export type BundleFiles = Map<string, Buffer>;

/** The digests of files, by name in order, as the manifest lists them. */
export function digestsOf(files: ReadonlyMap<string, Buffer>): Record<string, string> {
  const names = [...files.keys()].filter((name) => name !== MANIFEST).sort();
  return Object.fromEntries(names.map((name) => [name, sha256(files.get(name)!)]));
}

/** Packs files in name order, the manifest first. */
export async function packBundle(files: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  const names = [...files.keys()].sort((a, b) => Number(b === MANIFEST) - Number(a === MANIFEST) || (a < b ? -1 : 1));
  const options = { mtime: WRITTEN_AT, mode: 0o100644, forceDosTimestamp: true };
  for (const name of names) zip.addBuffer(files.get(name)!, name, options);
  zip.end();
  return collect(Readable.from(zip.outputStream), BUNDLE_BYTES_MAX);
}

/** Unpacks and checks every file against the manifest. Throws one clear line for what is no bundle or was changed. */
export async function unpackBundle(bytes: Buffer): Promise<BundleFiles> {
  const files = await readZip(bytes);
  const manifest = files.get(MANIFEST);
  if (!manifest) throw new Error(`not an exported game: it has no ${MANIFEST}`);
  const listed = (parse(manifest) as { files?: Record<string, string> }).files ?? {};
  const found = digestsOf(files);
  for (const name of new Set([...Object.keys(listed), ...Object.keys(found)])) {
    if (!found[name]) throw new Error(`the exported game lacks ${name}`);
    if (!listed[name]) throw new Error(`the exported game has a file more than its manifest: ${name}`);
    if (found[name] !== listed[name]) throw new Error(`${name} in the exported game was changed`);
  }
  return files;
}

/** The JSON of a file of a bundle. */
export function parse(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString('utf8'));
}

function readZip(bytes: Buffer): Promise<BundleFiles> {
  return new Promise((resolve, reject) => {
    const fail = (problem: unknown): void => {
      reject(new Error(`not an exported game: ${problem instanceof Error ? problem.message : String(problem)}`));
    };
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (problem, zip) => {
      if (problem) {
        fail(problem);
        return;
      }
      const files: BundleFiles = new Map();
      let total = 0;
      zip.on('error', fail);
      zip.on('end', () => resolve(files));
      zip.on('entry', (entry: yauzl.Entry) => {
        total += entry.uncompressedSize;
        if (files.size >= FILES_MAX || entry.uncompressedSize > FILE_BYTES_MAX || total > BUNDLE_BYTES_MAX) {
          fail(`${entry.fileName} goes beyond the limits of a game`);
          return;
        }
        zip.openReadStream(entry, (trouble, stream) => {
          if (trouble) {
            fail(trouble);
            return;
          }
          collect(stream, FILE_BYTES_MAX).then((content) => {
            files.set(entry.fileName, content);
            zip.readEntry();
          }, fail);
        });
      });
      zip.readEntry();
    });
  });
}

async function collect(stream: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += (chunk as Buffer).length;
    if (length > most) throw new Error('larger than a game can be');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
