import type { SessionState } from '@passerelle/contracts/http/identity'
import { expect, test } from 'vitest'
import { signedCopies } from './signed-copies.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const session: SessionState = {
  sessionId: 'a'.repeat(64),
  visitorId: 'vis_1',
  userId: 'usr_1',
  isAdmin: false,
  adminProofAt: null,
  expiresAt: '2026-11-28T10:00:00.000Z',
}
const ours = signedCopies(Buffer.alloc(32, 1))
const copy = ours.write(session, NOW + 30_000)

test('a copy is read back for its session, until its time is over', () => {
  expect(ours.read(session.sessionId, copy, NOW)).toEqual(session)
  expect(ours.read(session.sessionId, copy, NOW + 30_000)).toBeNull()
})

test('a copy of one session is no copy of another', () => {
  expect(ours.read('b'.repeat(64), copy, NOW)).toBeNull()
})

test('what was changed or signed by somebody else is not believed', () => {
  const [signature = '', ...rest] = copy.split('.')
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
    signedCopies(Buffer.alloc(32, 2)).write(session, NOW + 30_000),
  ]
  for (const forged of forgeries) expect(ours.read(session.sessionId, forged, NOW), forged).toBeNull()
})

test('an administrator is never taken from a copy, not even from one of ours', () => {
  expect(ours.read(session.sessionId, ours.write({ ...session, isAdmin: true }, NOW + 30_000), NOW)).toBeNull()
})
