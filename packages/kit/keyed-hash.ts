/** Hashes that only one service can make: without its key nobody finds the birth date or the address behind one by trying them all. */
import { createHmac, hkdfSync } from 'node:crypto'

/** HMAC-SHA256 in base64url; the same parts give the same text. The first part says what the hash is for. */
export type KeyedHash = (...parts: readonly unknown[]) => string

/** `secret`: at least 32 bytes as text. The key is derived from it for hashes alone, so a secret with another use may serve. */
export function keyedHash(secret: string): KeyedHash {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'passerelle keyed hashes', 32))
  return (...parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
}
