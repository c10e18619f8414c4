/** Pods that come and go under traffic: releases, restarts, deletions, evictions, a release that is bad and a replica that is sick. */
import { must, say } from '@passerelle/chaos/campaign'
import { delay } from '@passerelle/kit/runtime'
import { allReady, isReady, kubectl, NAMESPACE, nameOf, patchPods, pods, RELEASED, revisionOf, rolledOut, run, until } from './cluster.ts'
import { during, figures, mustBeUnnoticed } from './traffic.ts'

const READY_SECONDS = 240

export const releases = () =>
  mustBeUnnoticed(async () => {
    for (const service of RELEASED) {
      const release = { metadata: { annotations: { 'passerelle.example/release': new Date().toISOString() } } }
      await timed(`${service}: rolling update`, async () => {
        await patchPods(service, release)
        await rolledOut(service)
      })
      await timed(`${service}: rollout restart`, async () => {
        await kubectl(`rollout restart deployment/${service}`)
        await rolledOut(service)
      })
    }
  })

export const deletions = () =>
  mustBeUnnoticed(async () => {
    for (const service of RELEASED) {
      await timed(`${service}: pod deleted`, async () => {
        await kubectl(`delete pod ${await onePod(service)} --wait=false`)
        await allReady(READY_SECONDS)
      })
      await timed(`${service}: pod evicted`, async () => {
        const [first = '', second = ''] = (await pods(service)).map(nameOf)
        const gone = await evict(first)
        must(`${service}: one eviction is granted`, gone.status === 0, gone.stderr.trim())
        // A pod that is not ready may always go.
        if ((await pods(service)).some((pod) => nameOf(pod) === second && isReady(pod))) {
          const refused = await evict(second)
          must(`${service}: the budget refuses the next one`, /disruption budget/.test(refused.stderr), refused.stderr.trim())
        }
        await allReady(READY_SECONDS)
      })
    }
  })

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  await work()
  say(what, `${Math.round((performance.now() - began) / 1000)} s`)
}

async function onePod(service: string): Promise<string> {
  const [pod] = await pods(service)
  if (!pod) throw new Error(`${service} has no pod`)
  return nameOf(pod)
}

function evict(name: string): ReturnType<typeof run> {
  const input = JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: NAMESPACE } })
  return run('kubectl', ['create', '--raw', `/api/v1/namespaces/${NAMESPACE}/pods/${name}/eviction`, '-f', '-'], { input })
}

/** Restarts without what lets pods go gently, first without preStop, then without draining too: that has to be seen. */
export async function withoutDraining(): Promise<string> {
  const hurt = ['search', 'gateway']
  const revisions = await Promise.all(hurt.map(revisionOf))
  const each = async (work: (service: string) => Promise<unknown>) => {
    for (const service of hurt) {
      await work(service)
      await rolledOut(service)
    }
    await allReady(READY_SECONDS)
  }
  const without = async (container: object) => {
    await each((service) => patchPods(service, { spec: { containers: [{ name: 'service', ...container }] } }))
    return during(() => each((service) => kubectl(`rollout restart deployment/${service}`)))
  }
  try {
    const onlyDraining = await without({ lifecycle: null })
    const neither = await without({ lifecycle: null, env: [{ name: 'DRAIN_MS', value: '0' }] })
    must('the same traffic fails without preStop and draining', neither.failed > 0, neither.reasons)
    return `without preStop: ${figures(onlyDraining)}; without draining too: ${figures(neither)}`
  } finally {
    await each((service) => kubectl(`rollout undo deployment/${service} --to-revision ${revisions[hurt.indexOf(service)]}`))
  }
}

/** A release that lives and never becomes ready stops by itself with the old pods serving, and is taken back. */
export async function badRelease(): Promise<string> {
  const revision = await revisionOf('gateway')
  const old = (await pods('gateway')).map(nameOf)
  return mustBeUnnoticed(async () => {
    try {
      const began = performance.now()
      const container = { name: 'service', command: ['node', '-e', 'setInterval(() => undefined, 1000)'] }
      await patchPods('gateway', { spec: { containers: [container] } })
      const words = ['--namespace', NAMESPACE, 'rollout', 'status', 'deployment/gateway', '--timeout', '300s']
      const { status, stderr } = await run('kubectl', words, { seconds: 310 })
      const seconds = Math.round((performance.now() - began) / 1000)
      must('the bad release stops', status !== 0 && /progress deadline/.test(stderr), `${seconds} s, ${stderr.trim()}`)
      const serving = (await pods('gateway')).filter(isReady).map(nameOf)
      must('the old pods serve', old.length === 2 && old.every((name) => serving.includes(name)), serving)
    } finally {
      await kubectl(`rollout undo deployment/gateway --to-revision ${revision}`)
      await rolledOut('gateway')
    }
    const serving = (await pods('gateway')).filter(isReady).map(nameOf)
    must(
      'taken back without replacing the old pods',
      old.every((name) => serving.includes(name)),
      serving,
    )
  })
}

/** Says that it is ready, and answers every call with 500. Each call is a line of its log. */
const SICK = `
const { createServer } = require('node:http')
createServer((_, answer) => answer.end('ok')).listen(9464)
createServer((call, answer) => { console.log(call.method, call.url.split('?')[0]); answer.writeHead(500, { 'content-type': 'application/json' }); answer.end('{}') }).listen(8080)
process.on('SIGTERM', () => process.exit(0))
`
const hardened = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } }

export async function sickReplica(): Promise<string> {
  const labels = { 'app.kubernetes.io/name': 'search', 'app.kubernetes.io/component': 'service' }
  const container = {
    name: 'service',
    image: 'passerelle/search:local',
    command: ['node', '-e', SICK],
    ports: [
      { name: 'http', containerPort: 8080 },
      { name: 'admin', containerPort: 9464 },
    ],
    readinessProbe: { httpGet: { path: '/readyz', port: 'admin' }, periodSeconds: 1 },
    securityContext: hardened,
    resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '128Mi' } },
  }
  const spec = {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 5,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [container],
  }
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'sick-search', labels }, spec })
  let calls = 0
  try {
    const unnoticed = await mustBeUnnoticed(async () => {
      await kubectl('apply -f -', { input })
      await until('the sick replica says that it is ready', 60, async () => (await pods('search')).find(isSickAndReady))
      await delay(60_000)
      calls = (await kubectl('logs sick-search')).trim().split('\n').filter(Boolean).length
      must('the sick replica was asked, and then left out', calls >= 3, calls)
    })
    return `${unnoticed}; ${calls} calls met the sick replica in a minute`
  } finally {
    await kubectl('delete pod sick-search --ignore-not-found')
  }
}

const isSickAndReady = (pod: Parameters<typeof isReady>[0]) => nameOf(pod) === 'sick-search' && isReady(pod)
