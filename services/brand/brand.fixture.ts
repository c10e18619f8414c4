/** The brand service with a mailbox for a test, called as the gateway calls it. */
import type { Caller } from '@passerelle/kit/auth'
import { createLog } from '@passerelle/kit/log'
import { connectMongo } from '@passerelle/kit/mongo'
import { delay } from '@passerelle/kit/runtime'
import { type RunningService, start } from '@passerelle/kit/service'
import { createTestKeys, type TestKeys } from '@passerelle/kit/testing'
import { testServers } from '@passerelle/servers/test/test-servers'
import { startMailbox } from '@passerelle/simulators/mailbox/server'
import type { Connection } from 'mongoose'
import { brand } from './service.ts'

export type Answer = { status: number; body: Record<string, never>; headers: Headers; bytes: Buffer }
type Mail = { to: string[]; subject: string; text: string; html: string; from: { name: string; address: string } }

export type World = {
  service: RunningService
  /** A second process on the same database. */
  replica(environment?: Record<string, string>): Promise<RunningService>
  keys: TestKeys
  mongo: Connection
  /** Lines of the service's log. */
  lines: string[]
  call(path: string, init?: { method?: string; json?: unknown; bytes?: Uint8Array }, caller?: Partial<Caller>, at?: string): Promise<Answer>
  /** What has arrived in the mailbox. */
  mails(): Promise<Mail[]>
  /** Of the newest mail to an address, by their names in lower case. */
  headers(to: string): Promise<Record<string, string>>
  stop(): Promise<void>
}

export const admin = (): Partial<Caller> => ({ userId: 'usr_admin', isAdmin: true, adminProofAt: new Date().toISOString() })

export async function openWorld(more: Record<string, string> = {}): Promise<World> {
  const [servers, keys, mailbox] = await Promise.all([testServers(), createTestKeys(), startMailbox()])
  const lines: string[] = []
  const environment = {
    ...servers.environment,
    ...keys.environment('brand'),
    SAMPLE_BRANDS: 'true',
    PUBLIC_URL: 'http://localhost:8080',
    SMTP_URL: mailbox.smtpUrl,
    ...more,
  }
  const begin = (extra: Record<string, string> = {}) =>
    start(brand, { ...environment, ...extra }, { log: createLog('brand', 'warn', { write: (line) => void lines.push(line) }) })
  const service = await begin()
  const replicas: RunningService[] = []
  const { MONGO_URL, NAMESPACE } = servers.environment
  const mongo = await connectMongo(MONGO_URL, `${NAMESPACE}brand`, createLog('test', 'silent'))
  return {
    service,
    keys,
    mongo,
    lines,
    async replica(extra) {
      const one = await begin(extra)
      replicas.push(one)
      return one
    },
    async call(path, { method, json, bytes } = {}, caller = {}, at = service.url) {
      const body = bytes ?? (json === undefined ? undefined : JSON.stringify(json))
      const response = await fetch(at + path, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(await keys.headers('brand', caller)),
          ...(body !== undefined && { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
        },
        ...(body !== undefined && { body: body as string | Uint8Array<ArrayBuffer> }),
      })
      const answered = Buffer.from(await response.arrayBuffer())
      const isJson = /json/.test(response.headers.get('content-type') ?? '')
      return { status: response.status, body: isJson ? JSON.parse(answered.toString()) : {}, headers: response.headers, bytes: answered }
    },
    async mails() {
      const ledger = (await (await fetch(`${mailbox.url}/_sim/ledger`)).json()) as { messages: Mail[] }
      return ledger.messages
    },
    async headers(to) {
      const [newest] = (await (await fetch(`${mailbox.url}/messages?to=${to}`)).json()) as { id: string }[]
      const message = (await (await fetch(`${mailbox.url}/messages/${newest?.id}`)).json()) as {
        headers: { name: string; value: string }[]
      }
      return Object.fromEntries(message.headers.map(({ name, value }) => [name.toLowerCase(), value]))
    },
    async stop() {
      await Promise.all([service, ...replicas].map((one) => one.stop()))
      await mongo.close()
      await mailbox.stop()
      await servers.stop()
    },
  }
}

export async function eventually<T>(what: string, read: () => Promise<T | undefined | false | null>): Promise<T> {
  for (let i = 0; i < 300; i++) {
    const value = await read()
    if (value) return value
    await delay(50)
  }
  throw new Error(`${what} did not happen within 15 s`)
}
