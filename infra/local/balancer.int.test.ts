import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '@passerelle/servers/ports'
import { afterEach, expect, test } from 'vitest'
import { type Balancer, startBalancer, type Target } from './balancer.ts'
import { eventually } from './test-visitor.fixture.ts'

type Replica = Target & { ready: boolean; answered: number; end(): Promise<void> }

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function replica(name: string, body: string = name): Promise<Replica> {
  const servers: Server[] = []
  const serve = async (listener: Parameters<typeof createServer>[1]) => {
    const server = createServer(listener as never)
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return (server.address() as AddressInfo).port
  }
  const one: Replica = { port: 0, adminPort: 0, ready: true, answered: 0, end }
  one.port = await serve((_request, response) => {
    one.answered++
    response.setHeader('connection', 'close')
    response.end(body)
  })
  one.adminPort = await serve((_request, response) => void response.writeHead(one.ready ? 200 : 503).end())
  async function end() {
    for (const server of servers) {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
  }
  ends.push(end)
  return one
}

async function balanced(...replicas: Replica[]): Promise<{ ask(times: number): Promise<string[]>; balancer: Balancer }> {
  const balancer = await startBalancer('127.0.0.1', await freePort(), replicas)
  ends.unshift(() => balancer.stop())
  const ask = async (times: number) => {
    const texts: string[] = []
    for (let i = 0; i < times; i++) texts.push(await (await fetch(`http://127.0.0.1:${balancer.port}`)).text())
    return texts
  }
  return { ask, balancer }
}

test('new connections go to the replicas in turn', async () => {
  const { ask } = await balanced(await replica('one'), await replica('two'))
  await eventually('both', async () => {
    const texts = await ask(4)
    return texts.filter((text) => text === 'one').length === 2 && texts.filter((text) => text === 'two').length === 2
  })
})

test('a replica that says that it is not ready gets no new connection, and gets them again when it is', async () => {
  const [one, two] = [await replica('one'), await replica('two')]
  const { ask } = await balanced(one, two)
  one.ready = false
  await eventually('only the other', async () => (await ask(4)).every((text) => text === 'two'))
  const before = one.answered
  await ask(6)
  expect(one.answered).toBe(before)
  one.ready = true
  await eventually('both', async () => new Set(await ask(4)).size === 2)
})

test('a replica that refuses connections costs no request', async () => {
  const [one, two] = [await replica('one'), await replica('two')]
  const { ask } = await balanced(one, two)
  await eventually('both', async () => new Set(await ask(4)).size === 2)
  await one.end()
  expect(await ask(6)).toEqual(Array(6).fill('two'))
})

test('with no replica ready they are asked all the same', async () => {
  const one = await replica('one')
  one.ready = false
  const { ask } = await balanced(one)
  expect(await ask(2)).toEqual(['one', 'one'])
})

test('a long answer arrives whole although the replica closes behind it', async () => {
  const body = 'x'.repeat(3_000_000)
  const { ask } = await balanced(await replica('one', body))
  expect((await ask(1))[0]?.length).toBe(body.length)
})
