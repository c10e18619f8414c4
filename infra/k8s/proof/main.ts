/**
 * `make k8s-proof`: what docs/operations/kubernetes.md promises, shown on the cluster that kubectl leads to. STEPS names those to run,
 * with a comma between; SERVICES the services to release; BASE_URL the entrance; SEARCHES and BOOKINGS what is begun per second. Ends with 1 when a step fails, with 2 when
 * something is missing.
 */
import { availableParallelism, loadavg } from 'node:os'
import { brokenLines, say } from '@passerelle/chaos/campaign'
import { run } from './cluster.ts'
import { apply, booking, dryRun } from './entrance.ts'
import { metrics } from './metrics.ts'
import { everything, stores } from './outages.ts'
import { badRelease, deletions, releases, sickReplica, withoutDraining } from './releases.ts'
import { scaling } from './scaling.ts'
import { baseUrl } from './traffic.ts'

type Step = { what: string; run(): Promise<string> }
const steps: Record<string, Step> = {
  'dry-run': { what: 'The API server accepts every overlay', run: dryRun },
  apply: { what: 'One apply, everything ready', run: apply },
  booking: { what: 'A booking through the entrance, by HTTP and in Chromium', run: booking },
  releases: { what: 'Rolling update and restart of every service', run: releases },
  deletions: { what: 'A pod of every service deleted, one evicted', run: deletions },
  'without-draining': { what: 'The same traffic fails without preStop and draining', run: withoutDraining },
  'bad-release': { what: 'A bad release stops, the old pods serve, undone', run: badRelease },
  'sick-replica': { what: 'A replica that is ready and answers 500 is routed round', run: sickReplica },
  scaling: { what: 'Search and gateway scaled up and down under k6', run: scaling },
  metrics: { what: 'After it every pod tells known metrics, and few series of each', run: metrics },
  stores: { what: 'MongoDB, Kafka and Redis deleted in turn', run: stores },
  everything: { what: 'All pods down and up', run: everything },
}

function refuse(why: string): never {
  console.error(why)
  process.exit(2)
}

const asked = (process.env.STEPS || Object.keys(steps).join(',')).split(/[ ,]+/).filter(Boolean)
const unknown = asked.filter((name) => !(name in steps))
if (unknown.length > 0) refuse(`There is no step ${unknown.join(', ')}. There are: ${Object.keys(steps).join(', ')}`)
if ((await run('kubectl', ['version', '--client'])).status !== 0) refuse('kubectl is missing: https://kubernetes.io/docs/tasks/tools/')
const server = await run('kubectl', ['version', '--request-timeout', '10s'])
if (server.status !== 0)
  refuse(`No cluster answers to kubectl: ${server.stderr.trim().split('\n').at(-1)}. KUBECONFIG names one; a local one will do`)
const version = /Server Version: (\S+)/.exec(server.stdout)?.[1]
say(`Kubernetes ${version}, entrance ${baseUrl}, load of this machine ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`)
// The entrance of a small cluster has a certificate that nobody signed.
if (new URL(baseUrl).hostname === 'localhost') process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'

const rows: { name: string; holds: boolean; seconds: number; figures: string }[] = []
for (const name of asked) {
  const step = steps[name] as Step
  say(`== ${name}: ${step.what}`)
  const began = performance.now()
  const before = brokenLines()
  let figures: string
  let ended = true
  try {
    figures = await step.run()
  } catch (error) {
    ended = false
    figures = String((error as Error).message)
    console.error(error)
  }
  rows.push({ name, holds: ended && brokenLines() === before, seconds: Math.round((performance.now() - began) / 1000), figures })
  // Nothing can be shown of what is not there.
  if (name === 'apply' && !ended) break
}

console.log(
  `\nKubernetes ${version}, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC\n\n| Step | Holds | Seconds | Figures |\n|---|---|---|---|`,
)
for (const { name, holds, seconds, figures } of rows) {
  const what = `${steps[name]?.what} (\`${name}\`)`
  console.log(`| ${what} | ${holds ? 'yes' : '**no**'} | ${seconds} | ${figures.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '/')} |`)
}
process.exit(rows.length === asked.length && rows.every(({ holds }) => holds) ? 0 : 1)
