/** The settings and ports of Kubernetes and Compose against the schemas of the services that read them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configurationOf, type ServiceDefinition } from '@passerelle/kit/service'
import { parse } from 'yaml'
import type { z } from 'zod'
import { gateway } from '../../gateway/service.ts'
import { booking } from '../../services/booking/service.ts'
import { brand } from '../../services/brand/service.ts'
import { identity } from '../../services/identity/service.ts'
import { payment } from '../../services/payment/service.ts'
import { search } from '../../services/search/service.ts'
import { topicsConfig } from '../kafka/configuration.ts'
import { type Container, type Manifest, named, ofKind, secretKeys, settingsOf, workloads } from './manifests.fixture.ts'

export const definitions = [gateway, search, booking, payment, identity, brand] as Pick<ServiceDefinition, 'name' | 'needs' | 'config'>[]
const schemas: Record<string, z.ZodObject> = {
  ...Object.fromEntries(definitions.map((one) => [one.name, configurationOf(one)])),
  topics: topicsConfig,
  'dead-letters': topicsConfig,
}

/** Read by Node, by tracing and by the image's start line. */
const READ_BY_OTHERS = /^(OTEL_[A-Z_]+|NODE_OPTIONS|NODE_EXTRA_CA_CERTS)$/

/** In place of what only the platform's own store knows. */
const SAMPLES: Record<string, string> = {
  MONGO_URL: 'mongodb://mongo',
  REDIS_URL: 'rediss://redis',
  SMTP_URL: 'smtps://mail',
  DUFFEL_TEST_TOKEN: 'duffel_test_x',
  DUFFEL_LIVE_TOKEN: 'duffel_live_x',
  STRIPE_TEST_KEY: 'sk_test_x',
  STRIPE_LIVE_KEY: 'sk_live_x',
  STRIPE_LIVE_PUBLISHABLE_KEY: 'pk_live_x',
}
const sample = (name: string) => SAMPLES[name] ?? 'x'.repeat(48)

function schemaProblems(where: string, schema: z.ZodObject, given: Record<string, string | undefined>, strict: boolean): string[] {
  const values: Record<string, string> = {}
  const problems: string[] = []
  for (const [name, value] of Object.entries(given)) {
    const plain = name.endsWith('_FILE') ? name.slice(0, -5) : name
    if (plain in schema.shape) values[plain] = name === plain ? (value ?? sample(plain)) : sample(plain)
    else if (strict && !READ_BY_OTHERS.test(name)) problems.push(`${where}: nothing reads ${name}`)
  }
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  const { error } = schema.safeParse(filled)
  return [...problems, ...(error?.issues ?? []).map(({ path, message }) => `${where}: ${path.join('.')}: ${message}`)]
}

/** What a service takes as a secret, by the end of its name; `DUFFEL_LIVE_TOKEN` and the like belong to one mode. */
const SECRET = /_(SECRET|TOKEN|KEY|PASSWORD|JWKS)$|^(MONGO|REDIS|SMTP)_URL$/
const LIVE = /_LIVE_/
/** Optional on purpose: administrators of a released system are made by a command. */
const LOCAL_ONLY = /^FIRST_ADMIN_PASSWORD$/

/** An optional secret that is given nowhere switches something off in silence. Live ones are for the overlays that have any. */
export function secretProblems(objects: Manifest[], isReleased: boolean): string[] {
  const given = new Map(
    workloads(objects)
      .filter(({ isService }) => isService)
      .map(({ name, pod }) => [name, pod.containers.flatMap((container) => Object.keys(settingsOf(container, objects)))]),
  )
  const isLive = [...given.values()].flat().some((name) => LIVE.test(name))
  return definitions.flatMap(({ name }) =>
    Object.keys(schemas[name]?.shape ?? {})
      .filter((setting) => SECRET.test(setting) && (isLive || !LIVE.test(setting)) && !(isReleased && LOCAL_ONLY.test(setting)))
      .filter((setting) => !given.get(name)?.some((one) => one === setting || one === `${setting}_FILE`))
      .map((setting) => `${name}: the secret ${setting} is not given`),
  )
}

export function environmentProblems(objects: Manifest[]): string[] {
  return workloads(objects).flatMap(({ name, pod, isService }) =>
    pod.containers.flatMap((container) => {
      const settings = settingsOf(container, objects)
      const schema = schemas[name]
      return [
        ...(container.envFrom ?? [])
          .filter(({ configMapRef }) => !named(objects, 'ConfigMap', configMapRef?.name))
          .map(({ configMapRef }) => `${name}: the settings ${configMapRef?.name} are not there`),
        ...(schema ? schemaProblems(name, schema, settings, true) : []),
        ...fileProblems(name, container, pod.volumes ?? [], settings, objects),
        ...addressProblems(name, settings, objects),
        ...(isService ? portProblems(name, container, settings) : []),
      ]
    }),
  )
}

