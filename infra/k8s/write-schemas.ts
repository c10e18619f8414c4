/**
 * Writes `schemas/kubernetes-<version>.json` from the strict schemas in the Python package kubernetes-validate: the kinds that we use and what
 * they refer to, without descriptions. `pip download --no-deps kubernetes-validate`, unzip it, then `node infra/k8s/write-schemas.ts FOLDER`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const VERSIONS = ['1.34', '1.36', '1.37']
const KINDS = [
  'apps/v1/Deployment',
  'apps/v1/StatefulSet',
  'autoscaling/v2/HorizontalPodAutoscaler',
  'batch/v1/CronJob',
  'batch/v1/Job',
  'networking.k8s.io/v1/Ingress',
  'networking.k8s.io/v1/NetworkPolicy',
  'policy/v1/PodDisruptionBudget',
  'scheduling.k8s.io/v1/PriorityClass',
  'v1/ConfigMap',
  'v1/Namespace',
  'v1/Secret',
  'v1/Service',
  'v1/ServiceAccount',
]

type Group = { group: string; version: string; kind: string }
type Schema = Record<string, unknown> & { 'x-kubernetes-group-version-kind'?: Group[] }

const keyOf = ({ group, version, kind }: Group) => [...(group ? [group] : []), version, kind].join('/')

function withoutNotes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNotes)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([key, one]) => !(key === 'description' && typeof one === 'string') && !key.startsWith('x-kubernetes'),
  )
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutNotes(one)]))
}

const package_ = join(process.argv[2] ?? '.', 'kubernetes_validate/kubernetes-json-schema')
for (const version of VERSIONS) {
  const folder = join(package_, readdirSync(package_).find((name) => name.startsWith(`v${version}.`) && name.endsWith('-strict')) as string)
  const { $defs } = JSON.parse(readFileSync(join(folder, '_definitions.json'), 'utf8')) as { $defs: Record<string, Schema> }
  const kinds: Record<string, string> = {}
  const definitions: Record<string, unknown> = {}
  const add = (name: string): void => {
    if (name in definitions) return
    definitions[name] = withoutNotes($defs[name])
    for (const [, used] of JSON.stringify(definitions[name]).matchAll(/"\$ref":"[^"]*\/([^"/]+)"/g)) add(used as string)
  }
  for (const [name, schema] of Object.entries($defs)) {
    const key = schema['x-kubernetes-group-version-kind']?.map(keyOf).find((one) => KINDS.includes(one))
    if (!key) continue
    kinds[key] = name
    add(name)
  }
  const text = JSON.stringify({ kinds, definitions }).replaceAll(/"\$ref":"[^"]*\/([^"/]+)"/g, '"$ref":"#/definitions/$1"')
  writeFileSync(new URL(`schemas/kubernetes-${version}.json`, import.meta.url), `${text}\n`)
}
