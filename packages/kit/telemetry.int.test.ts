/** A traced process that serves and makes calls full of private data: what the collector receives of them. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { testServers } from '@passerelle/servers/test/test-servers'
import { beforeAll, describe, expect, test } from 'vitest'
import { createTestKeys } from './testing.ts'

type Attribute = { key: string; value: Record<string, unknown> }
type Exported = { name: string; kind: number; attributes: Attribute[]; status: object; events: object[] }

let received = ''
let spans: (Exported & { scope: string })[] = []

beforeAll(async () => {
  const bodies: string[] = []
  const collector = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      bodies.push(body)
      response.end('{}')
    })
  })
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done))
  const servers = await testServers()
  const program = new URL('telemetry.fixture.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--import', new URL('telemetry.ts', import.meta.url).pathname, program], {
    cwd: new URL('.', import.meta.url).pathname,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ...servers.environment,
      ...(await createTestKeys('traced')).environment('traced'),
      LOG_LEVEL: 'silent',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    },
  })
  expect(await new Promise((done) => child.once('exit', done))).toBe(0)
  collector.close()
  await servers.stop()
  received = bodies.join('')
  spans = bodies.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { scope: { name: string }; spans: Exported[] }[] }) =>
      resource.scopeSpans.flatMap(({ scope, spans: list }) => list.map((span) => ({ ...span, scope: scope.name.split('-').at(-1) ?? '' }))),
    ),
  )
})

const of = (scope: string, kind?: number) => spans.filter((span) => span.scope === scope && (kind === undefined || span.kind === kind))
const attribute = (span: Exported, key: string) => Object.values(span.attributes.find((one) => one.key === key)?.value ?? {})[0]

describe('APAY-07: a trace', () => {
  test('has spans of every instrumentation', () => {
    for (const [scope, least] of [
      ['http', 9],
      ['undici', 3],
      ['express', 6],
      ['mongoose', 4],
      ['ioredis', 2],
      ['kafkajs', 2],
    ] as const)
      expect(of(scope).length, scope).toBeGreaterThanOrEqual(least)
  })

  test('holds no id, query, header, browser, address of a visitor, statement or message of an error', () => {
    expect(received).not.toMatch(/secret/)
    expect(received).not.toContain('203.0.113.77')
    const keys = new Set(spans.flatMap((span) => span.attributes.map((one) => one.key)))
    for (const key of keys)
      expect(key).not.toMatch(
        /^(url\.(full|path|query)|client\.|network\.peer|user_agent|db\.query|db\.statement|http\.(url|target|user_agent|client_ip)|net\.)/,
      )
    expect(spans.some((span) => span.events?.length > 0)).toBe(true)
    expect(JSON.stringify(spans.map((span) => [span.events, span.status]))).not.toMatch(/message|stacktrace/)
  })

  test('still contains route, status, collection and called host', () => {
    const served = of('http', 2).map((span) => [span.name, attribute(span, 'http.route'), attribute(span, 'http.response.status_code')])
    expect(served).toContainEqual(['GET /bookings/:id', '/bookings/:id', 200])
    expect(served).toContainEqual(['GET /fails/:id', '/fails/:id', 500])
    for (const span of of('http', 2)) expect(attribute(span, 'server.address')).toBeUndefined()
    const topic = (span: Exported) => [span.kind, String(attribute(span, 'messaging.destination.name')).replace(/^t\d+-/, '')]
    expect(of('kafkajs').map(topic)).toEqual(
      expect.arrayContaining([
        [4, 'booking.events'],
        [5, 'booking.events'],
      ]),
    )
    for (const span of [...of('undici'), ...of('http', 3)]) expect(attribute(span, 'server.address')).toBe('127.0.0.1')
    expect(of('mongoose').map((span) => [attribute(span, 'db.collection.name'), attribute(span, 'db.operation.name')])).toContainEqual([
      'rows',
      'findOne',
    ])
  })
})
