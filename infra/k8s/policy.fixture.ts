/** What every workload has to have, beyond what a schema says. */
import {
  type Container,
  type Manifest,
  named,
  ofKind,
  type Probe,
  secretKeys,
  selects,
  type Workload,
  workloads,
} from './manifests.fixture.ts'

type Say = (wrong: unknown, problem: string) => void

/** What is under way at the end of the drain may take so long: `HARD_EXIT_MS` of the kit. */
const LAST_WORK_SECONDS = 45
/** The cluster's DNS gives the addresses of a name for so long, and then callers read it again. */
const NAMES_SECONDS = 35

export function policyProblems(objects: Manifest[]): string[] {
  const problems: string[] = []
  for (const workload of workloads(objects)) {
    const say: Say = (wrong, problem) => wrong && problems.push(`${workload.kind}/${workload.name}: ${problem}`)
    podPolicy(workload, objects, say)
    for (const container of [...(workload.pod.initContainers ?? []), ...workload.pod.containers]) containerPolicy(container, workload, say)
    if (workload.isService) servicePolicy(workload, objects, say)
    if (workload.kind.endsWith('Job')) jobPolicy(workload, say)
  }
  return [...problems, ...referenceProblems(objects)]
}

function podPolicy({ pod, labels, kind, object }: Workload, objects: Manifest[], say: Say): void {
  say(pod.securityContext?.runAsNonRoot !== true, 'may run as root')
  say(pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault', 'has no seccomp profile')
  say(pod.hostNetwork || pod.hostPID || pod.hostIPC, 'shares something with its node')
  say(pod.automountServiceAccountToken !== false, 'is given a token of the API server')
  say(pod.enableServiceLinks !== false, 'is given the addresses of all services as environment')
  say(!named(objects, 'ServiceAccount', pod.serviceAccountName), `has no service account of its own (${pod.serviceAccountName})`)
  for (const volume of pod.volumes ?? []) {
    say(volume.hostPath, `mounts a folder of its node (${volume.name})`)
    say(
      volume.secret && !secretKeys(objects, volume.secret.secretName),
      `mounts the secret ${volume.secret?.secretName}, which nobody makes`,
    )
    say(volume.configMap && !named(objects, 'ConfigMap', volume.configMap.name), `mounts ${volume.configMap?.name}, which is not there`)
  }
  const given = new Set(
    [...(pod.volumes ?? []), ...(object.spec.volumeClaimTemplates ?? []).map((one: Manifest) => one.metadata)].map(({ name }) => name),
  )
  for (const { volumeMounts = [] } of pod.containers)
    for (const { name } of volumeMounts) say(!given.has(name), `mounts the volume ${name}, which it does not have`)
  const selector = kind.endsWith('Job') ? undefined : object.spec.selector
  say(selector && !selects(selector, labels), 'does not select its own pods')
}

function containerPolicy(container: Container, { kind }: Workload, say: Say): void {
  const { securityContext: security = {}, resources = {}, image } = container
  say(security.allowPrivilegeEscalation !== false || security.privileged, 'may gain privileges')
  say(security.readOnlyRootFilesystem !== true, 'can write into its image')
  say(!security.capabilities?.drop?.includes('ALL') || security.capabilities.add?.length, 'has capabilities')
  say(!resources.requests?.cpu || !resources.requests.memory, 'requests no CPU or no memory')
  say(!resources.limits?.memory || bytes(resources.limits.memory) < bytes(resources.requests?.memory), 'has no fitting limit of memory')
  say(!/[:@]/.test(image.replace(/^[^/]+:\d+\//, '')) || image.endsWith(':latest'), `runs no certain version (${image})`)
  say(container.imagePullPolicy === 'Always', 'is pulled anew at each start')
  if (kind.endsWith('Job')) return
  say(!container.startupProbe || !container.readinessProbe || !container.livenessProbe, 'lacks a probe')
  const ports = new Set(container.ports?.flatMap(({ name, containerPort }) => [name, containerPort]))
  for (const probe of [container.startupProbe, container.readinessProbe, container.livenessProbe]) {
    const port = portOf(probe)
    say(port !== undefined && !ports.has(port), `is asked on the port ${port}, which it does not have`)
  }
}

const portOf = (probe: Probe | undefined) => (probe?.httpGet ?? probe?.tcpSocket)?.port

function servicePolicy({ name, pod, labels, object }: Workload, objects: Manifest[], say: Say): void {
  const [container] = pod.containers as [Container]
  say(container.readinessProbe?.httpGet?.path !== '/readyz', 'is not ready by /readyz')
  say(container.livenessProbe?.httpGet?.path !== '/livez', 'is not alive by /livez')
  const settings = (container.envFrom ?? []).map(({ configMapRef }) => named(objects, 'ConfigMap', configMapRef?.name)?.data ?? {})
  const drain = Number(Object.assign({}, ...settings).DRAIN_MS ?? 0) / 1000
  const pause = container.lifecycle?.preStop?.sleep?.seconds ?? 0
  say(pause < 3, 'does not wait before it stops')
  say(pause + drain < NAMES_SECONDS, 'is gone before its name has forgotten it')
  say((pod.terminationGracePeriodSeconds ?? 30) < pause + drain + LAST_WORK_SECONDS, 'is killed before its work is over')
  const { strategy, replicas } = object.spec
  say(strategy?.rollingUpdate?.maxUnavailable !== 0 || !strategy.rollingUpdate.maxSurge, 'has fewer replicas while it is replaced')
  const spread = new Set(pod.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey))
  say(!spread.has('kubernetes.io/hostname') || !spread.has('topology.kubernetes.io/zone'), 'is not spread over nodes and zones')
  say(!named(objects, 'PriorityClass', pod.priorityClassName), 'has no priority')
  say(pod.serviceAccountName !== name, 'shares its service account')
  const budgets = ofKind(objects, 'PodDisruptionBudget').filter((one) => selects(one.spec.selector, labels))
  say(budgets.length !== 1 || ['100%', 0, '0%'].includes(budgets[0]?.spec.minAvailable ?? 0), 'has no fitting disruption budget')
  const scalers = ofKind(objects, 'HorizontalPodAutoscaler', 'ScaledObject').filter(({ spec }) => spec.scaleTargetRef.name === name)
  say(scalers.length > 1, 'is scaled by two at once')
  say(scalers.length === 1 && replicas !== undefined, 'names a number of replicas that an autoscaler decides')
  say(scalers.length === 0 && !(replicas >= 2), 'has one replica only')
  for (const { spec, kind } of scalers) {
    const isHpa = kind === 'HorizontalPodAutoscaler'
    const [least, most] = isHpa ? [spec.minReplicas, spec.maxReplicas] : [spec.minReplicaCount, spec.maxReplicaCount]
    say(!(least >= 2) || !(most > least), 'is scaled to fewer than two, or not at all')
    const behavior = isHpa ? spec.behavior : spec.advanced?.horizontalPodAutoscalerConfig?.behavior
    say(!(behavior?.scaleDown?.stabilizationWindowSeconds >= 300), 'is scaled down at once')
  }
}

function jobPolicy({ object, kind }: Workload, say: Say): void {
  const spec = kind === 'CronJob' ? object.spec.jobTemplate.spec : object.spec
  say(spec.backoffLimit === undefined || spec.activeDeadlineSeconds === undefined, 'may be tried for ever')
  say(spec.ttlSecondsAfterFinished === undefined, 'is never cleared away')
  say(kind === 'CronJob' && object.spec.concurrencyPolicy !== 'Forbid', 'may run twice at once')
}

/** What objects say of each other. */
function referenceProblems(objects: Manifest[]): string[] {
  const problems: string[] = []
  const running = workloads(objects)
  for (const { kind, metadata, spec } of objects) {
    const say: Say = (wrong, problem) => wrong && problems.push(`${kind}/${metadata.name}: ${problem}`)
    if (kind === 'Service') {
      const targets = running.filter(({ labels, kind: runs }) => !runs.endsWith('Job') && selects({ matchLabels: spec.selector }, labels))
      const ports = targets
        .flatMap(({ pod }) => pod.containers.flatMap((one) => one.ports ?? []))
        .flatMap((one) => [one.name, one.containerPort])
      say(targets.length !== 1, 'leads to no workload, or to several')
      for (const { targetPort } of spec.ports) say(!ports.includes(targetPort), `leads to the port ${targetPort}, which nobody listens on`)
    }
    if (kind === 'HorizontalPodAutoscaler' || kind === 'ScaledObject')
      say(!named(objects, 'Deployment', spec.scaleTargetRef.name), 'scales nothing that is there')
    if (kind === 'PodDisruptionBudget') say(!running.some(({ labels }) => selects(spec.selector, labels)), 'protects nothing')
    if (kind === 'Ingress') {
      const hosts = new Set(spec.tls?.flatMap(({ hosts: one = [] }: { hosts?: string[] }) => one))
      say(!spec.tls?.length, 'has no TLS')
      for (const { host, http } of spec.rules) {
        say(host && !hosts.has(host), `has no TLS for ${host}`)
        for (const { backend } of http.paths)
          say(!leads(objects, backend.service.name, backend.service.port), `leads nowhere (${backend.service.name})`)
      }
    }
    if (kind === 'Gateway')
      for (const one of spec.listeners)
        say(
          one.name !== 'http' && (one.protocol !== 'HTTPS' || !one.tls?.certificateRefs?.length || !one.hostname),
          `has no TLS for ${one.name}`,
        )
    if (kind === 'HTTPRoute')
      for (const { backendRefs = [], filters = [] } of spec.rules) {
        const redirects = filters.some((one: { requestRedirect?: { scheme?: string } }) => one.requestRedirect?.scheme === 'https')
        say(spec.parentRefs[0].sectionName === 'http' && !redirects, 'serves without TLS')
        for (const { name, port } of backendRefs) say(!leads(objects, name, { number: port }), `leads nowhere (${name}:${port})`)
      }
    if (kind === 'PodMonitor') {
      const ports = running
        .filter(({ labels }) => selects(spec.selector, labels))
        .map(({ pod }) => pod.containers.flatMap((one) => one.ports?.map(({ name }) => name)))
      for (const { port } of spec.podMetricsEndpoints)
        say(ports.length === 0 || ports.some((one) => !one.includes(port)), `scrapes the port ${port}, which is not there`)
    }
    if (kind === 'Namespace')
      say(metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted', 'takes pods that are not restricted')
  }
  return problems
}

function leads(objects: Manifest[], name: string, port: { name?: string; number?: number }): boolean {
  const ports: { name: string; port: number }[] = named(objects, 'Service', name)?.spec.ports ?? []
  return ports.some((one) => one.name === port.name || one.port === port.number)
}

function bytes(text = '0'): number {
  const [, figure = '0', unit = ''] = /^([\d.]+)(\w*)$/.exec(text) ?? []
  return Number(figure) * ({ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 }[unit] ?? 1)
}
