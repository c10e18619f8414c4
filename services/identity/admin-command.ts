/** What `make admin` does: an operator gives the role of an administrator, or takes it back. */
import { parseArgs } from 'node:util'
import { BrandKey } from '@passerelle/contracts/http/brand'
import { type CommandDefinition, UsageError } from '@passerelle/kit/command'
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
  make admin EMAIL=somebody@example.org BRANDS=a,b   the same, of these brands (keys, as in /admin/brands) and of nothing else
  make admin EMAIL=somebody@example.org REVOKE=1     takes the role back
  node services/identity/admin.ts --email somebody@example.org [--brands a,b] [--revoke]

MONGO_URL says where (make start prints it), NAMESPACE and PUBLIC_URL are as for the service.`,
  async run({ args, config, mongo, print }) {
    const { email, brands, revoke } = readArguments(args)
    const tools = { store: identityStore(mongo), requestId: `operator-${randomId()}` }
    if (revoke) {
      const user = await revokeAdmin(email, tools)
      if (!user) throw new UsageError(`there is no account with the address ${email}`)
      return print(`${user.username} is no administrator any more; every session of the account has ended.`)
    }
    const { user, created, link } = await grantAdmin(email, config.PUBLIC_URL, tools, brands)
    const what = brands ? ` of ${brands.join(', ')}` : ''
    print(`${user.username} is an administrator${what}${created ? ', in a new account' : ''}; sessions that had begun before have ended.`)
    if (link) print(`To choose a password, once and within 24 hours: ${link}`)
  },
}

/** @throws UsageError */
function readArguments(args: string[]): { email: string; brands: string[] | null; revoke: boolean } {
  const given = parsed(args)
  const email = z.email().safeParse(given.email)
  if (!email.success) throw new UsageError(given.email ? `"${given.email}" is no e-mail address` : 'EMAIL is missing')
  if (given.brands === undefined) return { email: email.data, brands: null, revoke: given.revoke }
  const brands = z
    .array(BrandKey.shape.brandKey)
    .min(1)
    .safeParse(given.brands.split(',').map((key) => key.trim()))
  if (!brands.success) throw new UsageError(`"${given.brands}" are no keys of brands`)
  return { email: email.data, brands: [...new Set(brands.data)], revoke: given.revoke }
}

function parsed(args: string[]) {
  const options = { email: { type: 'string' }, brands: { type: 'string' }, revoke: { type: 'boolean', default: false } } as const
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
