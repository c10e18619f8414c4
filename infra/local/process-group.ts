/** Child processes with a pid file each, started again when they die. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '@passerelle/kit/configuration'

export type Child = { name: string; script: string; environment: Environment; args?: string[] }

export type ProcessGroup = { start(child: Child): void; stop(): Promise<void> }

const RESTART_MS = 500
const GRACE_MS = 30_000

/** Processes of an earlier run whose parent was killed: they would hold ports and leases. */
export function killLeftovers(runDir: string): string[] {
  if (!existsSync(runDir)) return []
  const killed: string[] = []
  for (const file of readdirSync(runDir).filter((name) => name.endsWith('.pid'))) {
    const pid = Number(readFileSync(join(runDir, file), 'utf8'))
    // The number may belong to somebody else by now: only a process that runs one of our files is ended.
    const command = existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''
    if (/main\.ts|world\.ts/.test(command)) {
      process.kill(pid, 'SIGKILL')
      killed.push(file.replace('.pid', ''))
    }
    rmSync(join(runDir, file))
  }
  return killed
}

export function processGroup(runDir: string, logDir: string): ProcessGroup {
  mkdirSync(runDir, { recursive: true })
  mkdirSync(logDir, { recursive: true })
  const children = new Map<string, ChildProcess>()
  let stopping = false

  const launch = (child: Child) => {
    const log = openSync(join(logDir, `${child.name}.log`), 'a')
    const started = spawn(process.execPath, ['--disable-warning=TimeoutNegativeWarning', child.script, ...(child.args ?? [])], {
      env: { PATH: process.env.PATH, ...child.environment },
      stdio: ['ignore', log, log],
    })
    children.set(child.name, started)
    const pidFile = join(runDir, `${child.name}.pid`)
    writeFileSync(pidFile, String(started.pid))
    started.once('exit', (code, signal) => {
      children.delete(child.name)
      rmSync(pidFile, { force: true })
      if (stopping) return
      console.log(`${child.name} ended (${signal ?? code}), starting it again`)
      setTimeout(() => !stopping && launch(child), RESTART_MS)
    })
  }

  return {
    start: launch,
    async stop() {
      stopping = true
      const ended = [...children.values()].map((child) => new Promise<void>((resolve) => child.once('exit', () => resolve())))
      for (const child of children.values()) child.kill('SIGTERM')
      const hard = setTimeout(() => {
        for (const child of children.values()) child.kill('SIGKILL')
      }, GRACE_MS)
      await Promise.all(ended)
      clearTimeout(hard)
    },
  }
}
