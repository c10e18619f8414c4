/** The server as a process of its own: `node main.ts [port] [data folder]`. Says where it listens, ends on SIGTERM and SIGINT. */
import { startMongoEmulator } from './server.ts'

// Data files are for the user alone who started it.
process.umask(0o077)
const [port = '0', dataDir] = process.argv.slice(2)
const emulator = await startMongoEmulator({ port: Number(port), dataDir })
console.log(`MongoDB emulator on ${emulator.url}, data ${dataDir === undefined ? 'in memory' : `in ${dataDir}`}`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void emulator.stop())
