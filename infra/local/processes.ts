/** `make start MODE=processes`: one process per service (REPLICAS of each behind a balancer), the servers and simulators in another. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { announcement } from './announcement.ts'
import type { Backbone } from './backbone.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { environmentOf, freePorts, type LocalSystem, serviceNames } from './environment.ts'
import { killLeftovers, processGroup } from './process-group.ts'
import { loadSecrets, type ProcessName } from './secrets.ts'
import type { Suppliers } from './suppliers.ts'

const began = performance.now()
const given = process.env
const dataDir = resolve(given.DATA_DIR ?? '.data')
const runDir = join(dataDir, 'run')
const replicas = Math.max(1, Number(given.REPLICAS ?? 1))
const port = Number(given.PORT ?? 8080)
const root = new URL('../../', import.meta.url).pathname

const leftovers = killLeftovers(runDir)
if (leftovers.length > 0) console.log(`ended what an earlier run had left: ${leftovers.join(', ')}`)
mkdirSync(runDir, { recursive: true })
const secrets = await loadSecrets(dataDir)
const group = processGroup(runDir, join(dataDir, 'logs'))
const balancers: Balancer[] = []

const ports = await freePorts(serviceNames.length * (replicas + 1) + replicas + 3)
const take = () => ports.pop() ?? 0
const addresses = Object.fromEntries(serviceNames.map((name) => [name, `http://127.0.0.1:${take()}`])) as LocalSystem['addresses']

const worldFile = join(runDir, 'world.json')
rmSync(worldFile, { force: true })
group.start({
  name: 'world',
  script: join(root, 'infra/local/world.ts'),
  args: [worldFile, dataDir, [take(), take(), take()].join(','), `${addresses.payment}/api/payments/webhook/test`, secrets.webhookSecret],
  environment: given,
})
type World = { backbone: Omit<Backbone, 'stop'>; suppliers: Omit<Suppliers, 'stop'> }
const world = await waitFor<World>(worldFile)
const system: LocalSystem = { given, secrets, ...world, addresses, publicUrl: given.PUBLIC_URL ?? `http://localhost:${port}` }

for (const name of serviceNames) await startReplicas(name, `services/${name}/main.ts`, Number(new URL(addresses[name]).port), {})
await startReplicas('gateway', 'gateway/main.ts', port, { WEB_DIST: resolve(given.WEB_DIST ?? 'web/dist') })
await answered(`http://127.0.0.1:${port}/api/system/mode`)

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

async function startReplicas(name: ProcessName, script: string, address: number, more: Record<string, string>): Promise<void> {
  const environment = { ...environmentOf(name, system), ...more }
  const own = replicas === 1 ? [address] : Array.from({ length: replicas }, take)
  own.forEach((at, i) => {
    const adminPort = name === 'gateway' && i === 0 ? (given.ADMIN_PORT ?? '9464') : '0'
    group.start({
      name: replicas === 1 ? name : `${name}-${i + 1}`,
      script: join(root, script),
      environment: { ...environment, PORT: String(at), ADMIN_PORT: adminPort },
    })
  })
  if (replicas > 1) balancers.push(await startBalancer('127.0.0.1', address, own))
}

async function waitFor<T>(file: string): Promise<T> {
  for (let i = 0; i < 1200; i++) {
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as T
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error(`the servers did not come up: see ${join(dataDir, 'logs/world.log')}`)
}

async function answered(url: string): Promise<void> {
  for (let i = 0; i < 1200; i++) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error(`nothing answers at ${url}: see ${join(dataDir, 'logs')}`)
}

let stopping = false
const leave = async () => {
  if (stopping) process.exit(1)
  stopping = true
  await Promise.all(balancers.map((balancer) => balancer.stop()))
  await group.stop()
  process.exit(0)
}
process.on('SIGINT', leave)
process.on('SIGTERM', leave)
