/** Birth dates and passports, sealed with a key of the booking's own, which is itself sealed with the service's key. Without it nothing opens them. */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { randomBytes } from '@passerelle/kit/runtime'
import type { PersonalDocuments } from './domain/passengers.ts'

const IV = 12
const TAG = 16

function seal(key: Buffer, plain: Buffer): string {
  const iv = randomBytes(IV)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
}

function unseal(key: Buffer, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV))
  decipher.setAuthTag(bytes.subarray(IV, IV + TAG))
  return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()])
}

export type DocumentSafe = {
  seal(documents: PersonalDocuments): { documents: string; documentKey: string }
  open(sealed: { documents: string | null; documentKey: string | null }): PersonalDocuments
}

/** `masterKey` is 32 bytes in base64. */
export function documentSafe(masterKey: string): DocumentSafe {
  const master = Buffer.from(masterKey, 'base64')
  if (master.length !== 32) throw new RangeError('the document key must be 32 bytes in base64')
  return {
    seal(documents) {
      const key = randomBytes(32)
      return { documents: seal(key, Buffer.from(JSON.stringify(documents))), documentKey: seal(master, key) }
    },
    open({ documents, documentKey }) {
      if (!documents || !documentKey) return []
      return JSON.parse(unseal(unseal(master, documentKey), documents).toString('utf8')) as PersonalDocuments
    },
  }
}
