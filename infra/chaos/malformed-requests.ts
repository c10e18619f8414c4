/** Requests that no client of ours would send, made from the contracts and a seed: bodies, queries, paths, and bytes that are no HTTP at all. */
import { addressOf } from '@passerelle/contracts/client'
import { allContracts } from '@passerelle/contracts/http/all'
import type { Route } from '@passerelle/contracts/route'
import fc from 'fast-check'
import { z } from 'zod'

/** `bytes` go over a socket as they are; `route` names the row they aim at, for the report. */
export type MalformedRequest = { kind: string; route: string; bytes: Buffer }

type Aim = { name: string; route: Route }

const aims: Aim[] = allContracts.flatMap(({ service, routes }) =>
  Object.entries(routes)
    .filter(([, route]) => route.access !== 'internal')
    .map(([name, route]) => ({ name: `${service}.${name}`, route: route as Route })),
)

const DEEP = 10_000
const words = (text: string) => text.split(' ')

const nasty: readonly unknown[] = [
  ...words('$ne __proto__ constructor ../../etc/passwd %ff <script>alert(1)</script> {{7*7}} NaN 1e309 -0 2026-13-45 0000-00-00'),
  ...['', ' ', '\u0000', '\r\nx-injected: 1', '\u202e', '\ud800', "' OR 1=1 --"],
  ...['🛫'.repeat(50), '9'.repeat(400), 'x'.repeat(20_000)],
  ...[null, true, 0, -1, 1.5, 2 ** 53, 1e308, [], {}, [[]]],
  ...[{ $ne: null }, { $gt: '' }, { $where: 'sleep(1000)' }, { toString: 1 }, { length: -1 }],
]

const oneOf = <T>(...weighted: [weight: number, arbitrary: fc.Arbitrary<T>][]) =>
  fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })))

const value = oneOf<unknown>(
  [4, fc.constantFrom(...nasty)],
  [2, fc.jsonValue({ maxDepth: 4 })],
  [1, fc.string({ unit: 'binary', maxLength: 200 })],
)

/** Names of the fields that a schema knows: junk under a known name gets further than junk under any other. */
function fieldsOf(schema: Route['body']): string[] {
  const names = new Set<string>()
  const note = (key: string, inner: unknown) => {
    if (key === 'properties') for (const name of Object.keys(inner as object)) names.add(name)
    return inner
  }
  if (schema) JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }), note)
  return [...names]
}

const fields = new Map(aims.map(({ name, route }) => [name, { body: fieldsOf(route.body), query: fieldsOf(route.query) }]))
const aim = fc.constantFrom(...aims)
const withBody = fc.constantFrom(...aims.filter(({ route }) => route.body && !route.rawBody))
const withQuery = fc.constantFrom(...aims.filter(({ route }) => route.query))
const withParams = fc.constantFrom(...aims.filter(({ route }) => route.params))

type Shape = { method?: string; target?: string; headers?: Record<string, string>; body?: string; host?: string | null }

