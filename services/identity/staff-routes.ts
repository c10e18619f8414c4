/** The calls of staffApi. */
import { AppError } from '@passerelle/contracts/error'
import type { StaffMember, staffApi } from '@passerelle/contracts/http/staff'
import type { Caller } from '@passerelle/kit/auth'
import { type Handlers, Reply } from '@passerelle/kit/http'
import { now } from '@passerelle/kit/runtime'
import type { AccountTools } from './accounts.ts'
import { grantAdmin, revokeAdmin } from './administrators.ts'
import { hasAdminProof } from './domain/session.ts'
import { isStaff, keyOf, type UserRecord } from './domain/user.ts'
import { requestReset } from './password-reset.ts'
import { endedHeader } from './sessions.ts'

/** @param site address of the website */
export function staffRoutes(tools: AccountTools, site: string): Handlers<typeof staffApi> {
  const { store } = tools
  const roleTools = ({ userId, requestId }: Caller) => ({ store, requestId, actor: userId ?? 'unknown' })
  /** Nobody changes their own rights: so one administrator of all always stays. */
  const requireOther = (caller: Caller, other: UserRecord | null) => {
    if (!hasAdminProof(caller.adminProofAt === null ? null : new Date(caller.adminProofAt), now())) throw new AppError('REAUTH_REQUIRED')
    if (other?._id === caller.userId) throw new AppError('OWN_RIGHTS')
  }

  return {
    listStaff: async () => (await store.staff()).map(toMember),

    async grantStaff({ body: { email, brands }, caller, log }) {
      const known = await store.userByEmail(keyOf(email))
      requireOther(caller, known)
      const ended = known ? (await store.sessionsOf(known._id, now())).map(({ _id }) => _id) : []
      const { user, link } = await grantAdmin(email, site, roleTools(caller), brands && [...new Set(brands)])
      // Its link goes to nobody here: one that comes by mail proves the address, too.
      if (link) await requestReset(email, tools, log)
      return new Reply({ body: toMember(user) }, { headers: endedHeader(ended) })
    },

    async revokeStaff({ params, caller }) {
      const user = await store.userById(params.id)
      if (!user || !isStaff(user)) throw new AppError('PERSON_NOT_FOUND')
      requireOther(caller, user)
      const ended = (await store.sessionsOf(user._id, now())).map(({ _id }) => _id)
      await revokeAdmin(user.email, roleTools(caller))
      return new Reply(
        { body: { success: true, message: `${user.username} administers nothing any more.` } },
        { headers: endedHeader(ended) },
      )
    },
  }
}

function toMember({ _id, username, firstName, lastName, email, isAdmin, staffOf = [] }: UserRecord): StaffMember {
  return { id: _id, username, name: `${firstName} ${lastName}`.trim() || username, email, brands: isAdmin ? null : staffOf }
}
