/**
 * For tests, by `--import crash.ts?folder=...`: a process ends, or something else happens to it, just before or just after one call of the
 * real code, as `crash.json` in that folder says. Calls are seen where they leave the process or come in: MongoDB, HTTP, Kafka, SMTP.
 */
import { subscribe } from 'node:diagnostics_channel'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kafka } from 'kafkajs'
import mongoose from 'mongoose'
import Mailer from 'nodemailer/lib/mailer'

export type Side = 'before' | 'after'
export type Crash = {
  id: string
  service: string
  /** A regular expression over the call as it is written below: "http POST /air/orders". */
  call: string
  side: Side
  /** What the process that is met sends, and to whom; itself where no process is named. */
  signal: NodeJS.Signals
  pid?: number
}

const orderFile = (folder: string) => join(folder, 'crash.json')
const hitFile = (folder: string, id: string) => join(folder, `crash-${id}.hit`)

/** What makes the processes of a system look for their crash here. */
export const crashOptions = (dataDir: string) =>
  `--import ${new URL('crash.ts', import.meta.url).href}?folder=${encodeURIComponent(dataDir)}`

export function armCrash(folder: string, crash: Crash): void {
  rmSync(hitFile(folder, crash.id), { force: true })
  writeFileSync(orderFile(folder), JSON.stringify(crash))
}

export const disarm = (folder: string) => rmSync(orderFile(folder), { force: true })

/** The process that was met, and when; null: none yet. */
export function hitOf(folder: string, id: string): { pid: number; at: number; text: string } | null {
  return existsSync(hitFile(folder, id)) ? JSON.parse(readFileSync(hitFile(folder, id), 'utf8') || 'null') : null
}

const LOOK_MS = 50
const folder = new URL(import.meta.url).searchParams.get('folder')
const [, service] = /(?:services\/)?(\w+)\/main\.ts$/.exec(process.argv[1] ?? '') ?? []
if (folder && service) watchCalls(folder, service)

function watchCalls(at: string, name: string): void {
  let order: Crash | null = null
  setInterval(() => {
    try {
      order = JSON.parse(readFileSync(orderFile(at), 'utf8'))
    } catch {
      order = null
    }
  }, LOOK_MS).unref()
  const meet = (side: Side, call: () => string) => {
    if (order?.side !== side || order.service !== name) return
    const [text, { id, signal, pid = process.pid }] = [call(), order]
    if (!new RegExp(order.call).test(text)) return
    try {
      // Of two processes that come here, the first one is met.
      writeFileSync(hitFile(at, id), JSON.stringify({ pid: process.pid, at: Date.now(), text: text.slice(0, 200) }), { flag: 'wx' })
    } catch {
      return
    }
    process.kill(pid, signal)
  }
  // biome-ignore lint/suspicious/noExplicitAny: any method of a class that is not ours
  const around = (of: any, method: string, text: (self: any, args: any[]) => string) => {
    const original = of[method]
    // biome-ignore lint/suspicious/noExplicitAny: whatever it takes
    of[method] = async function (...args: any[]) {
      meet('before', () => text(this, args))
      const result = await original.apply(this, args)
      meet('after', () => text(this, args))
      return result
    }
  }
  for (const method of ['insertOne', 'updateOne', 'updateMany', 'findOneAndUpdate', 'bulkWrite'])
    around(mongoose.mongo.Collection.prototype, method, (self, args) => `mongo ${self.collectionName} ${method} ${JSON.stringify(args)}`)
  around(Mailer.prototype, 'sendMail', (_, [mail]) => `smtp ${mail.subject}`)
  const { producer, consumer } = Kafka.prototype
  Kafka.prototype.producer = function (options) {
    const made = producer.call(this, options)
    around(made, 'sendBatch', (_, [batch]) => `kafka send ${batch.topicMessages.map(describe).join(' ')}`)
    return made
  }
  Kafka.prototype.consumer = function (options) {
    const made = consumer.call(this, options)
    const { run } = made
    made.run = (config) => {
      const { eachBatch } = config ?? {}
      return run({
        ...config,
        ...(eachBatch && {
          eachBatch: (payload) => {
            const own = { ...payload }
            around(own, 'commitOffsetsIfNecessary', () => `kafka commit ${options.groupId} ${payload.batch.topic}`)
            return eachBatch(own)
          },
        }),
      })
    }
    return made
  }
  const describe = ({ topic, messages }: { topic: string; messages: { headers?: Record<string, unknown> }[] }) =>
    `${topic} ${messages.map(({ headers }) => headers?.ce_type).join(',')}`
  type Message = { request: { method: string; path?: string; url?: string } }
  const on = (channel: string, kind: string, side: Side) =>
    subscribe(channel, (message) => {
      const { method, path, url } = (message as Message).request
      meet(side, () => `${kind} ${method} ${(path ?? url ?? '').split('?')[0]}`)
    })
  on('undici:request:create', 'http', 'before')
  on('undici:request:headers', 'http', 'after')
  on('http.client.request.created', 'http', 'before')
  on('http.client.response.finish', 'http', 'after')
  on('http.server.request.start', 'serve', 'before')
  on('http.server.response.finish', 'serve', 'after')
}
