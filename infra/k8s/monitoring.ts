/** The rules and the collector of infra/observability as objects of the operators that run them in Kubernetes. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'

const NOTE = '# Written by `make monitoring` from infra/observability.\n'

type Rules = { groups: object[] }

/** Paths under the repository and the texts that have to stand there. */
export function monitoringFiles(root: string): Record<string, string> {
  const folder = join(root, 'infra/observability')
  const read = (name: string) => parse(readFileSync(join(folder, name), 'utf8')) as object
  const rules = readdirSync(join(folder, 'rules')).map((file) => [
    `k8s/components/monitoring/rules/${file}`,
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: { name: `passerelle-${file.replace('.yml', '')}` },
      spec: { groups: (read(`rules/${file}`) as Rules).groups },
    },
  ])
  const collector = {
    apiVersion: 'opentelemetry.io/v1beta1',
    kind: 'OpenTelemetryCollector',
    metadata: { name: 'passerelle' },
    spec: {
      mode: 'deployment',
      replicas: 2,
      env: [{ name: 'TRACES_ENDPOINT', value: 'traces.observability:4317' }],
      resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
      podSecurityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      config: read('collector.yml'),
    },
  }
  const objects = [...rules, ['k8s/components/monitoring/collector.yaml', collector]] as [string, object][]
  return Object.fromEntries(objects.map(([path, object]) => [path, NOTE + stringify(object, { lineWidth: 0 })]))
}
