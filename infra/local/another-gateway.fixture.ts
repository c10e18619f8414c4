/** A second gateway in front of the services of a running local system, as one more replica of it. */
import { gateway } from '@passerelle/gateway/service'
import type { RunningService, ServiceDefinition } from '@passerelle/kit/service'
import { start } from '@passerelle/kit/service'
import { freePort } from '@passerelle/servers/ports'
import { type Addresses, environmentOf } from './environment.ts'
import type { RunningSystem } from './one-process.ts'

/** @param given what the system was started with, and what this gateway has besides */
export async function anotherGateway(system: RunningSystem, given: Record<string, string>): Promise<RunningService> {
  const addresses = Object.fromEntries(system.services.map(({ name, url }) => [name, url])) as Addresses
  const { secrets, backbone, suppliers, url } = system
  return start(gateway as unknown as ServiceDefinition, {
    ...environmentOf('gateway', { given, secrets, backbone, suppliers, addresses, publicUrl: url }),
    ...given,
    PORT: String(await freePort()),
    ADMIN_PORT: '0',
    WEB_DIST: 'web/dist',
  })
}
