/** The topics, groups and rights that KEDA and Strimzi are configured with, against those of the code. */
import { allTopics } from '@passerelle/contracts/events/topics'
import { groups, rights } from '../kafka/access.ts'
import { type Manifest, ofKind } from './manifests.fixture.ts'

type Trigger = { type: string; metadata: { consumerGroup: string; topic: string; bootstrapServers: string; tls?: string } }
type Bus = { KAFKA_BROKERS: string; KAFKA_TLS?: string }
type Acl = { resource: { type: string; name: string }; operations: string[] }

export function busProblems(objects: Manifest[]): string[] {
  const bus = ofKind(objects, 'ConfigMap').find(({ data }) => data?.KAFKA_BROKERS)?.data as Bus
  return [...ofKind(objects, 'ScaledObject').flatMap((one) => scalerProblems(one, bus)), ...userProblems(ofKind(objects, 'KafkaUser'))]
}

function scalerProblems({ metadata: { name }, spec }: Manifest, bus: Bus): string[] {
  const triggers = (spec.triggers as Trigger[]).filter(({ type }) => type === 'kafka').map((one) => one.metadata)
  const configured = triggers.map(({ consumerGroup, topic }) => `${consumerGroup} on ${topic}`)
  const wanted = Object.entries(groups)
    .filter(([, { service }]) => service === name)
    .flatMap(([group, { reads }]) => reads.map((owner) => `${group} on ${owner}.events`))
  const most = Math.max(
    ...allTopics.filter((topic) => triggers.some((one) => one.topic === topic.name)).map(({ partitions }) => partitions),
  )
  return [
    ...configured.filter((one) => !wanted.includes(one)).map((one) => `ScaledObject/${name}: there is no ${one}`),
    ...wanted.filter((one) => !configured.includes(one)).map((one) => `ScaledObject/${name}: does not look at ${one}`),
    ...(spec.maxReplicaCount > most ? [`ScaledObject/${name}: has more replicas than its topics have partitions`] : []),
    ...triggers
      .filter((one) => one.bootstrapServers !== bus.KAFKA_BROKERS || (one.tls === 'enable') !== (bus.KAFKA_TLS === 'true'))
      .map(() => `ScaledObject/${name}: asks other brokers than the services, or in another way`),
  ]
}

function userProblems(users: Manifest[]): string[] {
  if (users.length === 0) return []
  const given = users.flatMap(({ metadata, spec }) =>
    ((spec.authorization?.acls ?? []) as Acl[]).flatMap(({ resource, operations }) =>
      operations.map((operation) => `User:${metadata.name} ${operation.toLowerCase()} ${resource.type} ${resource.name}`),
    ),
  )
  const wanted = rights().map(({ principal, operation, resource, name }) => `${principal} ${operation} ${resource} ${name}`)
  return [
    ...given.filter((one) => !wanted.includes(one)).map((one) => `KafkaUser: has a right beyond its own: ${one}`),
    ...wanted.filter((one) => !given.includes(one)).map((one) => `KafkaUser: lacks ${one}`),
  ]
}
