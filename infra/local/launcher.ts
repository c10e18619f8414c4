/** One local system per data folder, on ports that are free. What stands in the way is said in words before anything is started. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError, type Environment } from '@passerelle/kit/configuration'
import { isFree } from '@passerelle/servers/ports'
import { privateFolder } from '@passerelle/servers/private-files'
import { ServersMissing } from '@passerelle/servers/real-servers'
import { commandOf, endLeftovers } from './process-group.ts'

/** Somebody has to do something first; the message says what. */
export class StartRefused extends Error {}

type Launcher = { pid: number; url: string }

const root = new URL('../../', import.meta.url).pathname
const runDirOf = (dataDir: string) => join(dataDir, 'run')
const launcherFile = (dataDir: string) => join(runDirOf(dataDir), 'launcher')

/**
 * Makes this process the only one that runs a system on the data folder, and ends what an earlier one has left that was killed.
 * @throws StartRefused when another one runs there
 */
export async function claimDataFolder(dataDir: string, url: string): Promise<void> {
  privateFolder(dataDir)
  privateFolder(runDirOf(dataDir))
  const running = runningOn(dataDir)
  if (running) throw alreadyRunning(dataDir, running)
  rmSync(launcherFile(dataDir), { force: true })
  try {
    const file = openSync(launcherFile(dataDir), 'wx', 0o600)
    writeSync(file, JSON.stringify({ pid: process.pid, url } satisfies Launcher))
    closeSync(file)
  } catch (error) {
    const other = runningOn(dataDir)
    throw other ? alreadyRunning(dataDir, other) : error
  }
  const ended = await endLeftovers(runDirOf(dataDir), root)
  if (ended.length > 0) console.log(`ended what an earlier run had left: ${ended.join(', ')}`)
}

export function leaveDataFolder(dataDir: string): void {
  rmSync(launcherFile(dataDir), { force: true })
}

/** A launcher that was killed leaves its file behind, and its process id may belong to somebody else by now. */
function runningOn(dataDir: string): Launcher | null {
  try {
    const launcher = JSON.parse(readFileSync(launcherFile(dataDir), 'utf8')) as Launcher
    return launcher.pid !== process.pid && /infra\/local\/(main|processes)\.ts/.test(commandOf(launcher.pid)) ? launcher : null
  } catch {
    return null
  }
}

function alreadyRunning(dataDir: string, { pid, url }: Launcher): StartRefused {
  return new StartRefused(
    `Passerelle is running already: ${url} (process ${pid}, data in ${dataDir}).\n` +
      `To stop it, press Ctrl-C in its terminal or run: kill ${pid}\n` +
      'To run a second one beside it, give it a data folder and ports of its own (DATA_DIR, PORT and those that it then names).',
  )
}

type FixedPort = { setting: string; usual: number; what: string }

/** The ports that people and tests know; all others are taken from the free ones. */
function fixedPorts(environment: Environment): FixedPort[] {
  return [
    { setting: 'PORT', usual: 8080, what: 'the website' },
    { setting: 'ADMIN_PORT', usual: 9464, what: 'health and metrics' },
    ...(environment.DUFFEL_TEST_TOKEN ? [] : [{ setting: 'DUFFEL_SIMULATOR_PORT', usual: 8091, what: 'the simulator of flights' }]),
    ...(environment.STRIPE_TEST_KEY ? [] : [{ setting: 'STRIPE_SIMULATOR_PORT', usual: 8092, what: 'the simulator of cards' }]),
    ...(environment.SMTP_URL
      ? []
      : [
          { setting: 'MAILBOX_PORT', usual: 8093, what: 'the mailbox' },
          { setting: 'SMTP_PORT', usual: 8094, what: "the mailbox's SMTP" },
        ]),
  ]
}

/** @throws StartRefused when a setting is no port */
export function portOf(environment: Environment, setting: string, usual: number): number {
  const port = Number(environment[setting] || usual)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new StartRefused(`${setting} has to be a port number, from 1 to 65535: ${environment[setting]}`)
}

/** @throws StartRefused naming every port that somebody else listens on */
export async function refuseTakenPorts(environment: Environment): Promise<void> {
  const taken: (FixedPort & { port: number })[] = []
  for (const fixed of fixedPorts(environment)) {
    const port = portOf(environment, fixed.setting, fixed.usual)
    if (port !== 0 && !(await isFree(port))) taken.push({ ...fixed, port })
  }
  if (taken.length === 0) return
  const lines = taken.map(({ port, what }) => `Port ${port} (${what}) cannot be used: another program listens on it, or it is reserved.`)
  const others = taken.map(({ setting, port }) => `${setting}=${port < 1024 ? port + 8000 : port + 100}`).join(' ')
  throw new StartRefused(`${lines.join('\n')}\nStop that program, or choose another port: ${others} make start`)
}

/** For the terminal: words where the cause is known, everything otherwise. */
export function explain(error: unknown): string {
  if (error instanceof StartRefused || error instanceof ServersMissing || error instanceof ConfigurationError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
