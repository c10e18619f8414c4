/** Who may reach whom by the network policies, against who has to by the contracts, the services' needs and the addresses in their settings. */
import { allContracts } from '@passerelle/contracts/http/all'
import { callersOf } from '@passerelle/contracts/route'
import { definitions } from './environment.fixture.ts'
import { type Manifest, ofKind, type Selector, selects, settingsOf, type Workload, workloads } from './manifests.fixture.ts'

type Peer = { podSelector?: Selector; namespaceSelector?: Selector; ipBlock?: { cidr: string } }
type Rule = { from?: Peer[]; to?: Peer[]; ports?: { port: number }[] }
type Policy = { podSelector: Selector; policyTypes: string[]; ingress?: Rule[]; egress?: Rule[] }
type Direction = 'Ingress' | 'Egress'

/** Ports of the stores, and what reaches beyond the cluster. */
const STORES = { mongo: 27017, kafka: 9092, redis: 6379 }
const reading = (setting: RegExp) =>
  definitions.filter(({ config }) => Object.keys(config.shape).some((name) => setting.test(name))).map(({ name }) => name)
const MAIL = reading(/^SMTP_URL$/)
const SUPPLIED = reading(/^(DUFFEL|STRIPE)_TEST_URL$/)
const COLLECTOR = 'passerelle-collector'

/** Lines like `booking -> search:8080`, from both ends or, where one end is elsewhere, from ours. */
function allowed(objects: Manifest[], running: Workload[]): Set<string> {
  const policies = ofKind(objects, 'NetworkPolicy').map(({ spec }) => spec as Policy)
  const applies = (labels: Workload['labels'], direction: Direction) =>
    policies.filter(({ podSelector, policyTypes }) => policyTypes.includes(direction) && selects(podSelector, labels))
  /** Each peer of a workload's rules, with each of its ports. */
  const rules = (labels: Workload['labels'], direction: Direction) =>
    applies(labels, direction).flatMap((policy) =>
      ((direction === 'Egress' ? policy.egress : policy.ingress) ?? []).flatMap((rule) =>
        ((direction === 'Egress' ? rule.to : rule.from) ?? [{}]).flatMap((peer) =>
          (rule.ports ?? [{ port: 'any' }]).map(({ port }) => ({ peer, port })),
        ),
      ),
    )
  const edges = new Set<string>()
  for (const one of running) {
    for (const direction of ['Egress', 'Ingress'] as const) {
      if (applies(one.labels, direction).length === 0) edges.add(`${one.name}: ${direction} is open`)
      for (const { peer, port } of rules(one.labels, direction)) {
        const place = outside(peer)
        if (place) edges.add(direction === 'Egress' ? `${one.name} -> ${place}:${port}` : `${place} -> ${one.name}:${port}`)
      }
    }
    for (const other of running) {
      const towards = rules(one.labels, 'Egress').filter(({ peer }) => meets(peer, other))
      const from = rules(other.labels, 'Ingress').filter(({ peer }) => meets(peer, one))
      for (const { port } of towards)
        edges.add(`${one.name} -> ${other.name}:${port}${from.some((back) => back.port === port) ? '' : ' (refused there)'}`)
      for (const { port } of from)
        if (!towards.some((out) => out.port === port)) edges.add(`${one.name} -> ${other.name}:${port} (not let out)`)
    }
  }
  return edges
}

const meets = (peer: Peer, { labels }: Workload) =>
  !peer.ipBlock && !peer.namespaceSelector && (!peer.podSelector || selects(peer.podSelector, labels))

function outside({ ipBlock, namespaceSelector, podSelector }: Peer): string | undefined {
  if (ipBlock) return ipBlock.cidr === '0.0.0.0/0' ? 'internet' : 'stores'
  if (namespaceSelector)
    return Object.entries(namespaceSelector.matchLabels ?? {})
      .flat()
      .join('=')
      .replace('kubernetes.io/metadata.name=', '')
  return podSelector?.matchLabels?.['app.kubernetes.io/name'] === COLLECTOR ? COLLECTOR : undefined
}

/** What has to be possible, and nothing else. */
function needed(objects: Manifest[], running: Workload[]): Set<string> {
  const edges = new Set<string>()
  const here = (name: string) => running.some((one) => one.name === name)
  for (const { service, routes } of allContracts)
    for (const route of Object.values(routes))
      for (const caller of callersOf(route)) if (caller !== 'edge') edges.add(`${caller} -> ${service}:8080`)
  edges.add('passerelle.example/entrance=true -> gateway:8080')
  const storeOf = (store: keyof typeof STORES) =>
    here(store) ? store : isOperated(objects) ? `passerelle-${store === 'mongo' ? 'mongodb' : store}` : 'stores'
  for (const { name, needs } of definitions)
    for (const store of ['mongo', 'kafka', 'redis'] as const) if (needs[store]) edges.add(`${name} -> ${storeOf(store)}:${STORES[store]}`)
  for (const one of running.filter(({ name }) => ['topics', 'dead-letters'].includes(name)))
    edges.add(`${one.name} -> ${storeOf('kafka')}:9092`)
  // The members of a replica set and the brokers speak with themselves by the same names.
  if (here('mongo')) for (const name of ['mongo', 'mongo-init']) edges.add(`${name} -> mongo:27017`)
  if (here('kafka')) edges.add('kafka -> kafka:9092')
  if (!here('simulators')) {
    for (const name of SUPPLIED) edges.add(`${name} -> internet:443`)
    // The certificates of the hosts of brands.
    edges.add('brand -> internet:443')
    for (const name of MAIL) for (const port of [465, 587]) edges.add(`${name} -> internet:${port}`)
  }
  for (const { name, pod, isService } of running) {
    edges.add(`${name} -> kube-system:53`)
    if (isService) edges.add(`monitoring -> ${name}:9464`)
    for (const value of pod.containers.flatMap((one) => Object.values(settingsOf(one, objects)))) {
      const [, host, port] = /^(?:https?|smtps?):\/\/([a-z][a-z0-9-]*):(\d+)/.exec(value ?? '') ?? []
      if (host && host !== 'localhost') edges.add(`${name} -> ${host}:${port}`)
    }
  }
  return edges
}

const isOperated = (objects: Manifest[]) =>
  ofKind(objects, 'ConfigMap').some(({ data }) => data?.KAFKA_BROKERS?.includes('passerelle-kafka:'))

export function networkProblems(objects: Manifest[]): string[] {
  const running = workloads(objects)
  const [is, should] = [allowed(objects, running), needed(objects, running)]
  return [
    ...[...is].filter((edge) => !should.has(edge)).map((edge) => `network: allowed without need: ${edge}`),
    ...[...should].filter((edge) => !is.has(edge)).map((edge) => `network: needed and not allowed: ${edge}`),
  ]
}
