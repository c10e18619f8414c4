/** The users of Redis: each service has the keys under its own prefix and the commands that `packages/kit/redis.ts` sends, nothing else. */
import { createHash } from 'node:crypto'

export const cachingServices = ['search', 'gateway'] as const
type CachingService = (typeof cachingServices)[number]

/** Of the cache, and of its connection. */
export const COMMANDS = [
  'get',
  'mget',
  'set',
  'del',
  'incrby',
  'pexpire',
  'pttl',
  'sadd',
  'smembers',
  'multi',
  'exec',
  'ping',
  'client|setinfo',
  'client|setname',
]

const hashed = (password: string) => `#${createHash('sha256').update(password).digest('hex')}`
const allowed = COMMANDS.map((command) => `+${command}`).join(' ')

/** The content of Redis's `aclfile`: passwords are in it as hashes. Whoever brings none may do nothing. */
export function redisUsers(passwords: Record<CachingService | 'admin' | 'health', string>): string {
  return `${[
    'user default off resetchannels -@all',
    `user admin on ${hashed(passwords.admin)} ~* &* +@all`,
    `user health on ${hashed(passwords.health)} resetchannels -@all +ping`,
    ...cachingServices.map((service) => `user ${service} on ${hashed(passwords[service])} ~${service}:* resetchannels -@all ${allowed}`),
  ].join('\n')}\n`
}
