/** `fieldpost serve`: the whole service, until it is told to stop. */
import type { Command } from 'commander';
import { readConfig, SETTINGS } from '../config.ts';
import type { Running } from '../main.ts';
import { demoGame } from '../turn/democlub.ts';

/** Registers `serve`; its help shows every setting. */
export function serveVerb(program: Command): void {
  program
    .command('serve', { isDefault: true })
    .description('start the service: mail in and out, workers, pages')
    .addHelpText('after', settingsHelp())
    .action(async () => {
      const { startService } = await import('../main.ts');
      // Listened for from the beginning: a stop during the start is heard, too.
      const stopped = untilStopped();
      const running = await startService(readConfig(process.env));
      await announce(running);
      await stopped;
      await running.close();
    });
}

function settingsHelp(): string {
  const width = Math.max(...SETTINGS.map(({ name }) => name.length)) + 2;
  const lines = SETTINGS.map(({ name, fallback, help }) => `  ${name.padEnd(width)}${help} (${fallback})`);
  return ['', 'Settings, from the environment:', ...lines].join('\n');
}

/** Says where to look and what to do next. */
async function announce({ service, smtpPort, httpPort }: Running): Promise<void> {
  const { config } = service;
  const page = `http://${config.http.host.includes(':') ? `[${config.http.host}]` : config.http.host}:${httpPort}/`;
  const lines = [`Fieldpost is up: pages at ${page}, mail on ${config.smtpd.host}:${smtpPort}`];
  const game = config.demo ? await demoGame(service) : undefined;
  if (game)
    lines.push(`The demo game ${game} is running. Open ${page}demo to read both players' mail and to write orders.`);
  if (config.smtpUrl === undefined) lines.push('No SMTP_URL is set: mails are kept and shown, not sent.');
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Resolves at SIGTERM or SIGINT; a second one ends the process at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      process.once('SIGINT', () => process.exit(1));
      process.once('SIGTERM', () => process.exit(1));
      resolve();
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
}
