/** `make start MODE=processes`: one process per service (REPLICAS of each behind a balancer); servers and simulators run in this one. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startBackbone } from '@passerelle/servers/backbone'
import { freePorts } from '@passerelle/servers/ports'
import { keepFilesPrivate } from '@passerelle/servers/private-files'
import { announcement } from './announcement.ts'
import { startBalancer } from './balancer.ts'
import { environmentOf, type LocalSystem, serviceNames } from './environment.ts'
import { claimDataFolder, explain, leaveDataFolder, portOf, refuseTakenPorts, StartRefused } from './launcher.ts'
import { onLeave } from './leaving.ts'
import { type ProcessGroup, processGroup } from './process-group.ts'
import { allAnswer, type Probe, throughGateway } from './readiness.ts'
import { loadSecrets, type ProcessName } from './secrets.ts'
import { startSuppliers } from './suppliers.ts'
import { prepareTopics } from './topics.ts'

const began = performance.now()
const given = process.env
const dataDir = resolve(given.DATA_DIR || '.data')
const runDir = join(dataDir, 'run')
const logDir = join(dataDir, 'logs')
const replicas = Math.max(1, Number(given.REPLICAS || 1))
const root = new URL('../../', import.meta.url).pathname
/** Every second replica runs the release in this folder: the one before, while it is replaced. */
const secondRoot = given.SECOND_RELEASE || root

/** A replica that is asked to end serves on until the balancer has seen it and idle connections to it have been given up. */
const BETWEEN_REPLICAS = replicas > 1 ? { DRAIN_MS: given.DRAIN_MS || '5500', KEEP_ALIVE_MS: '5000' } : {}

keepFilesPrivate()
/** What ends when the system does, in order. */
const ends: (() => Promise<unknown>)[] = []
const groups: ProcessGroup[] = []
const running: Record<string, { url: string; adminUrl: string }> = {}

onLeave(leave, () => {
  for (const group of groups) group.kill()
})
try {
  await startEverything()
} catch (error) {
  console.error(explain(error))
  await leave()
  process.exit(1)
}

async function startEverything(): Promise<void> {
  const port = portOf(given, 'PORT', 8080)
  const url = `http://127.0.0.1:${port}`
  // Two launchers on one data folder would end each other's children for ever.
  await claimDataFolder(dataDir, `http://localhost:${port}`)
  process.once('exit', () => leaveDataFolder(dataDir))
  await refuseTakenPorts(given)
  const secrets = await loadSecrets(dataDir)

  const backbone = await startBackbone({ environment: given, dataDir })
  ends.unshift(backbone.stop)
  await prepareTopics(backbone.KAFKA_BROKERS, given)
  const { webhookSecret } = secrets
  const suppliers = await startSuppliers({ environment: given, dataDir, siteUrl: url, webhookSecret })
  ends.unshift(suppliers.stop)

  const ports = await freePorts(serviceNames.length)
  const addresses = Object.fromEntries(serviceNames.map((name, i) => [name, `http://127.0.0.1:${ports[i]}`])) as LocalSystem['addresses']
  const publicUrl = given.PUBLIC_URL || `http://localhost:${port}`
  const system: LocalSystem = { given, secrets, backbone, suppliers, addresses, publicUrl }
  const services = newGroup()
  for (const name of serviceNames)
    await startReplicas(services, name, `services/${name}/main.ts`, Number(new URL(addresses[name]).port), environmentOf(name, system))
  await allAnswer(ready(), (what) => new StartRefused(`${what} does not get ready: see ${logDir}`))
  // The gateway opens when the services behind it are ready.
  const gateway = { ...environmentOf('gateway', system), WEB_DIST: resolve(given.WEB_DIST || 'web/dist') }
  await startReplicas(newGroup(), 'gateway', 'gateway/main.ts', port, gateway)
  writeFileSync(join(runDir, 'addresses.json'), JSON.stringify(running, null, 2))
  await allAnswer([...ready(), ...throughGateway(url)], (what) => new StartRefused(`${what} does not answer: see ${logDir}`))
  console.log(
    announcement({
      url: `http://localhost:${port}`,
      dataDir,
      startedMs: performance.now() - began,
      servers: backbone.behind,
      suppliers: suppliers.behind,
      adminPassword: secrets.isNew ? secrets.adminPassword : null,
    }),
  )
}

/** Ends before what was started earlier. */
function newGroup(): ProcessGroup {
  const group = processGroup(runDir, logDir)
  groups.push(group)
  ends.unshift(group.stop)
  return group
}

async function startReplicas(
  group: ProcessGroup,
  name: ProcessName,
  script: string,
  address: number,
  environment: LocalSystem['given'],
): Promise<void> {
  const [adminPorts, ports] = [await freePorts(replicas), replicas === 1 ? [address] : await freePorts(replicas)]
  if (name === 'gateway') adminPorts[0] = Number(given.ADMIN_PORT || 9464)
  const targets = ports.map((port, i) => ({ port, adminPort: adminPorts[i] ?? 0 }))
  for (const [i, { port, adminPort }] of targets.entries()) {
    const replica = replicas === 1 ? name : `${name}-${i + 1}`
    running[replica] = { url: `http://127.0.0.1:${port}`, adminUrl: `http://127.0.0.1:${adminPort}` }
    const own = { ...environment, ...BETWEEN_REPLICAS, PORT: String(port), ADMIN_PORT: String(adminPort) }
    const release = i % 2 === 0 ? root : secondRoot
    group.start({ name: replica, release, script: join(release, script), environment: own })
  }
  if (replicas === 1) return
  const balancer = await startBalancer('127.0.0.1', address, targets)
  // Just after the group that it stands before: what is under way in the group may still call through it.
  ends.splice(1, 0, balancer.stop)
}

/** Every process that was started says that it is ready. */
function ready(): Probe[] {
  return Object.entries(running).map(([name, { adminUrl }]) => ({ what: name, url: `${adminUrl}/readyz` }))
}

/** The gateway first, so that nothing new comes in; what everything else stands on last. */
async function leave(): Promise<void> {
  for (const end of ends.splice(0)) await end()
}
