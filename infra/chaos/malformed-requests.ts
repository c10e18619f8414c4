/** Requests that no client of ours would send, made from the contracts and a seed: bodies, queries, paths, and bytes that are no HTTP at all. */
import { addressOf } from '@passerelle/contracts/client'
import { allContracts } from '@passerelle/contracts/http/all'
import type { Route } from '@passerelle/contracts/route'
import fc from 'fast-check'
import { z } from 'zod'
import { BODY_TYPES, BROKEN_JSON, HEADERS, PATH_SEGMENTS, QUERY_VALUES, RAW_TEXTS, VALUES } from './malformed-samples.ts'

/** `bytes` go over a socket as they are; `route` names the row they aim at, for the report. */
export type MalformedRequest = { kind: string; route: string; bytes: Buffer }

type Aim = { name: string; route: Route }

const HOST = 'localhost'
const aims: Aim[] = allContracts.flatMap(({ service, routes }) =>
  Object.entries(routes)
    .filter(([, route]) => route.access !== 'internal')
    .map(([name, route]) => ({ name: `${service}.${name}`, route: route as Route })),
)

const DEEP = 10_000

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...VALUES) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
)

/** Names of the fields that a schema knows, two levels deep: junk under a known name gets further than junk under any other. */
function fieldsOf(schema: Route['body']): string[] {
  if (!schema) return []
  const names = (json: unknown, depth: number): string[] => {
    if (typeof json !== 'object' || json === null || depth > 4) return []
    const { properties, items, anyOf } = json as { properties?: Record<string, unknown>; items?: unknown; anyOf?: unknown[] }
    const own = Object.entries(properties ?? {}).flatMap(([name, inner]) => [name, ...names(inner, depth + 1)])
    return [...own, ...names(items, depth + 1), ...(anyOf ?? []).flatMap((one) => names(one, depth + 1))]
  }
  return [...new Set(names(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }), 0))]
}

const fields = new Map(aims.map(({ name, route }) => [name, { body: fieldsOf(route.body), query: fieldsOf(route.query) }]))
const aim = fc.constantFrom(...aims)
const withBody = fc.constantFrom(...aims.filter(({ route }) => route.body && !route.rawBody))
const withQuery = fc.constantFrom(...aims.filter(({ route }) => route.query))
const withParams = fc.constantFrom(...aims.filter(({ route }) => route.params))

function frame(
  method: string,
  target: string,
  headers: Record<string, string>,
  body: Buffer | string = '',
  host: string | null = HOST,
): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, ...(host === null ? [] : [`host: ${host}`])]
  const length = body.length > 0 && !('content-length' in headers) && !('transfer-encoding' in headers)
  const all = { ...headers, ...(length && { 'content-length': String(Buffer.byteLength(body)) }), connection: 'close' }
  for (const [name, text] of Object.entries(all)) lines.push(`${name}: ${text}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body as string)])
}

const plainPath = ({ route }: Aim) => addressOf(route, { params: { id: 'x', brandKey: 'default', mode: 'test', key: 'k' } })
const JSON_TYPE = { 'content-type': 'application/json' }

/** An object under the route's own field names and others, as JSON text; now and then far too deep, or with a key twice. */
const jsonText = (names: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .dictionary(fc.constantFrom(...names, '__proto__', 'constructor', '$where', 'extra', 'isAdmin'), value, { maxKeys: 12 })
        .map((object) => JSON.stringify(object)),
    },
    { weight: 2, arbitrary: value.map((one) => JSON.stringify(one) ?? 'null') },
    { weight: 1, arbitrary: fc.constantFrom('[', '{"a":{"a":').map((open) => open.repeat(open === '[' ? DEEP : DEEP / 10)) },
    { weight: 1, arbitrary: fc.constantFrom('[', '{').map(() => `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...BROKEN_JSON),
    },
  )

const bodies = withBody.chain((one) =>
  jsonText(fields.get(one.name)?.body ?? []).map((text) => ({
    kind: 'body',
    route: one.name,
    bytes: frame(one.route.method, plainPath(one), JSON_TYPE, text),
  })),
)

