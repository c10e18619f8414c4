/** What every pod tells under `/metrics` after all the traffic: names of the registry alone, and few series of each. */
import { must, say } from '@passerelle/chaos/campaign'
import { createMetrics } from '@passerelle/kit/metrics'
import { parseMetrics } from '@passerelle/local/observe/viewer'
import { kubectl, NAMESPACE, nameOf, pods } from './cluster.ts'

/** Of one metric in one process, the buckets of a histogram counted once: no label holds an id or an address. */
const MOST = 200

export async function metrics(): Promise<string> {
  const known = new Set(
    createMetrics('proof')
      .registry.getMetricsAsArray()
      .map(({ name }) => name),
  )
  const all = await pods()
  const counts = new Map<string, number>()
  const unknown = new Set<string>()
  for (const pod of all) {
    const name = nameOf(pod)
    const text = await kubectl(`get --raw /api/v1/namespaces/${NAMESPACE}/pods/${name}:9464/proxy/metrics`)
    const told = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, metric = '']) => metric)
    must(`${name} tells its metrics`, told.length > 0, told.length)
    for (const metric of told) if (!known.has(metric)) unknown.add(metric)
    const own = Map.groupBy(parseMetrics(name, text), (one) => one.name.replace(/_(sum|count)$/, ''))
    for (const [metric, series] of own) {
      const labels = new Set(series.map((one) => one.labels)).size
      counts.set(metric, Math.max(counts.get(metric) ?? 0, labels))
    }
  }
  const [most = '', series = 0] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? []
  say('the metric with the most series', `${most}: ${series}`)
  must('no metric outside the registry', unknown.size === 0, [...unknown])
  must(`at most ${MOST} series of a metric`, series > 0 && series <= MOST, `${most}: ${series}`)
  return `${all.length} pods tell ${known.size} metrics and no other; at most ${series} series of one (${most})`
}
