/** Requests that no client of ours would send, made from the contracts and a seed: bodies, queries, paths, and bytes that are no HTTP at all. */
import { addressOf } from '@passerelle/contracts/client'
import { allContracts } from '@passerelle/contracts/http/all'
import type { Route } from '@passerelle/contracts/route'
import fc from 'fast-check'
import { z } from 'zod'

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
const nasty: readonly unknown[] = [
  '',
  ' ',
  '\u0000',
  '\r\nx-injected: 1',
  '$ne',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '\u202e',
  '🛫'.repeat(50),
  '\ud800',
  '%ff',
  '<script>alert(1)</script>',
  "' OR 1=1 --",
  '{{7*7}}',
  'NaN',
  '1e309',
  '-0',
  '9'.repeat(400),
  'x'.repeat(20_000),
  '2026-13-45',
  '0000-00-00',
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  [],
  {},
  [[]],
  { $ne: null },
  { $gt: '' },
  { $where: 'sleep(1000)' },
  { toString: 1 },
  { length: -1 },
]

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...nasty) },
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
      arbitrary: fc.constantFrom(
        '{',
        '{"a":}',
        "{'a':1}",
        '{"a":1,}',
        '\ufeff{}',
        'undefined',
        '{"a":1}{"b":2}',
        '"\\ud800"',
        '{"a":1e999}',
      ),
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
    fc.constantFrom(
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-7',
      'multipart/form-data',
      'application/jsonp',
      'a/b/c',
      '',
    ),
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
  fc.constantFrom(
    '%',
    '%ff',
    '%00',
    '%u0041',
    '%0d%0aset-cookie:a=b',
    '',
    '-1',
    '1e9',
    '9'.repeat(300),
    '[]',
    '{"$ne":1}',
    '☃',
    'x'.repeat(4000),
  ),
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
  fc.constantFrom(
    '%2e%2e%2f',
    '..',
    '%00',
    '%ff',
    '%',
    '%c0%af',
    '{}',
    '$ne',
    '__proto__',
    'x'.repeat(5000),
    '☃',
    'oft_',
    `oft_${'0'.repeat(300)}`,
    '%0d%0a',
    ';',
    '*',
    ':id',
    ' ',
  ),
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

const headerPairs: Record<string, string>[] = [
  { expect: '100-continue' },
  { expect: 'a-surprise' },
  { upgrade: 'websocket', connection: 'upgrade' },
  { 'content-length': '-1' },
  { 'content-length': '5, 6' },
  { 'content-length': '4'.repeat(30) },
  { 'transfer-encoding': 'chunked, gzip' },
  { 'transfer-encoding': 'chunked', 'content-length': '3' },
  { cookie: `sid=${'A'.repeat(43)}` },
  { cookie: `sid=${'%'.repeat(30)}; sid=x; __Host-sid=y; brand=%ff` },
  { cookie: ';;;=;=;'.repeat(200) },
  { 'x-internal-token': 'eyJhbGciOiJub25lIn0.e30.' },
  { 'x-internal-session': 'new stolen 1000', 'x-user-id': 'usr_1' },
  { 'x-request-id': '\u0001'.repeat(30) },
  { 'x-request-id': 'x'.repeat(500) },
  { 'x-forwarded-for': '1.2.3.4, $ne, ::ffff:1.2.3.4' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'idempotency-key': '\u00e9 key' },
  { 'if-none-match': '*' },
  { 'if-modified-since': 'never' },
  { range: 'bytes=0-0,1-1,-9' },
  { 'accept-encoding': 'br;q=x, *;q=0, zstd' },
  { accept: 'application/xml' },
  { 'accept-language': 'x'.repeat(2000) },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'stripe-signature': 't=1,v1=abc' },
  { 'cache-control': 'no-cache' },
  { 'x-padding': 'x'.repeat(17 * 1024) },
]
const headers = fc
  .tuple(aim, fc.constantFrom(...headerPairs), fc.constantFrom(HOST, '', 'a'.repeat(300), 'evil.example:99999', '[::1', null))
  .map(([one, more, host]) => ({
    kind: 'header',
    route: one.name,
    bytes: frame(one.route.method, plainPath(one), { ...(one.route.body ? JSON_TYPE : {}), ...more }, one.route.body ? '{}' : '', host),
  }))

/** Not HTTP, or only nearly. What is not complete is sent and the sending side is closed. */
const raw = fc
  .oneof(
    fc
      .constantFrom(
        'GET / HTTP/1.1\r\n\r\n',
        'GET / HTTP/1.0\r\n\r\n',
        'GET / HTTP/9.9\r\nhost: x\r\n\r\n',
        'GET  / HTTP/1.1\r\nhost: x\r\n\r\n',
        'GET /\r\n\r\n',
        'GET / HTTP/1.1\nhost: x\n\n',
        'GET / HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n',
        'GET / HTTP/1.1\r\nhost : x\r\n\r\n',
        'GET / HTTP/1.1\r\nhost: x\r\n folded: y\r\n\r\n',
        'GET / HTTP/1.1\r\nhost: x\r\n\u0000: y\r\n\r\n',
        'POST /api/bookings HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n',
        'POST /api/bookings HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":',
        'POST /api/bookings HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"a":1}',
        'POST /api/bookings HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        '\u0016\u0003\u0001\u0002\u0000\u0001\u0000',
        `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
        '\r\n\r\n',
      )
      .map((text) => Buffer.from(text, 'latin1')),
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
