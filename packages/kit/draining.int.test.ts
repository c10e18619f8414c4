import { Router } from 'express'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { delay } from './runtime.ts'
import { defineService, type RunningService, start } from './service.ts'
import { createTestKeys } from './testing.ts'

let service: RunningService | undefined
afterEach(() => service?.stop())

async function running(
  drainMs: number,
  slow: { arrive(): void; answer: Promise<void> } = { arrive: () => undefined, answer: Promise.resolve() },
): Promise<RunningService> {
  const router = Router()
  router.get('/quick', (_request, response) => void response.json({ ok: true }))
  router.get('/slow', async (_request, response) => {
    slow.arrive()
    await slow.answer
    response.json({ ok: true })
  })
  const definition = defineService({ name: 'drained', config: z.object({}), needs: {}, setup: async () => ({ routers: [router] }) })
  const keys = await createTestKeys('drained')
  service = await start(definition, { ...keys.environment('drained'), LOG_LEVEL: 'silent', DRAIN_MS: String(drainMs) })
  return service
}

const ready = async (one: RunningService) => (await fetch(`${one.adminUrl}/readyz`)).status

test('a draining process reports that it is not ready, serves on, and closes the connection of each response', async () => {
  const one = await running(3000)
  const before = await fetch(`${one.url}/quick`)
  expect([await ready(one), before.headers.get('connection')]).toEqual([200, 'keep-alive'])
  const stopped = one.stop({ drain: true })
  const meanwhile = await fetch(`${one.url}/quick`)
  expect([await ready(one), meanwhile.status, meanwhile.headers.get('connection')]).toEqual([503, 200, 'close'])
  await stopped
  await expect(fetch(`${one.url}/quick`)).rejects.toThrow()
})

test('EVT-12: a request under way is answered before the process ends', async () => {
  const [arrived, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const one = await running(0, { arrive: arrived.resolve, answer: answer.promise })
  const asked = fetch(`${one.url}/slow`)
  await arrived.promise
  const stopped = one.stop()
  await delay(200)
  answer.resolve()
  expect((await asked).status).toBe(200)
  await stopped
})

test('the Keep-Alive header tells clients to close idle connections before the server does', async () => {
  const one = await running(0)
  expect((await fetch(`${one.url}/quick`)).headers.get('keep-alive')).toBe('timeout=5')
})
