/** Names in rules and dashboards against the registry that every process has, and the runbook of every alert. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMetrics } from '@passerelle/kit/metrics'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'

type Rule = {
  record?: string
  alert?: string
  expr: string
  labels?: { severity?: string }
  annotations?: { summary?: string; runbook?: string }
}
type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] }

/** Told by Prometheus itself and by cert-manager. */
const FROM_OTHERS: Record<string, string[]> = { up: [], certmanager_certificate_expiration_timestamp_seconds: ['name'] }
/** Every series has these: the registry's own, and what the scrape adds. */
const COMMON = ['service', 'job', 'instance', 'namespace', 'pod']

function registry(): Map<string, string[]> {
  const known = new Map(Object.entries(FROM_OTHERS))
  for (const metric of createMetrics('check').registry.getMetricsAsArray()) {
    const { name, type, labelNames = [] } = metric as unknown as { name: string; type: string; labelNames?: string[] }
    if (type !== 'histogram') known.set(name, labelNames)
    else for (const end of ['_bucket', '_sum', '_count']) known.set(name + end, [...labelNames, 'le'])
  }
  return known
}

/** What is wrong with one expression: its grammar, metrics that nobody emits, and labels that they do not have. */
function expressionProblems(expr: string, known: Map<string, string[]>): string[] {
  const problems: string[] = []
  const labels: string[] = []
  const usable: string[] = [...COMMON]
  parser.parse(expr).iterate({
    enter({ name, from, to, type }) {
      const text = expr.slice(from, to)
      if (type.isError) problems.push(`cannot be read at ${from}`)
      if (name === 'VectorSelector') {
        const metric = /^[\w:]+/.exec(text)?.[0] ?? ''
        const own = known.get(metric)
        if (own) usable.push(...own)
        else problems.push(`nobody emits ${metric}`)
      }
      if (name === 'LabelName') labels.push(text)
    },
  })
  return [...problems, ...labels.filter((label) => !usable.includes(label)).map((label) => `no metric in it has the label ${label}`)]
}

export function metricProblems(root: string): string[] {
  const folder = join(root, 'infra/observability')
  const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8')
  const known = registry()
  const rules = readdirSync(join(folder, 'rules')).flatMap((file) =>
    (parse(read('rules', file)) as { groups: { rules: Rule[] }[] }).groups.flatMap((one) => one.rules),
  )
  for (const { record } of rules) if (record) known.set(record, [])
  const tests = readdirSync(join(folder, 'rule-tests'))
    .map((file) => read('rule-tests', file))
    .join('\n')
  const alertProblems = rules.flatMap(({ alert, labels, annotations }) => {
    if (!alert) return []
    const [page = '', anchor] = annotations?.runbook?.split('#') ?? []
    const path = join(root, page)
    return [
      ...(!annotations?.summary || !['page', 'ticket', 'none'].includes(labels?.severity ?? '') ? ['has no summary or severity'] : []),
      ...(anchor !== alert.toLowerCase() || !existsSync(path) || !readFileSync(path, 'utf8').includes(`\n## ${alert}\n`)
        ? ['has no runbook']
        : []),
      ...(!tests.includes(`name: ${alert} fires`) ? ['is never seen firing'] : []),
      ...(!tests.includes(`name: ${alert} stays silent`) && alert !== 'Watchdog' ? ['is never seen silent'] : []),
    ].map((problem) => `${alert} ${problem}`)
  })
  const panels = readdirSync(join(folder, 'dashboards')).flatMap((file) =>
    (JSON.parse(read('dashboards', file)) as Dashboard).panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({ where: `${file}, ${title}`, expr })),
    ),
  )
  const expressions = [...rules.map(({ record, alert, expr }) => ({ where: record ?? alert, expr })), ...panels]
  return [
    ...alertProblems,
    ...expressions.flatMap(({ where, expr }) => expressionProblems(expr, known).map((problem) => `${where}: ${problem}`)),
  ]
}
