/** `make start MODE=processes`: one process per service (REPLICAS of each behind a balancer), the servers and simulators in another. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { delay } from '@passerelle/kit/runtime'
import type { Backbone } from '@passerelle/servers/backbone'
import { freePorts } from '@passerelle/servers/ports'
import { keepFilesPrivate } from '@passerelle/servers/private-files'
import { announcement } from './announcement.ts'
import { type Balancer, startBalancer, type Target } from './balancer.ts'
import { environmentOf, type LocalSystem, serviceNames } from './environment.ts'
import { claimDataFolder, explain, leaveDataFolder, portOf, refuseTakenPorts, StartRefused } from './launcher.ts'
import { onLeave } from './leaving.ts'
import { type ProcessGroup, processGroup } from './process-group.ts'
import { allAnswer, type Probe, throughGateway } from './readiness.ts'
import { loadSecrets, type ProcessName } from './secrets.ts'
import { type Suppliers, webhookAddress } from './suppliers.ts'

const began = performance.now()
const given = process.env
const dataDir = resolve(given.DATA_DIR || '.data')
const runDir = join(dataDir, 'run')
const logDir = join(dataDir, 'logs')
const replicas = Math.max(1, Number(given.REPLICAS || 1))
const root = new URL('../../', import.meta.url).pathname

/** A replica that is asked to end serves on until the balancer has seen it and idle connections to it have been given up. */
const BETWEEN_REPLICAS = { DRAIN_MS: given.DRAIN_MS || '5500', KEEP_ALIVE_MS: '5000' }

keepFilesPrivate()
const port = await mayStart().catch((error: unknown) => {
  console.error(explain(error))
  return process.exit(1)
})
process.once('exit', () => leaveDataFolder(dataDir))
const secrets = await loadSecrets(dataDir)
const outside = processGroup(runDir, logDir)
const services = processGroup(runDir, logDir)
const doors = processGroup(runDir, logDir)
const balancers: Balancer[] = []
const inOrder = [doors, services, outside]

onLeave(leave, () => {
  for (const group of inOrder) group.kill()
})

const ports = await freePorts(serviceNames.length * (2 * replicas + 1) + 2 * replicas + 3)
const take = () => ports.pop() ?? 0
const addresses = Object.fromEntries(serviceNames.map((name) => [name, `http://127.0.0.1:${take()}`])) as LocalSystem['addresses']
const running: Record<string, { url: string; adminUrl: string }> = {}

try {
  await startEverything()
} catch (error) {
  console.error(explain(error))
  await leave()
  process.exit(1)
}

/** Two launchers on one data folder would end each other's children for ever. */
async function mayStart(): Promise<number> {
  const wanted = portOf(given, 'PORT', 8080)
  await claimDataFolder(dataDir, `http://localhost:${wanted}`)
  await refuseTakenPorts(given)
  return wanted
}

async function startEverything(): Promise<void> {
  const world = await startWorld()
  const system: LocalSystem = { given, secrets, ...world, addresses, publicUrl: given.PUBLIC_URL || `http://localhost:${port}` }
  for (const name of serviceNames) {
    await startReplicas(services, name, `services/${name}/main.ts`, Number(new URL(addresses[name]).port), environmentOf(name, system))
  }
  await allAnswer(ready(), (what) => new StartRefused(`${what} does not get ready: see ${logDir}`))
  // The door opens when there is somebody behind it.
  const door = { ...environmentOf('gateway', system), WEB_DIST: resolve(given.WEB_DIST || 'web/dist') }
  await startReplicas(doors, 'gateway', 'gateway/main.ts', port, door)
  writeFileSync(join(runDir, 'addresses.json'), JSON.stringify(running, null, 2))
  await allAnswer(
    [...ready(), ...throughGateway(`http://127.0.0.1:${port}`)],
    (what) => new StartRefused(`${what} does not answer: see ${logDir}`),
  )
  console.log(
    announcement({
      url: `http://localhost:${port}`,
      dataDir,
      startedMs: performance.now() - began,
      servers: world.backbone.behind,
      suppliers: world.suppliers.behind,
      adminPassword: secrets.isNew ? secrets.adminPassword : null,
    }),
  )
}

type World = { backbone: Omit<Backbone, 'stop'>; suppliers: Omit<Suppliers, 'stop'> }

async function startWorld(): Promise<World> {
  const file = join(runDir, 'world.json')
  rmSync(file, { force: true })
  const serverPorts = [take(), take(), take()].join(',')
  outside.start({
    name: 'world',
    script: join(root, 'infra/local/world.ts'),
    args: [file, dataDir, serverPorts, webhookAddress(`http://127.0.0.1:${port}`)],
    environment: { ...given, WEBHOOK_SECRET: secrets.webhookSecret },
  })
  for (let i = 0; i < 1200; i++) {
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as World
    await delay(50)
  }
  throw new StartRefused(`the servers did not come up: see ${join(logDir, 'world.log')}`)
}

async function startReplicas(
  group: ProcessGroup,
  name: ProcessName,
  script: string,
  address: number,
  environment: LocalSystem['given'],
): Promise<void> {
  const own: Target[] = Array.from({ length: replicas }, (_, i) => ({
    port: replicas === 1 ? address : take(),
    adminPort: name === 'gateway' && i === 0 ? Number(given.ADMIN_PORT || 9464) : take(),
  }))
  own.forEach((at, i) => {
    const replica = replicas === 1 ? name : `${name}-${i + 1}`
    running[replica] = { url: `http://127.0.0.1:${at.port}`, adminUrl: `http://127.0.0.1:${at.adminPort}` }
    group.start({
      name: replica,
      script: join(root, script),
      environment: {
        ...environment,
        ...(replicas > 1 && BETWEEN_REPLICAS),
        PORT: String(at.port),
        ADMIN_PORT: String(at.adminPort),
      },
    })
  })
  if (replicas > 1) balancers.push(await startBalancer('127.0.0.1', address, own))
}

/** Every process that was started says that it is ready. */
function ready(): Probe[] {
  return Object.entries(running).map(([name, { adminUrl }]) => ({ what: name, url: `${adminUrl}/readyz` }))
}

/** The doors first, so that nothing new comes in; what everything else stands on last. */
async function leave(): Promise<void> {
  await doors.stop()
  await Promise.all(balancers.map((balancer) => balancer.stop()))
  await services.stop()
  await outside.stop()
}