const bodyTypes = fc
  .tuple(
    withBody,
    fc.constantFrom(...BODY_TYPES),
    fc.constantFrom('identity', 'gzip', 'br', 'zstd', 'chunked'),
    fc.string({ unit: 'binary', maxLength: 400 }),
  )
  .map(([one, type, encoding, text]) => ({
    kind: 'type',
    route: one.name,
    bytes: frame(one.route.method, plainPath(one), { 'content-type': type, 'content-encoding': encoding }, text),
  }))

const tooLarge = fc.tuple(aim, fc.constantFrom(33 * 1024, 300 * 1024, 1024 * 1024)).map(([one, size]) => ({
  kind: 'size',
  route: one.name,
  bytes: frame(one.route.method, plainPath(one), JSON_TYPE, `{"a":"${'x'.repeat(size)}"}`),
}))

const queryValue = fc.oneof(
  fc.constantFrom(...QUERY_VALUES),
  fc.string({ maxLength: 40 }).map((text) => encodeURIComponent(text.toWellFormed())),
)
const queries = withQuery.chain((one) =>
  fc
    .array(
      fc.tuple(fc.constantFrom(...(fields.get(one.name)?.query ?? []), '__proto__', 'a[b]', 'a[$ne]', '', 'page', 'limit'), queryValue),
      { maxLength: 12 },
    )
    .map((pairs) => {
      const target = `${plainPath(one)}?${pairs.map(([name, text]) => `${name}=${text}`).join('&')}`
      return { kind: 'query', route: one.name, bytes: frame(one.route.method, target, {}) }
    }),
)

const segment = fc.oneof(
  fc.constantFrom(...PATH_SEGMENTS),
  fc.string({ maxLength: 60 }).map((text) => encodeURIComponent(text.toWellFormed())),
)
const paths = fc.tuple(withParams, segment, fc.boolean()).map(([one, part, body]) => ({
  kind: 'path',
  route: one.name,
  bytes: frame(
    one.route.method,
    one.route.path.replace(/:[A-Za-z]+/g, () => part),
    body ? JSON_TYPE : {},
    body ? '{}' : '',
  ),
}))

const addresses = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD'),
    fc.constantFrom('/', '/api/', '/api', '/assets/', '/internal/', '//', '/%', '/.', '/api/../', 'http://other.example/', '*'),
    segment,
  )
  .map(([method, prefix, part]) => ({
    kind: 'address',
    route: '-',
    bytes: frame(method, prefix === '*' ? '*' : `${prefix}${part.replaceAll(' ', '')}`, {}),
  }))

const methods = fc
  .tuple(
    aim,
    fc.constantFrom('TRACE', 'OPTIONS', 'PATCH', 'PROPFIND', 'QUERY', 'PURGE', 'get', 'FOO', 'DELETE', 'PUT', 'CONNECT', 'M-SEARCH'),
  )
  .map(([one, method]) => ({ kind: 'method', route: one.name, bytes: frame(method, plainPath(one), {}) }))

const headers = fc
  .tuple(aim, fc.constantFrom(...HEADERS), fc.constantFrom(HOST, '', 'a'.repeat(300), 'evil.example:99999', '[::1', null))
  .map(([one, more, host]) => ({
    kind: 'header',
    route: one.name,
    bytes: frame(one.route.method, plainPath(one), { ...(one.route.body ? JSON_TYPE : {}), ...more }, one.route.body ? '{}' : '', host),
  }))

/** Not HTTP, or only nearly. What is not complete is sent and the sending side is closed. */
const raw = fc
  .oneof(
    fc.constantFrom(...RAW_TEXTS).map((text) => Buffer.from(text, 'latin1')),
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  )
  .map((bytes) => ({ kind: 'raw', route: '-', bytes }))

const any: fc.Arbitrary<MalformedRequest> = fc.oneof(
  { weight: 30, arbitrary: bodies },
  { weight: 6, arbitrary: bodyTypes },
  { weight: 1, arbitrary: tooLarge },
  { weight: 20, arbitrary: queries },
  { weight: 12, arbitrary: paths },
  { weight: 8, arbitrary: addresses },
  { weight: 6, arbitrary: methods },
  { weight: 10, arbitrary: headers },
  { weight: 7, arbitrary: raw },
)

/** The same seed gives the same requests. */
export function malformedRequests(seed: number, count: number): MalformedRequest[] {
  return fc.sample(any, { seed, numRuns: count })
}
