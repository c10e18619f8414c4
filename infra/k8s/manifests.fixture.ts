/** What kustomize makes of an overlay, and how its objects are found. */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

export type Labels = Record<string, string>
export type Selector = { matchLabels?: Labels; matchExpressions?: { key: string; operator: string; values?: string[] }[] }
export type Probe = { httpGet?: { path: string; port: string | number }; tcpSocket?: { port: string | number }; exec?: unknown }
type EnvSource = { configMapRef?: { name: string }; secretRef?: { name: string } }
export type Container = {
  name: string
  image: string
  imagePullPolicy?: string
  env?: { name: string; value?: string; valueFrom?: unknown }[]
  envFrom?: EnvSource[]
  ports?: { name: string; containerPort: number }[]
  resources?: { requests?: Labels; limits?: Labels }
  securityContext?: Record<string, unknown> & { capabilities?: { drop?: string[]; add?: string[] } }
  startupProbe?: Probe
  readinessProbe?: Probe
  livenessProbe?: Probe
  lifecycle?: { preStop?: { sleep?: { seconds: number } } }
  volumeMounts?: { name: string; mountPath: string }[]
}
type Volume = { name: string; secret?: { secretName: string }; configMap?: { name: string }; emptyDir?: unknown; hostPath?: unknown }
export type PodSpec = Record<string, unknown> & {
  containers: Container[]
  initContainers?: Container[]
  volumes?: Volume[]
  serviceAccountName?: string
  priorityClassName?: string
  terminationGracePeriodSeconds?: number
  securityContext?: Record<string, unknown> & { seccompProfile?: { type: string } }
  topologySpreadConstraints?: { topologyKey: string }[]
}
export type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Labels }
  // biome-ignore lint/suspicious/noExplicitAny: objects of many kinds, judged by their schemas
  [key: string]: any
}
export type Workload = { kind: string; name: string; labels: Labels; pod: PodSpec; object: Manifest; isService: boolean }

const runs = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0

/** The program that builds overlays on this machine; undefined when there is none. */
export function findKustomize(): string[] | undefined {
  if (runs('kustomize', 'version')) return ['kustomize', 'build']
  return runs('kubectl', 'kustomize', '--help') ? ['kubectl', 'kustomize'] : undefined
}

export function build([program = '', ...args]: string[], root: string, path: string): Manifest[] {
  const text = execFileSync(program, [...args, join(root, path)], { encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 26 })
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest)
}

export const ofKind = (objects: Manifest[], ...kinds: string[]) => objects.filter(({ kind }) => kinds.includes(kind))
export const named = (objects: Manifest[], kind: string, name: string | undefined) =>
  objects.find((one) => one.kind === kind && one.metadata.name === name)

/** Everything that runs pods. */
export function workloads(objects: Manifest[]): Workload[] {
  return ofKind(objects, 'Deployment', 'StatefulSet', 'Job', 'CronJob').map((object) => {
    const { metadata, spec } = object.kind === 'CronJob' ? object.spec.jobTemplate.spec.template : object.spec.template
    const labels = (metadata?.labels ?? {}) as Labels
    const isService = labels['app.kubernetes.io/component'] === 'service'
    return { kind: object.kind, name: object.metadata.name, labels, pod: spec as PodSpec, object, isService }
  })
}

export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => operator === 'In' && values.includes(labels[key] ?? ''))
  )
}

/** The settings of a container, from its own list and from what it takes over; undefined for what only the cluster knows. */
export function settingsOf(container: Container, objects: Manifest[]): Record<string, string | undefined> {
  const taken = (container.envFrom ?? []).map(({ configMapRef }) => named(objects, 'ConfigMap', configMapRef?.name)?.data ?? {})
  const own = Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value]))
  return Object.assign({}, ...taken, own)
}

/** The keys of a secret, whether it is here or comes from the platform's store; undefined when nobody makes it. */
export function secretKeys(objects: Manifest[], name: string): string[] | undefined {
  const here =
    named(objects, 'Secret', name) ??
    objects.find((one) => one.kind === 'Secret' && one.metadata.name.replace(/-[a-z0-9]{10}$/, '') === name)
  if (here) return Object.keys({ ...here.data, ...here.stringData })
  const external = ofKind(objects, 'ExternalSecret').find((one) => one.spec.target?.name === name)
  return external?.spec.data.map(({ secretKey }: { secretKey: string }) => secretKey)
}
