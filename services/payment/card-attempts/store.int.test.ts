import { createLog } from '@passerelle/kit/log'
import { connectMongo, ensureIndexes } from '@passerelle/kit/mongo'
import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import type { Connection } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CardAttemptStore, cardAttemptStore } from './store.ts'

let servers: TestServers
let connection: Connection
let store: CardAttemptStore
beforeAll(async () => {
  servers = await testServers()
  const { MONGO_URL, NAMESPACE } = servers.environment
  connection = await connectMongo(MONGO_URL, `${NAMESPACE}payment`, createLog('payment', 'silent'))
  store = cardAttemptStore(connection)
  await ensureIndexes(connection)
})
afterAll(async () => {
  await connection.dropDatabase()
  await connection.close()
  await servers.stop()
})

const limit = { declines: 3, windowMs: 3_600_000, stopMs: 1_800_000 }
const start = Date.now()
const at = (minutes: number) => new Date(start + minutes * 60_000)
const kindOf = async (subject: string, id: string, minutes: number) => (await store.reserve(subject, id, limit, at(minutes))).kind
async function declined(subject: string, id: string, minutes: number) {
  expect(await kindOf(subject, id, minutes)).toBe('reserved')
  await store.decline(subject, id, limit, at(minutes))
}

test('of a hundred attempts at once as many may go on as declines are left', async () => {
  await declined('a', 'first', 0)
  const kinds = await Promise.all(Array.from({ length: 100 }, (_, i) => kindOf('a', `id-${i}`, 1)))
  expect(Map.groupBy(kinds, (kind) => kind).get('reserved')).toHaveLength(2)
  expect(kinds).toContain('busy')
})

test('a place that is released is free again', async () => {
  for (const id of ['1', '2', '3']) expect(await kindOf('b', id, 0)).toBe('reserved')
  expect(await kindOf('b', '4', 0)).toBe('busy')
  await store.release('b', '2')
  expect(await kindOf('b', '4', 0)).toBe('reserved')
})

test('a stop lasts half an hour, and then all declines are forgotten', async () => {
  for (const id of ['1', '2', '3']) await declined('c', id, 0)
  expect(await store.reserve('c', '4', limit, at(29))).toEqual({ kind: 'stopped', until: at(30) })
  expect(await store.stoppedUntil(['nobody', 'c'], at(29))).toEqual(at(30))
  expect(await store.stoppedUntil(['nobody', 'c'], at(30))).toBeNull()
  for (const id of ['4', '5']) await declined('c', id, 30)
  expect(await kindOf('c', '6', 31)).toBe('reserved')
})

test('declines count for an hour', async () => {
  for (const [id, minutes] of [
    ['1', 0],
    ['2', 30],
  ] as const)
    await declined('d', id, minutes)
  await declined('d', '3', 61)
  expect(await store.stoppedUntil(['d'], at(61))).toBeNull()
  await declined('d', '4', 62)
  expect(await store.stoppedUntil(['d'], at(62))).toEqual(at(92))
})

test('the place of a process that was killed is free after a while', async () => {
  for (const id of ['1', '2', '3']) expect(await kindOf('e', id, 0)).toBe('reserved')
  expect(await kindOf('e', '4', 1)).toBe('busy')
  expect(await kindOf('e', '4', 2)).toBe('reserved')
})

test('a decline counts although its place had been given up meanwhile', async () => {
  for (const id of ['1', '2', '3']) {
    expect(await kindOf('f', id, 0)).toBe('reserved')
    await store.release('f', id)
    await store.decline('f', id, limit, at(3))
  }
  expect(await store.stoppedUntil(['f'], at(4))).toEqual(at(33))
})
