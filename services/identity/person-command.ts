/** What `make person` does here: the account of an address, its sessions and links. */
import { UsageError } from '@passerelle/kit/command'
import { personCommand } from '@passerelle/kit/person-command'
import { now, randomId } from '@passerelle/kit/runtime'
import { z } from 'zod'
import { copyOf, eraseAccount } from './account-routes.ts'
import { keyOf } from './domain/user.ts'
import { identityStore } from './store.ts'

export const accountOfPerson = personCommand('identity', z.object({}), (mongo) => {
  const store = identityStore(mongo)
  const requestId = `operator-${randomId()}`
  return {
    async read(email) {
      const user = await store.userByEmail(keyOf(email))
      return user ? await copyOf(user, store) : { account: null, sessions: [] }
    },

    async erase(email) {
      const user = await store.userByEmail(keyOf(email))
      if (!user) return 'there is no account with this address'
      if (user.isAdmin) throw new UsageError('this is the account of an administrator: take the role back first (make admin REVOKE=1)')
      await eraseAccount(user, { requestId }, store)
      await store.record({ at: now(), actor: 'operator', action: 'account-erased', userId: user._id, requestId })
      return 'the account is erased, its sessions have ended, and its bookings follow'
    },
  }
})
