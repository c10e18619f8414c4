import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COMMANDS, redisUsers } from './redis-users.ts'

const users = redisUsers({ search: 'secret-s', gateway: 'secret-g', admin: 'secret-a', health: 'secret-h' })
const line = (user: string) => users.split('\n').find((one) => one.startsWith(`user ${user} `)) ?? ''

test('a service may use the commands that the cache sends, and all of them', () => {
  const cache = readFileSync(new URL('../../packages/kit/redis.ts', import.meta.url), 'utf8')
  const ofTheClient = new Set(['on', 'once', 'disconnect'])
  const sent = [...cache.matchAll(/(?:redis|^\s*)\.(\w+)\(/gm)].map(([, name]) => name as string).filter((name) => !ofTheClient.has(name))
  expect(sent).toContain('get')
  expect(sent.filter((name) => !COMMANDS.includes(name))).toEqual([])
})

test('a service has its own keys only, and nothing that looks at others, empties or configures', () => {
  expect(line('search')).toContain(' ~search:* ')
  expect(line('gateway')).toContain(' ~gateway:* ')
  for (const user of ['search', 'gateway', 'health']) expect(line(user)).toMatch(/ resetchannels -@all( \+[a-z|]+)+$/)
  for (const dangerous of ['keys', 'scan', 'flushall', 'config', 'acl', 'debug', 'eval', 'monitor', 'info']) {
    expect(COMMANDS).not.toContain(dangerous)
  }
})

test('nobody is let in without a password, and none is readable', () => {
  expect(line('default')).toContain(' off ')
  expect(users).not.toMatch(/nopass|secret-/)
})
