import { SMTPServer } from 'smtp-server';

export interface Sink {
  url: string;
  /** What was taken (answered 250), oldest first. */
  mails: { raw: Buffer; to: string; messageId: string }[];
  close(): Promise<void>;
}

/** A mail server of the outside world on loopback that takes everything. */
export async function startSink(): Promise<Sink> {
  const mails: Sink['mails'] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks);
        const messageId = /^message-id: (\S+)/im.exec(raw.toString('latin1'))?.[1] ?? '';
        mails.push({ raw, to: session.envelope.rcptTo[0]?.address ?? '', messageId });
        callback();
      });
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.on('error', reject);
    const opened = server.listen(0, '127.0.0.1', () => {
      const address = opened.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
