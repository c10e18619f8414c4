/** Keyed hashes: without the service's key, guessable values such as birth dates cannot be found by trying them all. */
import { createHmac, hkdfSync } from 'node:crypto'

/** HMAC-SHA256 in base64url; the same parts give the same text. The first part names the purpose. */
export type KeyedHash = (...parts: readonly unknown[]) => string

/** `secret`: at least 32 bytes as text. The key is derived from it, so the secret may have other uses too. */
export function keyedHash(secret: string): KeyedHash {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'passerelle keyed hashes', 32))
  return (...parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
}
