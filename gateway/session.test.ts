import type { SessionState } from '@passerelle/contracts/http/identity'
import { expect, test } from 'vitest'
import { signedSessions } from './session.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const session: SessionState = {
  sessionId: 'a'.repeat(64),
  visitorId: 'vis_1',
  userId: 'usr_1',
  isAdmin: false,
  adminProofAt: null,
  expiresAt: '2026-11-28T10:00:00.000Z',
}
const ours = signedSessions(Buffer.alloc(32, 1))
const stored = ours.write(session, NOW + 30_000)

test('a cached session is read back under its id until it expires', () => {
  expect(ours.read(session.sessionId, stored, NOW)).toEqual(session)
  expect(ours.read(session.sessionId, stored, NOW + 30_000)).toBeNull()
})

test('a cached session is not read under another id', () => {
  expect(ours.read('b'.repeat(64), stored, NOW)).toBeNull()
})

test('a value that was changed or signed with another key is not accepted', () => {
  const [signature = '', ...rest] = stored.split('.')
  const text = rest.join('.')
  const forgeries = [
    undefined,
    '',
    JSON.stringify(session),
    JSON.stringify({ ...session, isAdmin: true }),
    `${signature}.${text.replace('usr_1', 'usr_2')}`,
    `${signature}.${text.replace('"isAdmin":false', '"isAdmin":true')}`,
    `.${text}`,
    `${signature}.`,
    signedSessions(Buffer.alloc(32, 2)).write(session, NOW + 30_000),
  ]
  for (const forged of forgeries) expect(ours.read(session.sessionId, forged, NOW), forged).toBeNull()
})

test('a session of an administrator is never read from the cache, even when correctly signed', () => {
  expect(ours.read(session.sessionId, ours.write({ ...session, isAdmin: true }, NOW + 30_000), NOW)).toBeNull()
})
