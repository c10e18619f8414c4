/** What arrives late, broken or odd, sent as bytes. */
import { connect, type Socket } from 'node:net'
import express from 'express'
import { afterEach, describe, expect, test } from 'vitest'
import { createApp } from './http.ts'
import { createLog } from './log.ts'
import { type HttpServer, type ListenOptions, listen } from './server.ts'

let server: HttpServer | undefined
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server?.close()
})

async function running(options: ListenOptions = {}): Promise<HttpServer> {
  const router = express.Router()
  router.get('/', (_request, response) => void response.json({ ok: true }))
  router.get('/begun', (_request, response) => void response.write('{"half":'))
  router.post('/', express.text({ type: () => true }), (request, response) => void response.json({ length: String(request.body).length }))
  server = await listen(createApp([router], createLog('test', 'silent')), '127.0.0.1', 0, options)
  return server
}

type Connection = { socket: Socket; send(bytes: string): void; text(): string; closed: Promise<void> }

async function open(): Promise<Connection> {
  const socket = connect(server?.port ?? 0, '127.0.0.1')
  sockets.push(socket)
  let text = ''
  socket.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  socket.on('error', () => undefined)
  await new Promise<void>((done) => socket.once('connect', done))
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  return { socket, send: (bytes) => void socket.write(bytes), text: () => text, closed }
}

async function exchange(bytes: string): Promise<{ status: number; headers: string; body: Record<string, unknown> }> {
  const connection = await open()
  connection.send(bytes)
  await connection.closed
  const [headers = '', body = ''] = connection.text().split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(headers)?.[1]), headers, body: JSON.parse(body) }
}

