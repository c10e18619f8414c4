/** The autoscalers of search and gateway under real k6, with limits that a small cluster bears. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { must, say } from '@passerelle/chaos/campaign'
import { parseAllDocuments } from 'yaml'
import { type Manifest, named } from '../manifests.fixture.ts'
import { allReady, kubectl, root, run, until } from './cluster.ts'
import { baseUrl } from './traffic.ts'

const SCALED = ['search', 'gateway']
const MOST = 4
/** CPU of a replica, in thousandths of a core, from which one more is wanted: the gateway answers most searches from its memory. */
const MILLICORES: Record<string, number> = { search: 120, gateway: 40 }
/** Without thresholds, which would end it early: a small machine does not reach them, and what is asked here is how many replicas there are. */
const k6 = {
  ...{ SCENARIO: 'steady', RATE: process.env.RATE || '60', WARM: '1', DURATION: '120s' },
  ...{ K6_INSECURE_SKIP_TLS_VERIFY: 'true', K6_NO_THRESHOLDS: 'true' },
}

type Autoscaler = { metadata: { name: string }; status: { currentReplicas?: number; currentMetrics?: unknown[] | null } }

/** What production applies, apart from the numbers: a core is shared by all here, and nobody wants to wait five minutes for the way down. */
function autoscaler(name: string): object {
  const all = parseAllDocuments(readFileSync(join(root, 'k8s/components/autoscaling/hpa.yaml'), 'utf8'))
  const found = named(
    all.map((one) => one.toJS() as Manifest),
    'HorizontalPodAutoscaler',
    name,
  )
  if (!found) throw new Error(`k8s/components/autoscaling has no autoscaler of ${name}`)
  const { spec } = found
  const metric = { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: `${MILLICORES[name]}m` } } }
  const scaleDown = { stabilizationWindowSeconds: 15, policies: [{ type: 'Pods', value: 1, periodSeconds: 15 }] }
  return { ...found, spec: { ...spec, minReplicas: 2, maxReplicas: MOST, metrics: [metric], behavior: { ...spec.behavior, scaleDown } } }
}

export async function scaling(): Promise<string> {
  if ((await run('kubectl', ['get', '--raw', '/apis/metrics.k8s.io/v1beta1/nodes'])).status !== 0)
    throw new Error('the cluster has no metrics-server')
  const most = new Map(SCALED.map((name) => [name, 0]))
  const replicas = async () => {
    const { items } = JSON.parse(await kubectl('get hpa --output json')) as { items: Autoscaler[] }
    const counts = items.map(({ metadata, status }) => [metadata.name, status.currentReplicas ?? 0] as const)
    for (const [name, count] of counts) most.set(name, Math.max(most.get(name) ?? 0, count))
    return { counts: Object.fromEntries(counts), measured: items.every(({ status }) => status.currentMetrics?.length) }
  }
  try {
    await kubectl('apply -f -', { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: SCALED.map(autoscaler) }) })
    await allReady(240)
    await until('the autoscalers have measured', 120, async () => (await replicas()).measured || undefined)
    const loaded = run(process.execPath, ['infra/load/run.ts', k6.SCENARIO], {
      seconds: 240,
      env: { ...k6, BASE_URL: baseUrl, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    })
    let ended = false
    void loaded.finally(() => {
      ended = true
    })
    await until('k6 ends', 250, async () => {
      say('replicas', (await replicas()).counts)
      return ended || undefined
    })
    const { status, stdout, stderr } = await loaded
    const summary = /http_req_failed.*|failed.*/.exec(stdout)?.[0] ?? stderr.trim().slice(-300)
    must('k6 ran', status === 0, `status ${status}: ${summary}`)
    for (const name of SCALED) must(`${name} got more replicas`, (most.get(name) ?? 0) > 2, most.get(name))
    const began = performance.now()
    const low = async () => (Object.values((await replicas()).counts).every((count) => count === 2) ? true : undefined)
    await until('back to two replicas each', 300, low)
    const seconds = Math.round((performance.now() - began) / 1000)
    return `${k6.RATE} requests/s: ${SCALED.map((name) => `${name} 2, ${most.get(name)}, 2`).join('; ')}; down within ${seconds} s; ${summary}`
  } finally {
    await kubectl(`delete hpa ${SCALED.join(' ')} --ignore-not-found`)
    await kubectl(`scale deployment ${SCALED.join(' ')} --replicas 2`)
    await allReady(240)
  }
}
