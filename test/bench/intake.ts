/**
 * How fast the post office is: from a mail to a composed receipt on one core, stored intake against a bare SMTP server
 * that writes and syncs, and the time from 250 to the receipt at the other end. Run by itself:
 * `npx tsx test/bench/intake.ts`, or with `receipts` for the first figure alone.
 */
import { type ChildProcess, fork } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import nodemailer from 'nodemailer';
import { readConfig } from '../../src/config.ts';
import { viewFor } from '../../src/kernel/view.ts';
import { composeMail } from '../../src/mail/doors/smtp.ts';
import { readInbound } from '../../src/mail/inbound.ts';
import { composeReceipt } from '../../src/render/letters/letters.ts';
import { openScenarios, SCENARIOS } from '../../src/scenarios.ts';
import { readOrders } from '../../src/turn/filing/reading.ts';
import { profileFor, profileOf } from '../../src/turn/intake/ourselves.ts';
import { normandy, wording } from '../helpers/overlord.ts';
import { playGame } from '../helpers/overlord-games.ts';
import { sensibleOrders } from '../helpers/overlord-players.ts';
import { letter } from '../helpers/service.ts';
import { startSink } from '../helpers/sink.ts';

const SERVER = fileURLToPath(new URL('./intake-server.ts', import.meta.url));
const ORDER_LINES = 20;
const MID_TURN = 12;
const MAILS = 1500;
const ROUNDS = 5;
const LATENCY_MAILS = 40;

export interface IntakeFigures {
  /** Mails a second of one core's time from raw bytes to the bytes of the receipt, no network. */
  receipts: number;
  /** Microseconds of one core a mail by step. */
  split: Record<string, number>;
  /** Mails a second taken, stored and acknowledged, pool 5. */
  stored: number;
  /** The same for a bare SMTP server that writes a file and syncs it. */
  bare: number;
  /** Milliseconds from 250 to the receipt at the outer server: the middle and the slowest. */
  latencyMs: { median: number; slowest: number };
}

/** The state of a campaign at mid-game, German to move, and twenty lines of German orders for it. */
function midCampaign() {
  const open = openScenarios([SCENARIOS]).open('overlord/campaign');
  const options = Object.fromEntries(open.scenario.options.map((option) => [option.name, option.fallback]));
  const start = normandy.rules.setup(options, {
    roll: (_c, n) => Array<number>(n).fill(3),
    shuffle: (_c, items) => [...items],
    draw: () => {},
  });
  const player = (view: Parameters<typeof sensibleOrders>[1]) => sensibleOrders(normandy.campaign, view);
  const record = playGame(normandy, start, { german: player, allied: player }, 'bench');
  const phase = record.phases.find(
    ({ input }) => input.state.phase.turn === MID_TURN && input.state.phase.step === 'german',
  );
  if (!phase) throw new Error('the game ended too early for this benchmark');
  const state = phase.input.state;
  const orders = sensibleOrders(normandy.campaign, viewFor(state, 'german')).slice(0, ORDER_LINES);
  const holds = Object.entries(state.table.units)
    .filter(([unit, place]) => unit.startsWith('DE') && /^\d{4}$/.test(place))
    .map(([unit]) => `HOLD ${unit}`);
  return { open, state, lines: [...orders, ...holds].slice(0, ORDER_LINES) };
}

/** Raw mail to composed receipt, with the time each step takes. */
export async function benchReceipts(): Promise<Pick<IntakeFigures, 'receipts' | 'split'>> {
  const { open, state, lines } = midCampaign();
  const { rules } = open;
  const scenarios = openScenarios([SCENARIOS]);
  const config = readConfig({});
  const profile = profileFor({ profile: profileOf(config, scenarios), scenarios }, 'overlord');
  const block = ['GAME OVL-0001', `TURN ${state.phase.turn}`, ...lines, 'END'];
  const raw = Buffer.from(letter('anna@players.example', 'orders@club.example', block));
  const split: Record<string, number> = { read: 0, 'parse and check': 0, forecast: 0, receipt: 0, bytes: 0 };
  let watched = false;
  const timed = async <T>(step: string, work: () => T | Promise<T>): Promise<T> => {
    if (!watched) return work();
    const from = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(from);
    split[step]! += user + system;
    return result;
  };
  const one = async (n: number): Promise<void> => {
    const message = await timed('read', () => readInbound(raw, profile));
    const read = await timed('parse and check', () => readOrders(rules, state, 'german', message.orderLines));
    if (read.lines.length === 0) throw new Error('no order stands');
    const forecast = await timed('forecast', () => {
      const view = viewFor(state, 'german');
      const { events } = rules.preview(view, read.orders, read.standing);
      const report = rules.report(view, events, { orders: read.orders, standing: [] });
      return report.sections.flatMap((section) => section.lines.map((line) => wording.say(line)));
    });
    const made = await timed('receipt', () =>
      composeReceipt(
        {
          frame: {
            club: 'Fieldpost',
            game: 'OVL-0001',
            title: 'x',
            side: 'german',
            sideName: 'German',
            turnLabel: 'turn',
            due: null,
          },
          number: n,
          supersedes: n - 1,
          replaced: 'orders',
          hash: '0123456789abcdef',
          replyTo: { subject: message.subject, date: message.date, messageId: message.messageId },
          lines: read.echo.map((line) => ({
            ...line,
            messages: line.diagnostics.map((one) => ({ text: wording.complain('overlord', one) })),
          })),
          mailProblems: [],
          dropped: [],
          forecast,
          final: read.block.final,
          wait: false,
          due: null,
        },
        wording,
      ),
    );
    await timed('bytes', () =>
      composeMail({
        from: { address: 'orders@club.example' },
        to: { address: 'anna@players.example' },
        ...made,
        attachments: [],
        messageId: `<${n}@club.example>`,
        date: new Date(0),
        kind: 'receipt',
        loopHeader: profile.loopHeader,
        envelopeFrom: '',
      }),
    );
  };
  for (let n = 0; n < 200; n++) await one(n);
  const count = 600;
  const from = process.cpuUsage();
  for (let n = 0; n < count; n++) await one(n);
  const { user, system } = process.cpuUsage(from);
  // The split is another run: asking for the time takes longer than some of the steps.
  watched = true;
  for (let n = 0; n < count; n++) await one(n);
  for (const step of Object.keys(split)) split[step] = Math.round(split[step]! / count - asking());
  return { receipts: (count * 1_000_000) / (user + system), split };
}