function frame({ method = 'GET', target = '/', headers = {}, body = '', host = 'localhost' }: Shape): Buffer {
  const length = body !== '' && !('content-length' in headers) && !('transfer-encoding' in headers)
  const all = { ...headers, ...(length && { 'content-length': String(Buffer.byteLength(body)) }), connection: 'close' }
  const lines = [`${method} ${target} HTTP/1.1`, ...(host === null ? [] : [`host: ${host}`])]
  for (const [name, text] of Object.entries(all)) lines.push(`${name}: ${text}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)])
}

const pathOf = ({ route }: Aim) => addressOf(route, { params: { id: 'x', brandKey: 'default', mode: 'test', key: 'k' } })

/** A request to a row of the contract, right but for its `shape`. */
function aimed(kind: string, one: Aim, shape: Shape): MalformedRequest {
  return { kind, route: one.name, bytes: frame({ method: one.route.method, target: pathOf(one), ...shape }) }
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** An object under the route's own field names and others, as JSON text; now and then far too deep, or with a key twice. */
const jsonText = (names: readonly string[]): fc.Arbitrary<string> => {
  const name = fc.constantFrom(...names, '__proto__', 'constructor', '$where', 'extra', 'isAdmin')
  const object = fc.dictionary(name, value, { maxKeys: 12 }).map((one) => JSON.stringify(one))
  const deep = fc.constantFrom('['.repeat(DEEP), '{"a":{"a":'.repeat(DEEP / 10), `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`)
  const broken = fc.constantFrom(...words('{ {"a":} {\'a\':1} {"a":1,} \ufeff{} undefined {"a":1}{"b":2} "\\ud800" {"a":1e999}'))
  const any = value.map((one) => JSON.stringify(one) ?? 'null')
  return oneOf([8, object], [2, any], [2, deep], [1, broken])
}

const bodies = withBody.chain((one) =>
  jsonText(fields.get(one.name)?.body ?? []).map((body) => aimed('body', one, { headers: JSON_TYPE, body })),
)

const types = words(
  'text/plain application/x-www-form-urlencoded application/json;charset=utf-7 multipart/form-data application/jsonp a/b/c',
)
const bodyTypes = fc
  .record({
    one: withBody,
    type: fc.constantFrom(...types, ''),
    encoding: fc.constantFrom(...words('identity gzip br zstd chunked')),
    body: fc.string({ unit: 'binary', maxLength: 400 }),
  })
  .map(({ one, type, encoding, body }) => aimed('type', one, { headers: { 'content-type': type, 'content-encoding': encoding }, body }))

const tooLarge = fc
  .tuple(aim, fc.constantFrom(33 * 1024, 300 * 1024, 1024 * 1024))
  .map(([one, size]) => aimed('size', one, { headers: JSON_TYPE, body: `{"a":"${'x'.repeat(size)}"}` }))

const encodedText = (maxLength: number) => fc.string({ maxLength }).map((text) => encodeURIComponent(text.toWellFormed()))
const oddValues = words('% %ff %00 %u0041 %0d%0aset-cookie:a=b -1 1e9 [] {"$ne":1} ☃')
const queryValue = fc.oneof(fc.constantFrom(...oddValues, '', '9'.repeat(300), 'x'.repeat(4000)), encodedText(40))
const queries = withQuery.chain((one) => {
  const name = fc.constantFrom(...(fields.get(one.name)?.query ?? []), ...words('__proto__ a[b] a[$ne] page limit'), '')
  return fc.array(fc.tuple(name, queryValue), { maxLength: 12 }).map((pairs) => {
    const query = pairs.map(([key, text]) => `${key}=${text}`).join('&')
    return aimed('query', one, { target: `${pathOf(one)}?${query}` })
  })
})

const oddSegments = words('%2e%2e%2f .. %00 %ff % %c0%af {} $ne __proto__ ☃ oft_ %0d%0a ; * :id')
const segment = fc.oneof(fc.constantFrom(...oddSegments, ' ', 'x'.repeat(5000), `oft_${'0'.repeat(300)}`), encodedText(60))
const paths = fc.tuple(withParams, segment, fc.boolean()).map(([one, part, withJson]) => {
  const target = one.route.path.replace(/:[A-Za-z]+/g, () => part)
  return aimed('path', one, { target, ...(withJson && { headers: JSON_TYPE, body: '{}' }) })
})

const prefixes = words('/ /api/ /api /assets/ /internal/ // /% /. /api/../ http://other.example/')
const addresses = fc
  .tuple(fc.constantFrom(...words('GET POST PUT DELETE HEAD')), fc.constantFrom(...prefixes, '*'), segment)
  .map(([method, prefix, part]) => ({ method, target: prefix === '*' ? '*' : `${prefix}${part.replaceAll(' ', '')}` }))
  .map((shape) => ({ kind: 'address', route: '-', bytes: frame(shape) }))

const oddMethods = words('TRACE OPTIONS PATCH PROPFIND QUERY PURGE get FOO DELETE PUT CONNECT M-SEARCH')
const methods = fc.tuple(aim, fc.constantFrom(...oddMethods)).map(([one, method]) => aimed('method', one, { method }))

/** Sets of headers: `|` ends a set, `&` a header. */
const oddHeaders = [
  'expect: 100-continue | expect: a-surprise | upgrade: websocket & connection: upgrade | range: bytes=0-0,1-1,-9',
  `content-length: -1 | content-length: 5, 6 | content-length: ${'4'.repeat(30)}`,
  'transfer-encoding: chunked, gzip | transfer-encoding: chunked & content-length: 3',
  `cookie: sid=${'A'.repeat(43)} | cookie: sid=${'%'.repeat(30)}; sid=x; __Host-sid=y; brand=%ff | cookie: ${';;;=;=;'.repeat(200)}`,
  'x-internal-token: eyJhbGciOiJub25lIn0.e30. | x-internal-session: new stolen 1000 & x-user-id: usr_1',
  `x-request-id: ${'\u0001'.repeat(30)} | x-request-id: ${'x'.repeat(500)} | x-forwarded-for: 1.2.3.4, $ne, ::ffff:1.2.3.4`,
  `idempotency-key: ${'x'.repeat(300)} | idempotency-key: \u00e9 key | if-none-match: * | if-modified-since: never`,
  `accept-encoding: br;q=x, *;q=0, zstd | accept: application/xml | accept-language: ${'x'.repeat(2000)} | cache-control: no-cache`,
  'origin: null | sec-fetch-site: cross-site & origin: https://evil.example | stripe-signature: t=1,v1=abc',
  `x-padding: ${'x'.repeat(17 * 1024)}`,
].flatMap((line) => line.split(' | ').map((set) => Object.fromEntries(set.split(' & ').map((header) => header.split(': ')))))
const headers = fc
  .tuple(aim, fc.constantFrom(...oddHeaders), fc.constantFrom('localhost', '', 'a'.repeat(300), 'evil.example:99999', '[::1', null))
  .map(([one, odd, host]) =>
    aimed('header', one, { headers: { ...(one.route.body && JSON_TYPE), ...odd }, body: one.route.body ? '{}' : '', host }),
  )

/** Requests that are not HTTP, or only nearly: `;;` ends one, `|` a line. */
const nearlyHttp = [
  'GET / HTTP/1.1||;;GET / HTTP/1.0||;;GET / HTTP/9.9|host: x||;;GET  / HTTP/1.1|host: x||;;GET /||;;GET / HTTP/1.1\nhost: x\n\n',
  'GET / HTTP/1.1|host: x|host: y||;;GET / HTTP/1.1|host : x||;;GET / HTTP/1.1|host: x| folded: y||;;GET / HTTP/1.1|host: x|\u0000: y||',
  'POST /api/bookings HTTP/1.1|host: x|content-type: application/json|transfer-encoding: chunked||ZZ|',
  'POST /api/bookings HTTP/1.1|host: x|content-type: application/json|transfer-encoding: chunked||5|{"a":',
  'POST /api/bookings HTTP/1.1|host: x|content-type: application/json|content-length: 50||{"a":1}',
  'POST /api/bookings HTTP/1.1|host: x|content-length: 2|content-length: 3||{}',
  `PRI * HTTP/2.0||SM||;;||;;\u0016\u0003\u0001\u0002\u0000\u0001\u0000;;GET /${'x'.repeat(20_000)} HTTP/1.1||`,
].flatMap((line) => line.split(';;'))
/** What is not complete is sent and the sending side is closed. */
const raw = fc
  .oneof(
    fc.constantFrom(...nearlyHttp).map((text) => Buffer.from(text.replaceAll('|', '\r\n'), 'latin1')),
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  )
  .map((bytes) => ({ kind: 'raw', route: '-', bytes }))

const wellAimed = oneOf([30, bodies], [6, bodyTypes], [1, tooLarge], [20, queries], [12, paths], [6, methods], [10, headers])
const any = oneOf<MalformedRequest>([85, wellAimed], [8, addresses], [7, raw])

/** The same seed gives the same requests. */
export function malformedRequests(seed: number, count: number): MalformedRequest[] {
  return fc.sample(any, { seed, numRuns: count })
}
