/** What must not be read by whoever sees the database alone: dice keys and seat tokens, sealed with AES-256-GCM. */
import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';
import { Fault } from '../kernel/assert.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The 32 bytes everything is sealed with, from a secret of any length. */
export function secretKey(secret: string): Buffer {
  return createHash('sha256').update(`fieldpost\n${secret}`).digest();
}

/** A fingerprint of the secret that may be stored beside what it seals: tells a wrong secret from the right one. */
export function secretMark(key: Buffer): string {
  return createHmac('sha256', key).update('mark').digest('hex').slice(0, 32);
}

/** Seals `plain`; `purpose` must be the same at opening, so that nothing can be moved to another place. */
export function seal(key: Buffer, purpose: string, plain: Buffer, nonce: Buffer): Buffer {
  if (nonce.length !== NONCE_BYTES) throw new Fault(`a nonce has ${NONCE_BYTES} bytes`);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Opens what `seal` made. Throws a Fault when the secret or the purpose is another one. */
export function unseal(key: Buffer, purpose: string, sealed: Buffer): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose)).setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    throw new Fault(`what is stored for "${purpose}" was sealed with another SECRET`);
  }
}
