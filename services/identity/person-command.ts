/** What `make export-person` and `make erase-person` do here: the account of an address, its sessions and links. */
import { UsageError } from '@passerelle/kit/command'
import { personCommand } from '@passerelle/kit/person-command'
import { now } from '@passerelle/kit/runtime'
import { z } from 'zod'
import { copyOf, eraseAccount } from './account-routes.ts'
import { isStaff, keyOf } from './domain/user.ts'
import { type AuditEntry, identityStore } from './store.ts'

export const accountOfPerson = personCommand('identity', z.object({}), (mongo) => {
  const store = identityStore(mongo)
  const record = (action: AuditEntry['action'], userId: string, requestId: string) =>
    store.record({ at: now(), actor: 'operator', action, userId, requestId })
  return {
    async ids({ email }) {
      const user = await store.userByEmail(keyOf(email))
      return user ? [user._id] : []
    },

    async read({ email }, { requestId }) {
      const user = await store.userByEmail(keyOf(email))
      if (!user) return { account: null, sessions: [] }
      await record('account-exported', user._id, requestId)
      return copyOf(user, store)
    },

    async erase({ email }, apply, { requestId }) {
      const user = await store.userByEmail(keyOf(email))
      if (!user) return 'there is no account with this address'
      if (isStaff(user)) throw new UsageError('this is the account of an administrator: take the role back first (make admin REVOKE=1)')
      const words = 'the account is erased, its sessions have ended, and its bookings follow'
      if (!apply) return words
      await eraseAccount(user, { requestId }, store)
      await record('account-erased', user._id, requestId)
      return words
    },
  }
})
