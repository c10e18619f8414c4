/**
 * What each service may do with the bus, and nothing else: write to its own topic, read the topics that its groups subscribe to, and put
 * aside what these cannot handle. Applied by the step that makes the topics.
 */
import { type ConsumerGroup, deadLetterTopic, eventTopics } from '@passerelle/contracts/events/topics'
import type { ServiceName } from '@passerelle/contracts/route'
import kafkajs, { type AclEntry, type Kafka } from 'kafkajs'

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs

type Owner = keyof typeof eventTopics

/** The owner of each group, and the owners of the topics that it reads. */
export const groups: Record<ConsumerGroup, { service: ServiceName; reads: readonly Owner[] }> = {
  booking: { service: 'booking', reads: ['payment', 'identity', 'brand'] },
  'booking-mail': { service: 'booking', reads: ['booking'] },
  payment: { service: 'payment', reads: ['booking'] },
  identity: { service: 'identity', reads: ['booking', 'identity'] },
  brand: { service: 'brand', reads: ['brand'] },
}

type Right = { principal: string; resource: 'topic' | 'group'; name: string; operation: 'read' | 'write' }

/** `namespace` goes before the names of topics and groups. A user is named like its service. */
export function rights(namespace = ''): Right[] {
  const writing = (Object.keys(eventTopics) as Owner[]).map((owner): Right => {
    return { principal: `User:${owner}`, resource: 'topic', name: namespace + eventTopics[owner].name, operation: 'write' }
  })
  const consuming = Object.entries(groups).flatMap(([group, { service, reads }]): Right[] => {
    const principal = `User:${service}`
    return [
      { principal, resource: 'group', name: namespace + group, operation: 'read' },
      ...reads.map((owner): Right => ({ principal, resource: 'topic', name: namespace + eventTopics[owner].name, operation: 'read' })),
      { principal, resource: 'topic', name: namespace + deadLetterTopic(group).name, operation: 'write' },
    ]
  })
  return [...writing, ...consuming]
}

const textOf = (entry: AclEntry) => JSON.stringify([entry.principal, entry.resourceType, entry.resourceName, entry.operation])

/** Makes the broker's list say exactly `rights`: adds what it lacks and removes what is in it beyond that. Safe to repeat. */
export async function applyRights(kafka: Kafka, wanted: readonly Right[]): Promise<{ added: number; removed: number }> {
  const entries = wanted.map(entryOf)
  const admin = kafka.admin()
  await admin.connect()
  try {
    const { resources } = await admin.describeAcls({
      resourceType: AclResourceTypes.ANY,
      resourcePatternType: ResourcePatternTypes.ANY,
      operation: AclOperationTypes.ANY,
      permissionType: AclPermissionTypes.ANY,
    } as never)
    const there = resources.flatMap(({ acls, ...resource }) =>
      acls.map((acl): AclEntry => ({ ...acl, ...resource, resourcePatternType: resource.resourcePatternType })),
    )
    const [known, needed] = [new Set(there.map(textOf)), new Set(entries.map(textOf))]
    const missing = entries.filter((entry) => !known.has(textOf(entry)))
    const beyond = there.filter((entry) => !needed.has(textOf(entry)))
    if (missing.length > 0) await admin.createAcls({ acl: missing })
    if (beyond.length > 0) await admin.deleteAcls({ filters: beyond })
    return { added: missing.length, removed: beyond.length }
  } finally {
    await admin.disconnect()
  }
}

function entryOf({ principal, resource, name, operation }: Right): AclEntry {
  return {
    principal,
    host: '*',
    resourceType: resource === 'topic' ? AclResourceTypes.TOPIC : AclResourceTypes.GROUP,
    resourceName: name,
    resourcePatternType: ResourcePatternTypes.LITERAL,
    operation: operation === 'read' ? AclOperationTypes.READ : AclOperationTypes.WRITE,
    permissionType: AclPermissionTypes.ALLOW,
  }
}
