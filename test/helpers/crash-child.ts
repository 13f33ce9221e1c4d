/**
 * A service in a process of its own that kills itself with SIGKILL at a named point, once it was told to: the victim of
 * test/turn/crash.test.ts. Prints its port when it is up.
 */
import { readConfig } from '../../src/config.ts';
import { openSender } from '../../src/mail/doors/smtp.ts';
import { startListener } from '../../src/mail/doors/smtpd.ts';
import { openService } from '../../src/main.ts';
import { TEMPLATES } from '../../src/render/words.ts';
import { acceptMail } from '../../src/turn/intake/accept.ts';
import { startWorker } from '../../src/turn/work/worker.ts';
import { tinyScenarios } from './service.ts';
import { TINY_TEMPLATES } from './tiny.ts';

// Everything is loaded while the one before still lives; work begins when its turn comes.
const { ahead } = await new Promise<{ ahead: number }>((resolve) => process.once('message', resolve));
let fatal: string | undefined;
process.on('message', (message: { crashAt: string }) => {
  fatal = message.crashAt;
  process.send?.({ armed: fatal });
});
// A service whose parent is gone has nothing left to do.
process.on('disconnect', () => process.exit(0));

const { service } = await openService(readConfig(process.env), {
  scenarios: tinyScenarios(),
  templates: [TEMPLATES, TINY_TEMPLATES],
  now: () => new Date(Date.now() + ahead),
  at(point) {
    if (point === fatal) process.kill(process.pid, 'SIGKILL');
  },
});
const post = openSender({ url: service.config.smtpUrl!, log: service.log });
const worker = startWorker(service, { post }, { name: `victim ${process.pid}`, loops: 2 });
const listener = await startListener({
  host: '127.0.0.1',
  port: 0,
  lmtp: false,
  ownDomain: service.config.club.domain,
  log: service.log,
  async onMail(raw, envelope) {
    await acceptMail(service, raw, service.now(), { door: 'smtp', envelope });
    worker.wake();
  },
});
process.send?.({ port: listener.port });
