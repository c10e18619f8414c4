/** What `make admin` does: an operator gives the role of an administrator, or takes it back. */
import { type CommandDefinition, readEmailArguments, UsageError } from '@passerelle/kit/command'
import { randomId } from '@passerelle/kit/runtime'
import { z } from 'zod'
import { grantAdmin, revokeAdmin } from './administrators.ts'
import { identityStore } from './store.ts'

const CONFIG = z.object({
  /** For the link of an account that has no password yet. */
  PUBLIC_URL: z.url().default('http://localhost:8080'),
})

export const adminCommand: CommandDefinition<typeof CONFIG> = {
  service: 'identity',
  config: CONFIG,
  usage: `Administrators:

  make admin EMAIL=somebody@example.org              makes the account of this address an administrator, and the account where there is none
  make admin EMAIL=somebody@example.org REVOKE=1     takes the role back
  node services/identity/admin.ts --email somebody@example.org [--revoke]

MONGO_URL says where (make start prints it), NAMESPACE and PUBLIC_URL are as for the service.`,
  async run({ args, config, mongo, print }) {
    const { email, given: revoke } = readEmailArguments(args, 'revoke')
    const tools = { store: identityStore(mongo), requestId: `operator-${randomId()}` }
    if (revoke) {
      const user = await revokeAdmin(email, tools)
      if (!user) throw new UsageError(`there is no account with the address ${email}`)
      return print(`${user.username} is no administrator any more; every session of the account has ended.`)
    }
    const { user, created, link } = await grantAdmin(email, config.PUBLIC_URL, tools)
    print(`${user.username} is an administrator${created ? ', in a new account' : ''}; sessions that had begun before have ended.`)
    if (link) print(`To choose a password, once and within 24 hours: ${link}`)
  },
}
