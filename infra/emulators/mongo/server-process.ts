// The emulator as a process of its own, for tests that kill and restart it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

export type ServerProcess = {
  url: string
  port: number
  /** Resolves when the process is gone. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** Starts it and waits until it accepts connections. @throws Error with its last words when it does not come up. */
export async function spawnServer(port: number, dataDir: string): Promise<ServerProcess> {
  const child: ChildProcess = spawn(process.execPath, [MAIN, String(port), dataDir], { stdio: ['ignore', 'pipe', 'pipe'] })
  let complaint = ''
  child.stderr!.on('data', (chunk) => {
    complaint += chunk
  })
  const exited = once(child, 'exit')
  const line = await Promise.race([once(createInterface(child.stdout!), 'line'), exited.then(() => undefined)])
  if (!line) throw new Error(`the server did not start: ${complaint}`)
  const url = String(line[0])
  return {
    url,
    port: Number(new URL(url).port),
    async kill(signal) {
      child.kill(signal)
      await exited
    },
  }
}