/** A value that comes as a file has to be a key of a secret that is mounted there. */
function fileProblems(
  where: string,
  { volumeMounts = [] }: Container,
  volumes: { name: string; secret?: { secretName: string } }[],
  settings: Record<string, string | undefined>,
  objects: Manifest[],
): string[] {
  return Object.entries(settings).flatMap(([name, path]) => {
    if (!name.endsWith('_FILE') || !path) return []
    const mount = volumeMounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`))
    const secret = volumes.find((volume) => volume.name === mount?.name)?.secret?.secretName
    const keys = secret ? secretKeys(objects, secret) : undefined
    return keys?.includes(path.slice((mount?.mountPath.length ?? 0) + 1)) ? [] : [`${where}: ${name}: no secret has the file ${path}`]
  })
}

function addressProblems(where: string, settings: Record<string, string | undefined>, objects: Manifest[]): string[] {
  return Object.entries(settings).flatMap(([name, value = '']) =>
    [...value.matchAll(/(?:^|\/\/|,)([a-z][a-z0-9-]*):(\d+)/g)].flatMap(([, host, port]) => {
      if (host === 'localhost' || name.startsWith('OTEL_') || /^(KAFKA_|CLUSTER_)/.test(name)) return []
      const ports: { port: number }[] = named(objects, 'Service', host)?.spec.ports ?? []
      const said = name === `${host?.toUpperCase()}_URL` || !(`${name.replace('_URL', '').toLowerCase()}` in schemas)
      if (!said) return [`${where}: ${name} leads to ${host}`]
      return ports.some((one) => one.port === Number(port)) ? [] : [`${where}: ${name}: there is no ${host}:${port}`]
    }),
  )
}

function portProblems(where: string, { ports = [] }: Container, settings: Record<string, string | undefined>): string[] {
  const wanted = { http: settings.PORT, admin: settings.ADMIN_PORT }
  const problems = Object.entries(wanted)
    .filter(([name, port]) => !ports.some((one) => one.name === name && one.containerPort === Number(port)))
    .map(([name, port]) => `${where}: the port ${name} is not ${port}`)
  if (settings.NODE_ENV !== 'production') problems.push(`${where}: does not run for production`)
  if (where === 'gateway' && settings.SECURE_COOKIES !== 'true') problems.push('gateway: its cookies are not for https only')
  if (settings.KAFKA_USERNAME && !['admin', where].includes(settings.KAFKA_USERNAME))
    problems.push(`${where}: is ${settings.KAFKA_USERNAME} on the bus`)
  return problems
}

type ComposeService = {
  image?: string
  build?: { args?: { SERVICE?: string } }
  environment?: Record<string, string>
  ports?: string[]
  healthcheck?: { test: string[] }
  read_only?: boolean
  cap_drop?: string[]
  mem_limit?: string
  profiles?: string[]
}

export const readCompose = (root: string, file = 'docker-compose.yml') =>
  parse(readFileSync(join(root, file), 'utf8'), { merge: true }) as { services: Record<string, ComposeService> }

/** `${NAME:-default}` as Compose fills it in with an empty .env, the innermost first. */
function filled(value: unknown): string {
  const text = String(value)
  const next = text.replace(/\$\{[A-Z_]+(?::([-+])([^${}]*))?\}/g, (_, sign, word) => (sign === '-' ? word : ''))
  return next === text ? text : filled(next)
}

/** Compose gives the addresses of all to all; what nobody at all reads is a slip. */
export function composeProblems(root: string, objects: Manifest[]): string[] {
  const { services } = readCompose(root)
  const known = new Set(Object.values(schemas).flatMap((one) => Object.keys(one.shape)))
  const problems: string[] = []
  for (const [name, service] of Object.entries(services)) {
    const folder = service.build?.args?.SERVICE
    if (folder && !existsSync(join(root, folder, 'main.ts')) && root === repository)
      problems.push(`compose ${name}: ${folder} has no main.ts`)
    const schema = schemas[name]
    if (!schema) continue
    const given = Object.fromEntries(Object.entries(service.environment ?? {}).map(([key, value]) => [key, filled(value)]))
    problems.push(...schemaProblems(`compose ${name}`, schema, given, false))
    for (const key of Object.keys(given))
      if (!known.has(key.replace(/_FILE$/, '')) && !READ_BY_OTHERS.test(key)) problems.push(`compose ${name}: nothing reads ${key}`)
    if (name === 'topics') continue
    if (!service.healthcheck?.test.join(' ').includes(`:${given.ADMIN_PORT}/readyz`))
      problems.push(`compose ${name}: its health is asked elsewhere`)
    for (const port of service.ports ?? []) {
      if (!port.endsWith(`:${given.PORT}`)) problems.push(`compose ${name}: publishes a port that it does not listen on (${port})`)
    }
    for (const [key, value] of Object.entries(given)) {
      const [, host = '', port] = /^(?:http|smtp):\/\/([a-z]+):(\d+)/.exec(value) ?? []
      if (port && host !== 'localhost' && !(host in services)) problems.push(`compose ${name}: ${key} leads to ${host}, which is not there`)
      if (host in schemas && port !== services[host]?.environment?.PORT)
        problems.push(`compose ${name}: ${key} leads to the port ${port} of ${host}`)
    }
  }
  const broker = ofKind(objects, 'StatefulSet').find(({ metadata }) => metadata.name === 'kafka')?.spec.template.spec.containers[0] as
    | Container
    | undefined
  const there = Object.fromEntries((broker?.env ?? []).map(({ name, value }) => [name, String(value)]))
  for (const [key, value] of Object.entries(services.kafka?.environment ?? {}))
    if (broker && there[key] !== String(value)) problems.push(`kafka: ${key} differs between Compose and Kubernetes`)
  return problems
}

const repository = new URL('../..', import.meta.url).pathname
