/** Administrators are made by whoever runs the product, never by a public call. */
import { randomBytes } from 'node:crypto'
import type { AccountTools } from './accounts.ts'
import { keyOf, type UserRecord } from './domain/user.ts'

/** The administrator "admin" of a developer's machine; what is there already stays as it is. */
export async function ensureAdmin(
  password: string,
  { store, passwords, clock }: Pick<AccountTools, 'store' | 'passwords' | 'clock'>,
): Promise<void> {
  if (await store.userByLogin('admin')) return
  const user: UserRecord = {
    _id: `usr_${randomBytes(12).toString('base64url')}`,
    version: 1,
    username: 'admin',
    usernameKey: 'admin',
    email: 'admin@passerelle.example',
    emailKey: keyOf('admin@passerelle.example'),
    firstName: 'Local',
    lastName: 'Administrator',
    passwordHash: await passwords.hash(password),
    passwordChangedAt: null,
    mustChangePassword: false,
    createdAt: clock(),
    acceptedTermsAt: null,
    isAdmin: true,
    bookingId: null,
    passwordTold: true,
    linkedBookings: [],
  }
  await store.insertUser(user, [])
}
