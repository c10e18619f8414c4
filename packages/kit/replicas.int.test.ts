import { spawn } from 'node:child_process'
import { createServer, get, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConnectAgent } from './connect.ts'
import { createReplicas, fetchFrom } from './replicas.ts'
import { replaceRuntime } from './runtime.ts'

// However long a test takes, nobody's time out is over.
let restore: () => void
beforeEach(() => {
  restore = replaceRuntime({ monotonic: () => 1000 })
})
afterEach(() => restore())

/** Replicas on one port: each has an address and a status, or nobody listens there. */
async function running(...statuses: (number | null)[]) {
  const asked: string[] = []
  const servers: Server[] = []
  let port = 0
  for (const [i, status] of statuses.entries()) {
    if (status === null) continue
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${status}`)
      response.writeHead(status).end()
    })
    await new Promise<void>((done) => server.listen(port, `127.0.0.${i + 2}`, done))
    port = (server.address() as AddressInfo).port
    servers.push(server)
  }
  const replicas = createReplicas(`http://search:${port}`, async () => statuses.map((_, i) => `127.0.0.${i + 2}`))
  const fetchPath = fetchFrom(replicas)
  const ask = async (method: string, times: number) => {
    const seen: number[] = []
    for (let i = 0; i < times; i++) seen.push((await fetchPath('/x', { method })).status)
    for (const server of servers) server.closeAllConnections()
    for (const server of servers) server.close()
    return seen
  }
  return { ask, asked }
}

test('a read that the sick replica fails is answered by the other, and the sick one is soon asked no more', async () => {
  const { ask, asked } = await running(500, 200)
  expect(new Set(await ask('GET', 20))).toEqual(new Set([200]))
  expect(asked.filter((one) => one === 'GET 500')).toHaveLength(3)
})

test('a write that failed is not made again', async () => {
  const { ask, asked } = await running(500, 200)
  const seen = await ask('POST', 20)
  expect(asked).toHaveLength(20)
  expect(seen.filter((status) => status === 500)).toHaveLength(3)
})

test.each(['GET', 'POST'])('a %s that reached nobody goes to another', async (method) => {
  const { ask } = await running(200, null)
  expect(new Set(await ask(method, 10))).toEqual(new Set([200]))
})

/** An address that takes no connection, as that of a machine that has gone: its process sleeps, and its queue is full. */
async function openSilent(port: number, host: string): Promise<() => void> {
  const listen = `require('node:net').createServer().listen({ port: ${port}, host: '${host}', backlog: 1 }, () => process.kill(process.pid, 'SIGSTOP'))`
  const silent = spawn(process.execPath, ['-e', listen])
  const waiting: Socket[] = []
  const isFull = async () => {
    const socket = connect(port, host)
    waiting.push(socket)
    return new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(true), 300)
      // An error: nobody listens there yet.
      for (const event of ['connect', 'error'])
        socket.once(event, () => {
          clearTimeout(timer)
          resolve(false)
        })
    })
  }
  while (!(await isFull())) await new Promise((done) => setTimeout(done, 20))
  return () => {
    for (const socket of waiting) socket.destroy()
    silent.kill('SIGKILL')
  }
}

test('an address that takes no connection is given up, and another replica asked, also for a write', async () => {
  const server = createServer((_, response) => void response.end())
  await new Promise<void>((done) => server.listen(0, '127.0.0.2', done))
  const { port } = server.address() as AddressInfo
  const close = await openSilent(port, '127.0.0.3')
  try {
    const fetchPath = fetchFrom(createReplicas(`http://search:${port}`, async () => ['127.0.0.3', '127.0.0.2']))
    const statuses = await Promise.all([1, 2].map(async () => (await fetchPath('/x', { method: 'POST' })).status))
    expect(statuses).toEqual([200, 200])
    const agent = new ConnectAgent({ keepAlive: false })
    const error = await new Promise((resolve) => get({ agent, port, host: '127.0.0.3' }).once('error', resolve))
    expect(error).toMatchObject({ code: 'ETIMEDOUT', syscall: 'connect' })
  } finally {
    close()
    server.closeAllConnections()
    server.close()
  }
})
