/** What all emulators have in common: where they run, and that nobody else gets their port or folder. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { startKafkaEmulator } from './kafka/server.ts'
import { startMongoEmulator } from './mongo/server.ts'
import { startRedisEmulator } from './redis/server.ts'

afterEach(() => vi.unstubAllEnvs())

describe.each([
  ['MongoDB', startMongoEmulator],
  ['Kafka', startKafkaEmulator],
  ['Redis', startRedisEmulator],
] as const)('the %s emulator', (name, start) => {
  test('does not run in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    await expect(start()).rejects.toThrow(`The ${name} emulator is for development and tests`)
  })

  test('says that its port is taken, and lets go of it when it stops, once or twice', async () => {
    const first = await start()
    await expect(start({ port: first.port })).rejects.toThrow('EADDRINUSE')
    await Promise.all([first.stop(), first.stop()])
    const second = await start({ port: first.port })
    await second.stop()
  })
})

describe.each([
  ['MongoDB', startMongoEmulator],
  ['Kafka', startKafkaEmulator],
] as const)('the data folder of the %s emulator', (_name, start) => {
  test('has one server at a time, and files for its user alone', async () => {
    const dataDir = join(await mkdtemp(join(tmpdir(), 'emulator-')), 'made')
    const first = await start({ dataDir })
    await expect(start({ dataDir })).rejects.toThrow('it is locked, another server runs on this folder')
    for (const file of await readdir(dataDir)) expect((await stat(join(dataDir, file))).mode & 0o777, file).toBe(0o600)
    await first.stop()
    const second = await start({ dataDir })
    await second.stop()
    await rm(join(dataDir, '..'), { recursive: true })
  })
})
