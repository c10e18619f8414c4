/** The cluster, as `kubectl` shows and changes it. Every wait has a deadline. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { delay } from '@passerelle/kit/runtime'
import { freePorts } from '@passerelle/servers/ports'

export const NAMESPACE = 'passerelle'
/** In the order in which they are released. */
export const SERVICES = ['brand', 'identity', 'search', 'payment', 'booking', 'gateway']
/** Those whose pods come and go. */
export const RELEASED = process.env.SERVICES?.split(/[ ,]+/) ?? SERVICES
export const root = join(import.meta.dirname, '../../..')

export type Outcome = { status: number; stdout: string; stderr: string }
type Options = { input?: string; seconds?: number; env?: Record<string, string> }

/** Runs a program in the repository's folder; killed after `seconds` (60). Without such a program the status is 127. */
export async function run(program: string, words: readonly string[], { input, seconds = 60, env = {} }: Options = {}): Promise<Outcome> {
  const child = spawn(program, words, { cwd: root, env: { ...process.env, ...env }, timeout: seconds * 1000, stdio: 'pipe' })
  const status = new Promise<number>((done) => {
    child.once('error', () => done(127))
    child.once('close', (code) => done(code ?? 124))
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await status, stdout, stderr }
}

/** `kubectl` in the product's namespace; `last` is a word that may have spaces. @throws with what it said when it fails */
export async function kubectl(words: string, { last, ...options }: Options & { last?: string } = {}): Promise<string> {
  const all = ['--namespace', NAMESPACE, ...words.split(' '), ...(last === undefined ? [] : [last])]
  const { status, stdout, stderr } = await run('kubectl', all, options)
  if (status !== 0) throw new Error(`kubectl ${words}: ${stderr.trim() || `status ${status}`}`)
  return stdout
}

/** Asks `read` every second until it gives something. @throws after `seconds`, with the last reason that `why` gives */
export async function until<T>(what: string, seconds: number, read: () => Promise<T | undefined>, why?: () => string): Promise<T> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const found = await read()
    if (found !== undefined) return found
    if (performance.now() > end) throw new Error(`${what}: not within ${seconds} s${why ? `: ${why()}` : ''}`)
    await delay(1000)
  }
}

type ContainerStatus = { restartCount: number; imageID: string; image: string; state?: { waiting?: { reason: string } } }
export type Pod = {
  metadata: { name: string; deletionTimestamp?: string; labels: Record<string, string> }
  status: { phase: string; containerStatuses?: ContainerStatus[]; conditions?: { type: string; status: string }[] }
}
type Replicated = {
  kind: string
  metadata: { name: string; generation: number; annotations?: Record<string, string> }
  spec: { replicas: number }
  status: { observedGeneration?: number; readyReplicas?: number; updatedReplicas?: number; replicas?: number }
}

export async function list<T>(what: string): Promise<T[]> {
  return (JSON.parse(await kubectl(`get ${what} --output json`)) as { items: T[] }).items
}

/** Pods that are not on their way out; all of the product's services without a name. */
export async function pods(name?: string): Promise<Pod[]> {
  const label = name ? `app.kubernetes.io/name=${name}` : 'app.kubernetes.io/component=service'
  return (await list<Pod>(`pods --selector ${label}`)).filter(({ metadata }) => !metadata.deletionTimestamp)
}

export const nameOf = ({ metadata }: Pod) => metadata.name
export const isReady = ({ status }: Pod) => status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true
export const statusesOf = (all: readonly Pod[]) => all.flatMap(({ status }) => status.containerStatuses ?? [])
/** How often containers of these pods were started again in their place. */
export const restartsOf = (all: readonly Pod[]) => statusesOf(all).reduce((sum, { restartCount }) => sum + restartCount, 0)

/** Waits until every replica of everything is there, ready, and of the newest kind, and no other pod is left. @returns seconds */
export async function allReady(seconds: number): Promise<number> {
  const began = performance.now()
  let left: string[] = []
  await until(
    'everything is ready',
    seconds,
    async () => {
      const replicated = await list<Replicated>('deployments,statefulsets')
      left = replicated.filter((one) => !isComplete(one)).map(({ metadata }) => metadata.name)
      if (left.length === 0 && (await leaving()) === 0) return true
      const refused = await missingImages()
      if (refused.length > 0 && performance.now() - began > 30_000)
        throw new Error(`the nodes have no image ${refused.join(', ')}: \`make images\`, then bring them where the nodes find them`)
      return undefined
    },
    () => left.join(', ') || 'pods are still on their way out',
  )
  return Math.round((performance.now() - began) / 1000)
}

function isComplete({ metadata, spec, status }: Replicated): boolean {
  const { observedGeneration, readyReplicas = 0, updatedReplicas = 0, replicas = 0 } = status
  return observedGeneration === metadata.generation && [readyReplicas, updatedReplicas, replicas].every((count) => count === spec.replicas)
}

const leaving = async () => (await list<Pod>('pods')).filter(({ metadata }) => metadata.deletionTimestamp).length

async function missingImages(): Promise<string[]> {
  const reasons = ['ErrImagePull', 'ImagePullBackOff', 'ErrImageNeverPull']
  const waiting = statusesOf(await list<Pod>('pods')).filter(({ state }) => reasons.includes(state?.waiting?.reason ?? ''))
  return [...new Set(waiting.map(({ image }) => image))]
}

/** The number that `kubectl rollout undo --to-revision` takes. */
export async function revisionOf(service: string): Promise<string> {
  const found = JSON.parse(await kubectl(`get deployment ${service} --output json`)) as Replicated
  return found.metadata.annotations?.['deployment.kubernetes.io/revision'] ?? ''
}

export async function rolledOut(service: string, seconds = 240): Promise<void> {
  await kubectl(`rollout status deployment/${service} --timeout ${seconds}s`, { seconds: seconds + 10 })
}

/** Changes what every pod of a service is made of (a strategic merge). */
export async function patchPods(service: string, template: object): Promise<void> {
  await kubectl(`patch deployment ${service} --patch`, { last: JSON.stringify({ spec: { template } }) })
}

export type Forwarded = { ports: number[]; close(): void }

/** Ports of this machine that lead to those of a pod or Service, until it is closed or the pod goes. */
export async function forward(target: string, remote: readonly number[], local?: readonly number[]): Promise<Forwarded> {
  const ports = local ?? (await freePorts(remote.length))
  const pairs = remote.map((port, i) => `${ports[i]}:${port}`)
  const child = spawn('kubectl', ['--namespace', NAMESPACE, 'port-forward', target, ...pairs], { stdio: ['ignore', 'pipe', 'inherit'] })
  let told = ''
  let ended = false
  child.stdout.on('data', (chunk) => {
    told += chunk
  })
  child.once('error', () => undefined)
  child.once('close', () => {
    ended = true
  })
  await until(`port-forward to ${target}`, 30, async () => {
    if (ended) throw new Error(`kubectl port-forward to ${target} ended`)
    return ports.every((port) => told.includes(`127.0.0.1:${port} `)) || undefined
  })
  return { ports: [...ports], close: () => void child.kill() }
}