/** Microseconds that it takes to ask for the time twice. */
function asking(): number {
  const times = 2000;
  const from = process.cpuUsage();
  for (let i = 0; i < times; i++) process.cpuUsage(process.cpuUsage());
  const { user, system } = process.cpuUsage(from);
  return (user + system) / times / 2;
}

interface Server {
  child: ChildProcess;
  port: number;
  address: string;
}

function startServer(mode: string, env: Record<string, string> = {}): Promise<Server> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldpost-bench-'));
  const child = fork(SERVER, [mode, folder], { execArgv: ['--import', 'tsx'], env: { ...process.env, ...env } });
  child.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  return new Promise((resolve, reject) => {
    child.once('message', (message: { port: number; address: string }) => resolve({ child, ...message }));
    child.once('exit', (code) => reject(new Error(`the ${mode} server ended with code ${code}`)));
  });
}

async function stopServer({ child }: Server): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.send('stop');
  await gone;
}

let sent = 0;
/** Mails a second through a pool of five connections. */
async function flood(server: Server): Promise<number> {
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: server.port,
    ignoreTLS: true,
    pool: true,
    maxConnections: 5,
    maxMessages: Number.POSITIVE_INFINITY,
  });
  const lines = Array.from({ length: 12 }, (_, i) => `MOVE DE${i} -> 1411 1512 16${10 + i}`);
  const send = async (): Promise<void> => {
    const id = { 'Message-ID': `<bench-${sent++}@players.example>` };
    const raw = letter('anna@players.example', server.address, ['GAME OVL-0001', 'TURN 1', ...lines, 'END'], id);
    await transport.sendMail({ raw, envelope: { from: 'anna@players.example', to: [server.address] } });
  };
  for (let i = 0; i < 50; i++) await send();
  const from = performance.now();
  await Promise.all(Array.from({ length: MAILS }, send));
  const seconds = (performance.now() - from) / 1000;
  transport.close();
  return MAILS / seconds;
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Stored intake against the bare server, in turn. */
export async function benchStored(): Promise<Pick<IntakeFigures, 'stored' | 'bare'>> {
  const bare = await startServer('bare');
  const ours = await startServer('store');
  const rates = { bare: [] as number[], ours: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.bare.push(await flood(bare));
    rates.ours.push(await flood(ours));
  }
  await stopServer(bare);
  await stopServer(ours);
  return { stored: middle(rates.ours), bare: middle(rates.bare) };
}

/** From 250 to the receipt, one mail after the other, the whole service with workers and an outer mail server. */
export async function benchLatency(): Promise<Pick<IntakeFigures, 'latencyMs'>> {
  const sink = await startSink();
  const server = await startServer('whole', { SMTP_URL: sink.url });
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port: server.port, ignoreTLS: true, pool: true });
  const times: number[] = [];
  const orders = ['GAME OVL-0001', 'TURN 1', 'MOVE DE21 -> 2914 2913', 'ATTACK 3012 WITH DE21', 'END'];
  for (let i = 0; i < LATENCY_MAILS; i++) {
    const before = sink.mails.length;
    const raw = letter('anna@players.example', server.address, orders);
    await transport.sendMail({ raw, envelope: { from: 'anna@players.example', to: [server.address] } });
    const from = performance.now();
    while (sink.mails.length === before) await new Promise((resolve) => setTimeout(resolve, 1));
    times.push(performance.now() - from);
  }
  transport.close();
  await stopServer(server);
  await sink.close();
  return { latencyMs: { median: middle(times), slowest: Math.max(...times) } };
}

/** All figures of the post office. */
export async function benchIntake(): Promise<IntakeFigures> {
  return { ...(await benchReceipts()), ...(await benchStored()), ...(await benchLatency()) };
}

/** Prints the figures as lines of text. */
export function printIntake({ receipts, split, stored, bare, latencyMs }: IntakeFigures): void {
  const parts = Object.entries(split).map(([step, us]) => `${step} ${us}`);
  console.info(`mail to composed receipt, ${ORDER_LINES} lines, turn ${MID_TURN}: ${Math.round(receipts)}/s (aim 400)`);
  console.info(`  microseconds a mail: ${parts.join(', ')}`);
  const ratio = stored / bare;
  console.info(
    `stored intake, a commit a mail: ${Math.round(stored)}/s; bare receive + write + fsync, pool 5: ${Math.round(bare)}/s, ` +
      `ratio ${ratio.toFixed(2)} (at least 0.5: ${ratio >= 0.5 ? 'yes' : 'NO'})`,
  );
  console.info(
    `250 to receipt at the outer server: median ${Math.round(latencyMs.median)} ms, slowest ${Math.round(latencyMs.slowest)} ms ` +
      `(median under 1000: ${latencyMs.median < 1000 ? 'yes' : 'NO'})`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv[2] === 'receipts') console.info(await benchReceipts());
  else printIntake(await benchIntake());
}
