import type { Log } from '../../src/mail/log.ts';

/** A log that keeps what it is told. */
export function listeningLog(): Log & { entries: { level: string; fields: object; message: string }[] } {
  const entries: { level: string; fields: object; message: string }[] = [];
  const at = (level: string) => (fields: object, message: string) => void entries.push({ level, fields, message });
  return { entries, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
