/** Starts the Redis emulator by itself: `node infra/emulators/redis/main.ts`. PORT is 6379 unless set. */
import { startRedisEmulator } from './server.ts'

const emulator = await startRedisEmulator({
  port: Number(process.env.PORT ?? 6379),
  ...(process.env.MAX_MEMORY_BYTES ? { maxMemoryBytes: Number(process.env.MAX_MEMORY_BYTES) } : {}),
})
console.log(`Redis emulator (development only, forgets everything when it stops) on ${emulator.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void emulator.stop())
