/** The broker as a process of its own: `node main.ts [port] [data directory]`. Says where it listens, ends on SIGTERM and SIGINT. */
import { startKafkaEmulator } from './server.ts'

// Data files are for the user alone who started it.
process.umask(0o077)
const [port = '0', dataDir] = process.argv.slice(2)
const emulator = await startKafkaEmulator({ port: Number(port), dataDir })
console.log(`Kafka emulator on ${emulator.brokers}, log ${dataDir === undefined ? 'in memory' : `in ${dataDir}`}`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void emulator.stop())
