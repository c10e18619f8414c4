// The server as a process of its own: `node main.ts [port] [data folder]`. Prints its address once it accepts connections.
import { startMongoEmulator } from './server.ts'

const [port = '0', dataDir] = process.argv.slice(2)
const emulator = await startMongoEmulator({ port: Number(port), ...(dataDir ? { dataDir } : {}) })
console.log(emulator.url)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void emulator.stop().then(() => process.exit(0))
  })
}
