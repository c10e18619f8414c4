import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { documentSafe } from './documents.ts'

const masterKey = () => randomBytes(32).toString('base64')
const papers = [
  { dateOfBirth: '1990-04-12', passportNumber: '19KL56147', passportExpiryDate: '2032-04-25', passportIssuingCountry: 'FR' },
  { dateOfBirth: '2019-01-30', passportNumber: null, passportExpiryDate: null, passportIssuingCountry: null },
]

describe('documents', () => {
  it('open as they were sealed, and nothing of them is to be read meanwhile', () => {
    const safe = documentSafe(masterKey())
    const sealed = safe.seal(papers)
    expect(safe.open(sealed)).toEqual(papers)
    const bytes = Buffer.from(sealed.documents, 'base64').toString('latin1') + JSON.stringify(sealed)
    for (const secret of ['19KL56147', '1990-04-12', 'passport']) expect(bytes).not.toContain(secret)
  })

  it('have a key of their own for each booking: the same documents look different each time', () => {
    const safe = documentSafe(masterKey())
    const [one, other] = [safe.seal(papers), safe.seal(papers)]
    expect(one.documents).not.toBe(other.documents)
    expect(() => safe.open({ ...one, documentKey: other.documentKey })).toThrow()
  })

  it('are gone for good with their key', () => {
    const safe = documentSafe(masterKey())
    expect(safe.open({ ...safe.seal(papers), documentKey: null })).toEqual([])
  })

  it('do not open with the key of another system, nor when a single bit was changed', () => {
    const safe = documentSafe(masterKey())
    const sealed = safe.seal(papers)
    expect(() => documentSafe(masterKey()).open(sealed)).toThrow()
    const bytes = Buffer.from(sealed.documents, 'base64')
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    expect(() => safe.open({ ...sealed, documents: bytes.toString('base64') })).toThrow()
  })

  it('need a key of 32 bytes', () => expect(() => documentSafe('c2hvcnQ=')).toThrow('32 bytes'))
})
