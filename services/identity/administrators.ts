/** Administrators are made by whoever runs the product, never by a public call. */
import { AppError } from '@passerelle/contracts/error'
import { accountCreated } from '@passerelle/contracts/events/identity'
import { createOutboxEvent } from '@passerelle/kit/outbox'
import { now, randomInt, randomToken } from '@passerelle/kit/runtime'
import type { AccountTools } from './accounts.ts'
import { isStaff, keyOf, newUser, type UserRecord, usernameFrom } from './domain/user.ts'
import { makeLink } from './links.ts'
import type { AuditEntry, Store } from './store.ts'

const newId = () => randomToken('usr_', 12)

/** The administrator "admin" of a developer's machine; what is there already stays as it is. */
export async function ensureAdmin(password: string, { store, passwords }: Pick<AccountTools, 'store' | 'passwords'>): Promise<void> {
  if (await store.userByLogin('admin')) return
  const user = newUser({
    _id: newId(),
    username: 'admin',
    email: 'admin@passerelle.example',
    firstName: 'Local',
    lastName: 'Administrator',
    passwordHash: await passwords.hash(password),
    createdAt: now(),
    isAdmin: true,
    passwordTold: true,
  })
  await store.insertUser(user, [])
}

/** `actor`: user id of the administrator who does it, or "operator". */
type RoleTools = { store: Store; requestId: string; actor?: string }
type Granted = {
  user: UserRecord
  created: boolean /** To choose a password with; null: the account has one of its own. */
  link: string | null
}

/**
 * Makes the account of this address an administrator, and the account where there is none. A password that was chosen before the
 * address was verified may be a stranger's: it goes, and the operator hands a link to the right person.
 * @param site address of the website, for the link
 * @param brands keys of the brands that it is to look after; null: all
 */
export async function grantAdmin(email: string, site: string, tools: RoleTools, brands: readonly string[] | null = null): Promise<Granted> {
  const { store } = tools
  const known = await store.userByEmail(keyOf(email))
  const found = known ?? (await makeAccount(email, tools))
  const keepsPassword = found.emailVerifiedAt !== null && found.passwordHash !== null
  const user = await changeRole(found, { ...rights(brands), ...(!keepsPassword && { passwordHash: null, passwordTold: true }) }, tools)
  if (!keepsPassword) await store.dropLinks(user._id)
  const link = keepsPassword ? null : await makeLink(store, { userId: user._id, use: 'set-password', mailed: false }, site, now())
  return { user, created: known === null, link }
}

/** null: all brands; none: no right any more. */
const rights = (brands: readonly string[] | null) => ({ isAdmin: brands === null, staffOf: [...(brands ?? [])] })

/** Null: nobody has this address. */
export async function revokeAdmin(email: string, tools: RoleTools): Promise<UserRecord | null> {
  const user = await tools.store.userByEmail(keyOf(email))
  return user && changeRole(user, rights([]), tools)
}

/** Sessions carry the role that was there when they began, so they end with it. */
async function changeRole(
  user: UserRecord,
  change: Partial<UserRecord> & Pick<UserRecord, 'isAdmin' | 'staffOf'>,
  { store, requestId, actor = 'operator' }: RoleTools,
): Promise<UserRecord> {
  let current: UserRecord | null = user
  while (current) {
    const changed = await store.change(current, change)
    if (changed) {
      await store.endSessionsOf(user._id)
      const action: AuditEntry['action'] = isStaff(change) ? 'admin-granted' : 'admin-revoked'
      const of = change.staffOf?.length ? { brands: change.staffOf } : {}
      await store.record({ at: now(), actor, action, userId: user._id, requestId, ...of })
      return changed
    }
    current = await store.userById(user._id)
  }
  throw new AppError('PASSWORD_RACE')
}

async function makeAccount(email: string, { store, requestId }: RoleTools): Promise<UserRecord> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const username = usernameFrom(email, attempt < 10 ? attempt : randomInt(10, 1_000_000))
    const user = newUser({ _id: newId(), username, email, firstName: 'Administrator', createdAt: now(), passwordTold: true })
    const event = createOutboxEvent(accountCreated, { userId: user._id, bookingId: null }, { sequence: 1, at: now(), requestId })
    const taken = await store.insertUser(user, [event])
    if (taken === null) return user
    const other = taken === 'email' ? await store.userByEmail(keyOf(email)) : null
    if (other) return other
  }
  throw new AppError('USERNAME_TAKEN')
}
