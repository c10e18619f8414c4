/** Child processes with a pid file each, started again when they die. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '@passerelle/kit/configuration'
import { delay } from '@passerelle/kit/runtime'
import { privateFolder } from '@passerelle/servers/private-files'

/** `release`: the folder of the release that it runs, which brings its own telemetry; this one where it is not said. */
type Child = { name: string; release?: string; script: string; environment: Environment }

export type ProcessGroup = {
  start(child: Child): void
  /** Asks all of them to end, and waits; those that do not are killed. */
  stop(): Promise<void>
  kill(): void
}

const RESTART_MS = 500
const GRACE_MS = 50_000
/** Telemetry comes before every other module. */
const nodeOptions = (release: string) => [
  '--disable-warning=TimeoutNegativeWarning',
  '--import',
  join(release, 'packages/kit/telemetry.ts'),
]
const THIS_RELEASE = new URL('../../', import.meta.url).pathname

/** The command of a running process; empty when there is none. */
export function commandOf(pid: number): string {
  if (!Number.isInteger(pid) || pid <= 1) return ''
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

/**
 * Ends processes of an earlier run whose parent was killed: they would hold ports and leases. A pid may belong to somebody else by
 * now, so only a process that runs a script below `root` is ended.
 */
export async function endLeftovers(runDir: string, root: string): Promise<string[]> {
  if (!existsSync(runDir)) return []
  const ended: string[] = []
  for (const file of readdirSync(runDir).filter((name) => name.endsWith('.pid'))) {
    const pid = Number(readFileSync(join(runDir, file), 'utf8'))
    const isOurs = () =>
      commandOf(pid)
        .split(' ')
        .some((part) => part.startsWith(root) && /\/main\.ts$/.test(part))
    if (isOurs()) {
      process.kill(pid, 'SIGKILL')
      for (let i = 0; i < 100 && isOurs(); i++) await delay(20)
      ended.push(file.replace('.pid', ''))
    }
    rmSync(join(runDir, file), { force: true })
  }
  return ended
}

export function processGroup(runDir: string, logDir: string): ProcessGroup {
  privateFolder(runDir)
  privateFolder(logDir)
  const children = new Map<string, ChildProcess>()
  let stopping = false

  const launch = (child: Child) => {
    const log = openSync(join(logDir, `${child.name}.log`), 'a')
    const started = spawn(process.execPath, [...nodeOptions(child.release ?? THIS_RELEASE), child.script], {
      env: { PATH: process.env.PATH, ...child.environment },
      stdio: ['ignore', log, log],
      // A Ctrl-C in the terminal reaches the launcher alone, which ends them in order.
      detached: true,
    })
    closeSync(log)
    children.set(child.name, started)
    const pidFile = join(runDir, `${child.name}.pid`)
    writeFileSync(pidFile, `${started.pid}\n`)
    started.once('exit', (code, signal) => {
      children.delete(child.name)
      rmSync(pidFile, { force: true })
      if (stopping) return
      console.log(`${child.name} ended (${signal ?? code}), starting it again`)
      setTimeout(() => !stopping && launch(child), RESTART_MS)
    })
  }
  const kill = () => {
    for (const child of children.values()) child.kill('SIGKILL')
  }

  return {
    start: launch,
    async stop() {
      stopping = true
      const ended = [...children.values()].map((child) => new Promise<void>((resolve) => child.once('exit', () => resolve())))
      // SIGTERM would drain: here nobody is left to take over.
      for (const child of children.values()) child.kill('SIGINT')
      const hard = setTimeout(kill, GRACE_MS)
      await Promise.all(ended)
      clearTimeout(hard)
    },
    kill() {
      stopping = true
      kill()
    },
  }
}
