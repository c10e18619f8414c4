/** The whole product in one process: the same services, over real HTTP and the real protocols. What `make start` and the tests run. */
import { booking } from '@passerelle/booking/service'
import { brand } from '@passerelle/brand/service'
import { gateway } from '@passerelle/gateway/service'
import { identity } from '@passerelle/identity/service'
import type { Environment } from '@passerelle/kit/configuration'
import { type RunningService, type ServiceDefinition, start } from '@passerelle/kit/service'
import { payment } from '@passerelle/payment/service'
import { search } from '@passerelle/search/service'
import { type Backbone, startBackbone } from '@passerelle/servers/backbone'
import { freePorts } from '@passerelle/servers/ports'
import { environmentOf, type LocalSystem, type ServiceName, serviceNames } from './environment.ts'
import { loadSecrets, type Secrets } from './secrets.ts'
import { type Suppliers, startSuppliers } from './suppliers.ts'
import { prepareTopics } from './topics.ts'

const definitions = { search, booking, payment, identity, brand } as unknown as Record<ServiceName, ServiceDefinition>

export type RunningSystem = {
  url: string
  secrets: Secrets & { isNew: boolean }
  backbone: Backbone
  suppliers: Suppliers
  services: RunningService[]
  stop(): Promise<void>
}

export type SystemOptions = {
  environment: Environment
  dataDir: string
  port: number
  adminPort: number
  webDist: string
}

export async function startSystem({ environment, dataDir, port, adminPort, webDist }: SystemOptions): Promise<RunningSystem> {
  const secrets = await loadSecrets(dataDir)
  const { webhookSecret } = secrets
  const [ports, suppliers, backbone] = await Promise.all([
    freePorts(serviceNames.length),
    startSuppliers({ environment, dataDir, siteUrl: `http://127.0.0.1:${port}`, webhookSecret }),
    startBackbone({ environment, dataDir }),
  ])
  await prepareTopics(backbone.KAFKA_BROKERS, environment)
  const addresses = Object.fromEntries(serviceNames.map((name, i) => [name, `http://127.0.0.1:${ports[i]}`])) as LocalSystem['addresses']
  const system: LocalSystem = {
    given: environment,
    secrets,
    backbone,
    suppliers,
    addresses,
    publicUrl: environment.PUBLIC_URL ?? `http://localhost:${port}`,
  }
  const onFatal = (error: unknown) => {
    console.error('a consumer died for good, stopping:', error)
    process.exit(1)
  }
  const services = await Promise.all(
    serviceNames.map((name, i) => start(definitions[name], { ...environmentOf(name, system), PORT: String(ports[i]) }, { onFatal })),
  )
  const runningGateway = await start(gateway as unknown as ServiceDefinition, {
    ...environmentOf('gateway', system),
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    WEB_DIST: webDist,
  })
  return {
    url: runningGateway.url,
    secrets,
    backbone,
    suppliers,
    services: [...services, runningGateway],
    async stop() {
      await runningGateway.stop()
      await Promise.all(services.map((service) => service.stop()))
      await suppliers.stop()
      await backbone.stop()
    },
  }
}
