/** Whether the service is well: what a monitor and the operator ask first. */
import { serviceValue } from '../store/games.ts';
import type { Looking } from '../turn/context.ts';

export interface HealthOptions {
  smtpPort: number | undefined;
  imapState(): string | undefined;
}

/** Is everything up that must be? The store answers, the listener listens, the mailbox is being read. */
export async function health(
  service: Looking,
  options: HealthOptions,
): Promise<{ ok: boolean; parts: Record<string, string> }> {
  const parts: Record<string, string> = options.smtpPort === undefined ? {} : { listener: `port ${options.smtpPort}` };
  try {
    await serviceValue(service.db, 'secret');
    parts.store = 'up';
  } catch {
    parts.store = 'down';
  }
  const imap = options.imapState();
  if (imap !== undefined) parts.imap = imap;
  return { ok: parts.store === 'up' && imap !== 'auth-failed', parts };
}
