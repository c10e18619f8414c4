/**
 * Types, required and unknown keys. Kubernetes' own kinds are held against the schemas of three versions, those of operators against the
 * types of npm packages: objects are written as literals and the compiler judges them.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Manifest } from './manifests.fixture.ts'

type Schemas = { kinds: Record<string, string>; definitions: Record<string, object> }

/** Where the types of an operator's kinds are. */
const TYPED: Record<string, string> = {
  'cert-manager.io/v1': '@kubernetes-models/cert-manager/cert-manager.io/v1',
  'external-secrets.io/v1': '@kubernetes-models/external-secrets/external-secrets.io/v1',
  'gateway.networking.k8s.io/v1': '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1',
  'keda.sh/v1alpha1': '@kubernetes-models/keda/keda.sh/v1alpha1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
}
/** Nobody publishes types of these; the operators refuse what they do not know. */
const UNTYPED = ['kafka.strimzi.io/v1', 'mongodbcommunity.mongodb.com/v1', 'opentelemetry.io/v1beta1']

const root = new URL('../..', import.meta.url).pathname
const folder = new URL('schemas/', import.meta.url)
const versions = readdirSync(folder).map((file) => {
  const schemas = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Schemas
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ $id: 'kubernetes', definitions: schemas.definitions })
  return { version: file.replace(/^kubernetes-|\.json$/g, ''), schemas, ajv }
})

const label = ({ kind, metadata }: Manifest) => `${kind}/${metadata.name}`

/** What was found in an object, by its text: most are the same in the next overlay, and judging them takes its time. */
const judged = new Map<string, string[]>()

export function schemaProblems(objects: Manifest[]): string[] {
  const unknown = objects.filter((object) => !judged.has(JSON.stringify(object)))
  const typed = typedProblems(unknown.filter(({ apiVersion }) => apiVersion in TYPED))
  for (const object of unknown) judged.set(JSON.stringify(object), [...builtInProblems(object), ...(typed.get(object) ?? [])])
  return objects.flatMap((object) => judged.get(JSON.stringify(object)) ?? [])
}

function builtInProblems(object: Manifest): string[] {
  if (object.apiVersion in TYPED || UNTYPED.includes(object.apiVersion)) return []
  return versions.flatMap(({ version, schemas, ajv }) => {
    const name = schemas.kinds[`${object.apiVersion}/${object.kind}`]
    if (!name) return [`${label(object)}: Kubernetes ${version} has no ${object.apiVersion} ${object.kind}`]
    const validate = ajv.getSchema(`kubernetes#/definitions/${name}`) as ValidateFunction
    if (validate(object)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${label(object)} (${version}) ${instancePath}: ${message} ${JSON.stringify(params)}`,
    )
  })
}

function typedProblems(objects: Manifest[]): Map<Manifest, string[]> {
  if (objects.length === 0) return new Map()
  const lines = objects.map((object, at) => {
    const module = JSON.stringify(TYPED[object.apiVersion])
    return `export const object${at}: import(${module}).I${object.kind} = ${JSON.stringify(object)}`
  })
  const said = compile(lines.join('\n')).split('\n')
  return new Map(
    objects.map((object, at) => [
      object,
      said.filter((line) => line.includes(`manifests.ts(${at + 1},`)).map((line) => `${label(object)}: ${line.slice(0, 300)}`),
    ]),
  )
}

/** What the compiler says of a text, in a folder from which it finds the packages. */
function compile(text: string): string {
  const place = join(root, 'node_modules/.cache/manifests', String(process.pid))
  mkdirSync(place, { recursive: true })
  try {
    const file = join(place, 'manifests.ts')
    writeFileSync(file, text)
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      '',
      '--ignoreConfig',
    ]
    return spawnSync(join(root, 'node_modules/.bin/tsc'), [...options, file], { encoding: 'utf8' }).stdout
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
