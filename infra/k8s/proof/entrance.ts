/** From images to a booking: everything applied and ready, every overlay accepted by the API server, a sale through the entrance. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { must, say } from '@passerelle/chaos/campaign'
import { build, type Manifest } from '../manifests.fixture.ts'
import {
  allReady,
  forward,
  kubectl,
  list,
  type Outcome,
  type Pod,
  pods,
  restartsOf,
  root,
  run,
  SERVICES,
  statusesOf,
  until,
} from './cluster.ts'
import { baseUrl, effectsOnce } from './traffic.ts'

const OVERLAYS = ['local', 'dev', 'staging', 'prod']
const made = new Set<string>()

async function secrets(): Promise<void> {
  const { status, stderr } = await run(process.execPath, ['infra/docker/main.ts', 'k8s/components/local-secrets/secrets'])
  if (status !== 0) throw new Error(`make k8s-secrets: ${stderr}`)
}

/** `kubectl apply -k`, and nothing by hand until everything is ready. */
export async function apply(): Promise<string> {
  await secrets()
  // A Job cannot be changed, and those of an earlier run may still be there.
  await kubectl('delete job topics mongo-init --ignore-not-found', { seconds: 120 })
  await kubectl('apply -k k8s/overlays/local', { seconds: 120 })
  // All visitors of the proof come from one address.
  await kubectl('set env deployment/gateway deployment/search RATE_LIMIT_FACTOR=1000')
  const seconds = await allReady(600)
  const entranceSeconds = await answering()
  const all = await pods()
  must('every service has two ready replicas', all.length === SERVICES.length * 2, all.length)
  say('restarts while everything came up', restartsOf(all))
  return `${(await list<Pod>('pods')).length} pods ready after ${seconds} s, entrance after ${entranceSeconds} s, ${await imagesOf(all)}`
}

/** The first answer of the product through the entrance. @returns seconds */
export async function answering(): Promise<number> {
  const began = performance.now()
  await until(`an answer of ${baseUrl}`, 60, async () => {
    const answer = await fetch(`${baseUrl}/api/system/mode`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
    return answer?.ok || undefined
  })
  return Math.round((performance.now() - began) / 1000)
}

/** Whether the pods run what this machine's Docker has built, where there is one. */
async function imagesOf(all: readonly Pod[]): Promise<string> {
  const running = [...new Map(statusesOf(all).map((one) => [one.image.replace(/^docker.io\//, ''), one.imageID]))]
  const local = await run('docker', ['image', 'inspect', '--format', '{{.Id}}', ...running.map(([image]) => image)])
  if (local.status !== 0) return `images not compared (${local.stderr.trim().split('\n')[0] || 'no docker'})`
  const ids = local.stdout.trim().split('\n')
  const other = running.filter(([, id], i) => !id.endsWith(ids[i] ?? '?')).map(([image]) => image)
  must('the pods run the images of `make images`', other.length === 0, other)
  return `${running.length} images as built`
}

/** What the API server says to every overlay; kinds that the cluster does not know are named and left out. */
export async function dryRun(): Promise<string> {
  await secrets()
  const known = await knownKinds()
  const figures: string[] = []
  try {
    for (const overlay of OVERLAYS) figures.push(await dryRunOf(overlay, known))
  } finally {
    for (const name of made) await kubectl(`delete namespace ${name} --wait=false`)
  }
  return figures.join('; ')
}

async function knownKinds(): Promise<Set<string>> {
  const rows = (await kubectl('api-resources --no-headers')).trim().split('\n')
  // NAME [SHORTNAMES] APIVERSION NAMESPACED KIND
  return new Set(rows.map((row) => row.trim().split(/\s+/)).map((words) => `${words.at(-3)}/${words.at(-1)}`))
}

/** In a namespace of its own with the same labels: what runs already is not in the way. */
async function dryRunOf(overlay: string, known: ReadonlySet<string>): Promise<string> {
  const objects = build(['kubectl', 'kustomize'], root, `k8s/overlays/${overlay}`)
  const name = `dry-run-${overlay}`
  const own = objects.find(({ kind }) => kind === 'Namespace')
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: own?.metadata.labels } }
  made.add(name)
  await kubectl('apply -f -', { input: JSON.stringify(namespace) })
  const moved = objects
    .filter(({ kind }) => kind !== 'Namespace')
    .map((one): Manifest => (one.metadata.namespace ? { ...one, metadata: { ...one.metadata, namespace: name } } : one))
  const isKnown = ({ apiVersion, kind }: Manifest) => known.has(`${apiVersion}/${kind}`)
  const items = moved.filter(isKnown)
  const skipped = [...new Set(moved.filter((one) => !isKnown(one)).map(({ kind }) => kind))]
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
  const { status, stderr } = await run('kubectl', ['apply', '--dry-run=server', '-f', '-'], { input, seconds: 120 })
  must(`${overlay}: accepted without a warning`, status === 0 && stderr.trim() === '', stderr.trim())
  if (skipped.length > 0) say(`${overlay}: kinds that this cluster does not know`, skipped)
  return `${overlay} ${items.length} of ${moved.length}${skipped.length > 0 ? ` (not here: ${skipped.join(', ')})` : ''}`
}

/** The trust in the entrance's certificate that programs of Node need. */
const trusting = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' }

export const bookOnce = (...more: string[]): Promise<Outcome> =>
  run(process.execPath, ['infra/local/book-once.ts', baseUrl, ...more], { seconds: 90, env: trusting })

/** By plain HTTP, then by a person in Chromium from the home page to the trip, the mail and the ledgers. */
export async function booking(): Promise<string> {
  const { status, stdout, stderr } = await bookOnce()
  must('a booking through the entrance', status === 0, stdout.trim() || stderr.trim())
  if (!existsSync(join(root, 'node_modules/.bin/playwright'))) throw new Error('the packages are not installed: make install')
  const simulators = await forward('service/simulators', [8091, 8092, 8093], [28_011, 28_012, 28_013])
  const results = mkdtempSync(join(tmpdir(), 'k8s-proof-'))
  try {
    const words = [
      'test',
      '--config',
      'web/e2e/playwright.config.ts',
      'journey.spec.ts',
      '--grep',
      'GEN-01',
      '--project',
      'desktop',
      '--no-deps',
      '--timeout',
      '240000',
    ]
    const browser = await run(process.execPath, ['node_modules/.bin/playwright', ...words, '--output', results], {
      seconds: 300,
      env: { ...trusting, BASE_URL: baseUrl, E2E_PORT: '28000' },
    })
    const summary = /\d+ (passed|failed).*/.exec(browser.stdout)?.[0] ?? browser.stderr.trim()
    must('the journey in Chromium', browser.status === 0, browser.status === 0 ? summary : browser.stdout.slice(-2000))
    return `by HTTP: ${stdout.trim()}; in Chromium: ${summary}; ${await effectsOnce()}`
  } finally {
    simulators.close()
    rmSync(results, { recursive: true, force: true })
  }
}
