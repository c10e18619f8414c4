/** One address for the replicas of a service: each new connection goes to the next one that says it is ready. */
import { Agent, get } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'

export type Balancer = { port: number; stop(): Promise<void> }

/** Where a replica serves, and where it answers `/readyz`. */
export type Target = { port: number; adminPort: number }

type Replica = Target & { ready: boolean }

const POLL_MS = 500
const ANSWER_MS = 400
/** With no replica ready each is tried all the same, in turn, for so many rounds. */
const ROUNDS = 10
const ROUND_PAUSE_MS = 100

export async function startBalancer(host: string, port: number, targets: readonly Target[]): Promise<Balancer> {
  const replicas = targets.map((target): Replica => ({ ...target, ready: false }))
  const agent = new Agent({ keepAlive: true })
  const polling = setInterval(() => {
    for (const replica of replicas) poll(replica, agent)
  }, POLL_MS)
  let turn = 0
  const open = new Set<Socket>()
  const server: Server = createServer({ noDelay: true }, (client) => {
    open.add(client)
    client.on('close', () => open.delete(client))
    client.on('error', () => client.destroy())
    client.pause()
    attach(client, candidates(replicas, turn++))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port,
    stop: () =>
      new Promise((resolve) => {
        clearInterval(polling)
        agent.destroy()
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}

function poll(replica: Replica, agent: Agent): void {
  const request = get({ host: '127.0.0.1', port: replica.adminPort, path: '/readyz', agent, timeout: ANSWER_MS }, (response) => {
    replica.ready = response.statusCode === 200
    response.resume()
  })
  request.on('timeout', () => request.destroy())
  request.on('error', () => {
    replica.ready = false
  })
}

/** Those that are ready first, then the others, beginning with the one whose turn it is. */
function candidates(replicas: readonly Replica[], turn: number): Replica[] {
  const at = turn % replicas.length
  const inTurn = [...replicas.slice(at), ...replicas.slice(0, at)]
  return [...inTurn.filter((replica) => replica.ready), ...inTurn.filter((replica) => !replica.ready)]
}

/** Joins the client to the first replica that accepts, asking each for `ROUNDS` rounds. */
function attach(client: Socket, order: readonly Replica[]): void {
  let upstream: Socket | undefined
  client.on('close', () => upstream?.destroy())
  const attempt = (tried: number) => {
    const replica = order[tried % order.length]
    if (!replica || client.destroyed || tried >= order.length * ROUNDS) return void client.destroy()
    const socket = connect({ port: replica.port, host: '127.0.0.1', noDelay: true })
    upstream = socket
    let connected = false
    socket.once('connect', () => {
      connected = true
      client.pipe(socket)
      socket.pipe(client)
      client.resume()
    })
    socket.on('error', () => {
      if (connected) return void client.destroy()
      replica.ready = false
      setTimeout(attempt, (tried + 1) % order.length === 0 ? ROUND_PAUSE_MS : 0, tried + 1)
    })
    // What the replica sent before it closed is still delivered.
    socket.on('close', (broken) => {
      if (connected && broken) client.destroy()
      else if (connected) client.end()
    })
  }
  attempt(0)
}
