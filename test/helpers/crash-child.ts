/**
 * A service in a process of its own that kills itself with SIGKILL at a named point, once it was told to: the victim of
 * test/turn/work/crash.test.ts. Prints its port when it is up.
 */
import { readConfig } from '../../src/config.ts';
import { openSender } from '../../src/mail/doors/smtp.ts';
import { startListener } from '../../src/mail/doors/smtpd.ts';
import { openService } from '../../src/main.ts';
import { TEMPLATES } from '../../src/render/words.ts';
import { freeDead, startBeats, thisProcess } from '../../src/store/processes.ts';
import { acceptMail } from '../../src/turn/intake/accept.ts';
import { startWorker } from '../../src/turn/work/worker.ts';
import { tinyScenarios } from './service.ts';
import { TINY_TEMPLATES } from './tiny.ts';

// Everything is loaded while the one before still lives; work begins when its turn comes.
await new Promise((resolve) => process.once('message', resolve));
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
  at(point) {
    if (point === fatal) process.kill(process.pid, 'SIGKILL');
  },
});
const post = openSender({ url: service.config.smtpUrl!, log: service.log });
await freeDead(service.db, [], { silent: false });
const worker = startWorker(service, { post }, { process: thisProcess(), loops: 2 });
startBeats(service.db, () => worker.ids(), service.log);
const listener = await startListener({
  host: '127.0.0.1',
  port: 0,
  lmtp: false,
  ownDomain: service.config.club.domain,
  log: service.log,
  async onMail(raw, envelope) {
    await acceptMail(service, raw, service.now(), { door: 'smtp', envelope });
  },
});
process.send?.({ port: listener.port });