const HOST = 'host: x\r\n'
const odd: [string, string, number, string][] = [
  ['no Host header', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ['Expect: something', `POST / HTTP/1.1\r\n${HOST}expect: something\r\ncontent-length: 2\r\n\r\n`, 417, 'EXPECTATION_FAILED'],
  ['CONNECT', `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`, 405, 'METHOD_NOT_ALLOWED'],
  ['no HTTP at all', 'hello\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ['an unknown method', `GRAB / HTTP/1.1\r\n${HOST}\r\n`, 400, 'VALIDATION_ERROR'],
  ['an HTTP version that is none', `GET / HTTP/9.9\r\n${HOST}\r\n`, 400, 'VALIDATION_ERROR'],
  ['a header without a name', `GET / HTTP/1.1\r\n${HOST}: x\r\n\r\n`, 400, 'VALIDATION_ERROR'],
  ['a line break in a header', `GET / HTTP/1.1\r\n${HOST}x: a\rb\r\n\r\n`, 400, 'VALIDATION_ERROR'],
  ['two lengths', `POST / HTTP/1.1\r\n${HOST}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, 400, 'VALIDATION_ERROR'],
  [
    'a length and chunks',
    `POST / HTTP/1.1\r\n${HOST}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'VALIDATION_ERROR',
  ],
  ['a length that is no number', `POST / HTTP/1.1\r\n${HOST}content-length: two\r\n\r\n{}`, 400, 'VALIDATION_ERROR'],
  ['chunks that are none', `POST / HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\n\r\nzz\r\n`, 400, 'VALIDATION_ERROR'],
  ['an unknown transfer encoding', `POST / HTTP/1.1\r\n${HOST}transfer-encoding: pigeon\r\n\r\n{}`, 400, 'VALIDATION_ERROR'],
  ['headers of more than 16 KiB', `GET / HTTP/1.1\r\n${HOST}x: ${'x'.repeat(17_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ['OPTIONS for everything', `OPTIONS * HTTP/1.1\r\n${HOST}connection: close\r\n\r\n`, 405, 'METHOD_NOT_ALLOWED'],
  ['TRACE', `TRACE / HTTP/1.1\r\n${HOST}connection: close\r\n\r\n`, 405, 'METHOD_NOT_ALLOWED'],
  ['an address that cannot be decoded', `GET /%ff HTTP/1.1\r\n${HOST}connection: close\r\n\r\n`, 404, 'NOT_FOUND'],
  ['nothing there, by HTTP/1.0', 'GET /nothing HTTP/1.0\r\n\r\n', 404, 'NOT_FOUND'],
]

describe('API-08, API-10: a request that cannot be served gets a JSON error', () => {
  test.each(odd)('%s', async (_, bytes, status, error) => {
    await running()
    const refused = await exchange(bytes)
    expect(refused).toMatchObject({ status, body: { error, message: expect.any(String), requestId: expect.any(String) } })
    expect(refused.headers.toLowerCase()).toContain('content-type: application/json')
    expect(refused.headers.toLowerCase()).toContain('cache-control: no-store')
  })

  test('HTTP/1.0 without Host, and an unsupported upgrade, are ordinary requests', async () => {
    await running()
    expect(await exchange('GET / HTTP/1.0\r\n\r\n')).toMatchObject({ status: 200, body: { ok: true } })
    const upgrade = `GET / HTTP/1.1\r\n${HOST}connection: upgrade, close\r\nupgrade: websocket\r\n\r\n`
    expect(await exchange(upgrade)).toMatchObject({ status: 200, body: { ok: true } })
  })

  test('a response that has begun is not mixed with an error about the next request', async () => {
    await running()
    const connection = await open()
    connection.send(`GET /begun HTTP/1.1\r\n${HOST}\r\n`)
    while (!connection.text().includes('half')) await new Promise((done) => connection.socket.once('data', done))
    connection.send('nonsense\r\n\r\n')
    await connection.closed
    expect(connection.text()).not.toContain('VALIDATION_ERROR')
  })
})

describe('a slow request', () => {
  const late = { status: 408, body: { error: 'REQUEST_TIMEOUT', message: expect.any(String), requestId: expect.any(String) } }

  test('with its headers or its body is ended after 10 s at the latest', async () => {
    await running()
    const [headers, body] = [await open(), await open()]
    headers.send('GET / HTTP/1.1\r\nhost:')
    body.send(`POST / HTTP/1.1\r\n${HOST}content-length: 10\r\n\r\n{`)
    const answered = ({ text }: Connection) => ({
      status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text())?.[1]),
      body: JSON.parse(text().split('\r\n\r\n')[1] ?? '{}'),
    })
    // Node looks for late ones every 30 s by itself, which this test would not live to see.
    await Promise.all([headers.closed, body.closed])
    expect([answered(headers), answered(body)]).toEqual([expect.objectContaining(late), expect.objectContaining(late)])
  }, 20_000)

  test('is allowed a few times at once per network; of more the oldest are ended, and others are served meanwhile', async () => {
    await running({ slowPerNetwork: 3 })
    const slow: Connection[] = []
    for (let i = 0; i < 10; i++) {
      const connection = await open()
      connection.send('GET / HTTP/1.1\r\nhost:')
      slow.push(connection)
    }
    await Promise.all(slow.slice(0, 7).map((connection) => connection.closed))
    for (const connection of slow.slice(0, 7)) expect(connection.text()).toContain('REQUEST_TIMEOUT')
    for (const connection of slow.slice(7)) {
      expect(connection.socket.destroyed).toBe(false)
      connection.send(' x\r\nconnection: close\r\n\r\n')
    }
    await Promise.all(slow.slice(7).map((connection) => connection.closed))
    for (const connection of slow.slice(7)) expect(connection.text()).toContain('{"ok":true}')
  })

  test('is not confused with a connection that is idle between two requests', async () => {
    await running({ slowPerNetwork: 1, keepAliveMs: 60_000 })
    const kept = await Promise.all([open(), open(), open()])
    for (const connection of kept) connection.send(`GET / HTTP/1.1\r\n${HOST}\r\n`)
    const slow = [await open(), await open()]
    for (const connection of slow) connection.send('GET / HTTP/1.1\r\nhost:')
    await slow[0]?.closed
    for (const connection of kept) expect(connection.socket.destroyed).toBe(false)
    // The same connections, half-way into their next request.
    for (const connection of kept) connection.send('GET / HTTP/1.1\r\nhost:')
    await Promise.all(kept.slice(0, 2).map((connection) => connection.closed))
  })
})

test('connections beyond the maximum are refused, and accepted again when others have closed', async () => {
  await running({ maxConnections: 2 })
  const [one, two] = [await open(), await open()]
  const three = await open()
  await three.closed
  expect(three.text()).toBe('')
  two.socket.destroy()
  await two.closed
  await expect.poll(async () => (await fetch(`${server?.url}/`, { headers: { connection: 'close' } }).catch(() => null))?.status).toBe(200)
  one.socket.destroy()
})
