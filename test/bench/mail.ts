/**
 * How fast mail is read, against mailparser's simpleParser in the same run on the same machine.
 *
 * Interleaved: each round runs every contender once, the ratio is taken round by round and the middle one printed, so
 * that a busy machine slows all alike. Run by itself: `npx tsx test/bench/mail.ts`.
 */
import { pathToFileURL } from 'node:url';
import { simpleParser } from 'mailparser';
import { startImap } from '../../src/mail/doors/imap.ts';
import { readInbound } from '../../src/mail/inbound.ts';
import { dovecotAvailable, startDovecot } from '../helpers/dovecot.ts';
import { corpus, mail, profile } from '../mail/mails.ts';

const ROUNDS = 15;
const IMAP_MAILS = 2000;
const IMAP_ROUNDS = 5;

export interface Figure {
  name: string;
  /** Mails a second, the middle of all rounds. */
  perSecond: number;
  /** The contender's mails a second, and ours divided by it; absent where nothing is compared. */
  against?: { name: string; perSecond: number; ratio: number; atLeast?: number };
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

async function rate(count: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (count * 1000) / (performance.now() - start);
}

/** Our parse + screen + lines and simpleParser on a set of mails, in turn. */
async function versusSimpleParser(name: string, mails: readonly Buffer[], rounds: number): Promise<Figure> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds + 2; round++) {
    const our = await rate(mails.length, async () => {
      for (const raw of mails) await readInbound(raw, profile);
    });
    const their = await rate(mails.length, async () => {
      for (const raw of mails) await simpleParser(raw);
    });
    // The first two rounds warm up.
    if (round >= 2) {
      ours.push(our);
      theirs.push(their);
    }
  }
  return {
    name: `parse + screen + lines, ${name}`,
    perSecond: middle(ours),
    against: {
      name: 'simpleParser',
      perSecond: middle(theirs),
      ratio: middle(ours.map((our, i) => our / theirs[i]!)),
      ...(name === 'corpus' ? { atLeast: 0.8 } : {}),
    },
  };
}

/** The slowest single corpus mail, as mails a second. */
async function slowestMail(): Promise<Figure> {
  let slowest = 0;
  let name = '';
  for (const entry of corpus('s')) {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const start = performance.now();
      await readInbound(entry.raw, profile);
      times.push(performance.now() - start);
    }
    if (Math.max(...times) > slowest) {
      slowest = Math.max(...times);
      name = entry.name;
    }
  }
  return { name: `slowest corpus mail: ${name}, ${slowest.toFixed(1)} ms at worst`, perSecond: 1000 / slowest };
}

/** IMAP intake (search, sizes, fetch, read, move) and bulk fetch + simpleParser, in turn, from a real Dovecot. */
async function imapIntake(): Promise<Figure | undefined> {
  if (!dovecotAvailable()) return undefined;
  const dovecot = await startDovecot();
  try {
    await dovecot.deliver(Array.from({ length: IMAP_MAILS }, (_, n) => order(n)));
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < IMAP_ROUNDS; round++) {
      theirs.push(await bulkFetch(dovecot));
      ours.push(await intake(dovecot));
      const client = await dovecot.client();
      await client.mailboxOpen('Processed');
      await client.messageMove('1:*', 'INBOX');
      await client.logout();
    }
    return {
      name: `IMAP intake of ${IMAP_MAILS} mails, moved to Processed`,
      perSecond: middle(ours),
      against: {
        name: 'bulk fetch + simpleParser',
        perSecond: middle(theirs),
        ratio: middle(ours.map((our, i) => our / theirs[i]!)),
        atLeast: 0.5,
      },
    };
  } finally {
    await dovecot.stop();
  }
}

type Server = Awaited<ReturnType<typeof startDovecot>>;

async function bulkFetch(dovecot: Server): Promise<number> {
  const client = await dovecot.client();
  const lock = await client.getMailboxLock('INBOX');
  const speed = await rate(IMAP_MAILS, async () => {
    for await (const message of client.fetch('1:*', { source: true })) await simpleParser(message.source!);
  });
  lock.release();
  await client.logout();
  return speed;
}

async function intake(dovecot: Server): Promise<number> {
  const quiet = (): void => {};
  let count = 0;
  const speed = await rate(IMAP_MAILS, async () => {
    const running = startImap({
      url: dovecot.url,
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      sizeMax: 2 * 1024 * 1024,
      onAuthFailure: quiet,
      onMail: async (raw) => {
        await readInbound(raw, profile);
        count++;
        return 'done';
      },
    });
    await running.drained();
    await running.close();
  });
  if (count !== IMAP_MAILS) throw new Error(`the intake saw ${count} of ${IMAP_MAILS} mails`);
  return speed;
}

/** An order mail of about 1 kB. */
function order(n: number): Buffer {
  const moves = Array.from({ length: 12 }, (_, i) => `MOVE ${i + 1}SS/${n % 90} F1411 -> F1512 -> F${1600 + i}`);
  return mail(
    { 'Message-ID': `<bench.${n}@example.com>` },
    `Hello,\n\nGAME OVL-0007\nTURN 3\n${moves.join('\n')}\nEND\n\n-- \nAnna\n`,
  );
}

/** All figures of the mail part. `fast` leaves out what needs a server. */
export async function benchMail(options: { fast?: boolean } = {}): Promise<Figure[]> {
  const orders = Array.from({ length: 100 }, (_, n) => order(n));
  const figures = [
    await versusSimpleParser(
      'corpus',
      corpus('s').map((entry) => entry.raw),
      ROUNDS,
    ),
    await versusSimpleParser('1 kB orders', orders, ROUNDS),
    await slowestMail(),
  ];
  const imap = options.fast ? undefined : await imapIntake();
  return imap ? [...figures, imap] : figures;
}

/** Prints figures as lines of text. */
export function printFigures(figures: readonly Figure[]): void {
  for (const { name, perSecond, against } of figures) {
    const compared = against
      ? `; ${against.name} ${Math.round(against.perSecond)}/s, ratio ${against.ratio.toFixed(2)}${
          against.atLeast === undefined
            ? ''
            : ` (at least ${against.atLeast}: ${against.ratio >= against.atLeast ? 'yes' : 'NO'})`
        }`
      : '';
    console.info(`${name}: ${Math.round(perSecond)}/s${compared}`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) printFigures(await benchMail());
