/**
 * What a returned mail says: who could not be reached, and whether for good (RFC 3464, and the free text of older hosts).
 */

import { firstField, type MailField, messageIds, parseFields } from '../bytes/headers.ts';
import type { Leaf } from '../bytes/mime.ts';
import { isPlainAddress } from './address.ts';

const REPORT_BYTES_MAX = 64 * 1024;

export interface BounceFacts {
  /** Lower case. */
  finalRecipient: string | null;
  /** `5.1.1` */
  status: string | null;
  permanent: boolean;
  /** Message-ID of the mail that came back, where it is quoted. */
  originalMessageId?: string;
}

/** Reads a bounce. `permanent` only for Action failed or a 5.x.x code; a delay is not permanent. */
export function readBounce(fields: readonly MailField[], leaves: readonly Leaf[]): BounceFacts {
  const report = leaves.find((leaf) => /^message\/(?:global-)?delivery-status$/.test(leaf.type));
  const facts = report ? readReport(report.bytes().subarray(0, REPORT_BYTES_MAX)) : readFreeText(fields, leaves);
  const returned = leaves.find((leaf) => /^(?:message\/(?:rfc822|global)|text\/rfc822-headers)/.test(leaf.type));
  const id = returned && messageIds(firstField(parseFields(headOf(returned.bytes())), 'message-id'))[0];
  return id === undefined ? facts : { ...facts, originalMessageId: id };
}

function headOf(bytes: Buffer): Buffer {
  const head = bytes.subarray(0, REPORT_BYTES_MAX);
  const ends = [head.indexOf('\r\n\r\n'), head.indexOf('\n\n')].filter((at) => at >= 0);
  return ends.length === 0 ? head : head.subarray(0, Math.min(...ends));
}

function readReport(bytes: Buffer): BounceFacts {
  const groups = bytes
    .toString('latin1')
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)
    .map((group) => parseFields(Buffer.from(group, 'latin1')))
    .filter((group) => firstField(group, 'final-recipient') !== undefined || firstField(group, 'action') !== undefined);
  const group = groups.find(isPermanent) ?? groups[0];
  if (!group) return { finalRecipient: null, status: null, permanent: false };
  const recipient = firstField(group, 'final-recipient') ?? firstField(group, 'original-recipient') ?? '';
  return {
    finalRecipient: plain(recipient.slice(recipient.indexOf(';') + 1)),
    status: statusOf(group),
    permanent: isPermanent(group),
  };
}

function statusOf(group: readonly MailField[]): string | null {
  return /^\s*([245]\.\d{1,3}\.\d{1,3})\b/.exec(firstField(group, 'status') ?? '')?.[1] ?? null;
}

function isPermanent(group: readonly MailField[]): boolean {
  return /^failed\b/i.test(firstField(group, 'action') ?? '') || (statusOf(group) ?? '').startsWith('5');
}

function readFreeText(fields: readonly MailField[], leaves: readonly Leaf[]): BounceFacts {
  const text =
    leaves
      .find((leaf) => leaf.type === 'text/plain')
      ?.bytes()
      .subarray(0, REPORT_BYTES_MAX)
      .toString('latin1') ?? '';
  const status = /(?:^|[\s(#])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(text)?.[1] ?? null;
  const named =
    firstField(fields, 'x-failed-recipients')?.split(',')[0] ?? /<([^<>\s]{3,254})>\s{0,3}:/.exec(text)?.[1] ?? '';
  return { finalRecipient: plain(named), status, permanent: status?.startsWith('5') ?? false };
}

function plain(written: string): string | null {
  const address = written.trim().replace(/^<|>$/g, '').toLowerCase();
  return isPlainAddress(address) ? address : null;
}
