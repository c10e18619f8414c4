/** What identity answers about a guest's session and the account of a booking. */
import { hashToken } from '@passerelle/kit/auth'
import { TOKEN } from '../gateway.fixture.ts'

export const GUEST = `guest-${TOKEN}`
export const ACCOUNT = `account-${TOKEN}`
export const opened = (token: string, userId: string | null) => ({
  token,
  maxAgeSeconds: 600,
  session: {
    sessionId: hashToken(token),
    visitorId: 'vis_of_the_test',
    userId,
    isAdmin: false,
    adminProofAt: null,
    expiresAt: '2026-12-21T10:00:00.000Z',
  },
})
export const account = (more: object = {}) => ({
  accountCreated: true,
  userId: 'usr_new',
  username: 'ines',
  email: 'ines@example.org',
  password: 'Made-Up-By-Us-12',
  session: opened(ACCOUNT, 'usr_new'),
  endedSessions: [],
  ...more,
})
