/** A name server for tests, on loopback: answers what it is told, or nothing at all. */
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'

const TYPES = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const
export type RecordType = keyof typeof TYPES
/** By names: what each type of record says. */
export type Zone = Record<string, Partial<Record<RecordType, readonly string[]>>>

export type NameServer = {
  /** `127.0.0.1:5353`. */
  address: string
  /** Every name that is not in it does not exist. */
  zone: Zone
  /** silent: no answer ever comes. failing: an error of the server itself. */
  state: 'answers' | 'silent' | 'failing'
  stop(): Promise<void>
}

const SERVFAIL = 2
const NXDOMAIN = 3

/** @param port 0 takes any free one */
export async function startNameServer(port = 0): Promise<NameServer> {
  const socket = createSocket('udp4')
  await new Promise<void>((bound, failed) => {
    socket.once('error', failed)
    socket.bind(port, '127.0.0.1', bound)
  })
  const server: NameServer = {
    address: `127.0.0.1:${socket.address().port}`,
    zone: {},
    state: 'answers',
    stop: () => new Promise((closed) => socket.close(closed)),
  }
  socket.on('message', (message, from) => {
    if (server.state !== 'silent') socket.send(answerTo(message, server), from.port, from.address)
  })
  return server
}

function answerTo(message: Buffer, { zone, state }: NameServer): Buffer {
  const { name, end } = nameIn(message, 12)
  const asked = message.readUInt16BE(end)
  const question = message.subarray(12, end + 4)
  const known = zone[name]
  const [type] = (Object.keys(TYPES) as RecordType[]).filter((one) => TYPES[one] === asked)
  const values = (state === 'answers' && type && known?.[type]) || []
  const code = state === 'failing' ? SERVFAIL : known ? 0 : NXDOMAIN
  const header = Buffer.alloc(12)
  message.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8580 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(values.length, 6)
  return Buffer.concat([header, question, ...values.map((value) => recordOf(asked, dataOf(type as RecordType, value)))])
}

function nameIn(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let at = start
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** Its name is that of the question, at byte 12; nobody keeps it. */
function recordOf(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function dataOf(type: RecordType, value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number))
  if (type === 'CNAME') return Buffer.concat([...value.split('.').map(chunk), Buffer.from([0])])
  if (type === 'TXT') return Buffer.concat((value.match(/.{1,255}/gs) ?? ['']).map(chunk))
  if (!isIPv6(value)) throw new Error(`${value} is no IPv6 address`)
  const [before = '', after] = value.split('::')
  const groups = (text: string) => text.split(':').filter(Boolean)
  const rest = groups(after ?? '')
  const zeros = after === undefined ? 0 : 8 - groups(before).length - rest.length
  const all = [...groups(before), ...Array<string>(zeros).fill('0'), ...rest].map((group) => Number.parseInt(group, 16))
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]))
}

const chunk = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')])
