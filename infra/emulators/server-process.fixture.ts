/** An emulator as a process of its own, for tests that kill it and start it again. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type ServerProcess = {
  port: number
  /** Resolves when the process is gone. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** Starts it and waits until it accepts connections. @throws Error with its last words when it does not come up. */
export async function spawnServer(name: 'mongo' | 'kafka', port: number, dataDir: string): Promise<ServerProcess> {
  const main = fileURLToPath(new URL(`./${name}/main.ts`, import.meta.url))
  const child = spawn(process.execPath, [main, String(port), dataDir], { stdio: ['ignore', 'pipe', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  const exited = once(child, 'exit')
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), exited.then(() => undefined)])
  if (!line) throw new Error(`the server did not start: ${complaint}`)
  return {
    port: Number(/127\.0\.0\.1:(\d+)/.exec(String(line[0]))?.[1]),
    async kill(signal) {
      child.kill(signal)
      await exited
    },
  }
}
