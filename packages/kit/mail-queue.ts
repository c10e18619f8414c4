/**
 * A queue of mails, each once by its key, sent by a worker that retries. Consumers and routes only enqueue. Mails of one subject with a
 * place are sent in the order of their places: a later one waits until the earlier is sent or given up.
 */
import type { Connection, Model } from 'mongoose'
import type { Log } from './log.ts'
import type { Mail, Mailer } from './mail.ts'
import type { Metrics } from './metrics.ts'
import { createModel, isDuplicateKey } from './mongo.ts'
import { now } from './runtime.ts'
import { currentTraceparent, inTrace } from './trace-context.ts'
import { claimAndRun, type WorkerDefinition } from './worker.ts'

type MailTask = {
  /** `template:subject`. */
  _id: string
  template: string
  /** Id of the booking or account; the mail is composed when it is sent, so nothing personal is stored here. */
  subject: string
  /** Position among the mails of its subject; null: any order. */
  place?: number | null
  state: 'due' | 'sent' | 'given-up'
  tries: number
  nextAt: Date
  /** The trace of what it tells about. */
  traceparent?: string | null
}

export type MailQueue<Template extends string> = {
  /** Safe to repeat. With a `place` it is sent after the mails of the same subject whose places are smaller. */
  enqueue(template: Template, subject: string, place?: number): Promise<void>
  has(template: Template, subject: string): Promise<boolean>
  /** It was sent by somebody else, or long ago: it is not sent from here. */
  noteSent(template: Template, subject: string): Promise<void>
  /** Mails about a subject and its parts, `subject:part`, oldest first; `at`: when it was sent, given up, or is tried next. */
  ofSubject(subject: string): Promise<{ template: string; state: MailTask['state']; at: string }[]>
}

const LEASE_MS = 30_000
const GIVE_UP_TRIES = 40
/** A mail that blocks a later one of its subject is given up sooner: after about a minute. */
const GIVE_UP_TRIES_WHEN_BLOCKING = 6
const BLOCKED_RETRY_MS = 1000
/** A mail server takes tenths of a second: one after the other, the mails of a burst of bookings would wait for minutes. */
const CONCURRENT = 8

export function mailQueue<Template extends string>(connection: Connection): MailQueue<Template> & { model: Model<MailTask> } {
  const model = createModel<MailTask>(connection, 'Mail', {
    collection: 'mails',
    fields: {
      _id: String,
      template: String,
      subject: String,
      place: Number,
      state: String,
      tries: Number,
      nextAt: Date,
      traceparent: String,
    },
    indexes: [[{ state: 1, nextAt: 1 }], [{ subject: 1 }]],
  })
  const add = async (template: string, subject: string, state: MailTask['state'], place?: number) => {
    const traceparent = currentTraceparent() ?? null
    try {
      await model.create({
        _id: `${template}:${subject}`,
        template,
        subject,
        place: place ?? null,
        state,
        tries: 0,
        nextAt: now(),
        traceparent,
      })
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
    }
  }
  return {
    model,
    enqueue: (template, subject, place) => add(template, subject, 'due', place),
    noteSent: (template, subject) => add(template, subject, 'sent'),
    async has(template, subject) {
      return (await model.exists({ _id: `${template}:${subject}` })) !== null
    },
    async ofSubject(subject) {
      const parts = { $gte: `${subject}:`, $lt: `${subject};` }
      const found = await model.find({ $or: [{ subject }, { subject: parts }] }).lean<MailTask[]>()
      return found
        .sort((a, b) => a.nextAt.getTime() - b.nextAt.getTime())
        .map(({ template, state, nextAt }) => ({ template, state, at: nextAt.toISOString() }))
    },
  }
}

export type Sender<Template extends string> = {
  queue: { model: Model<MailTask> }
  mailer: Mailer
  /** The mail without its key; null when there is no recipient. */
  write(template: Template, subject: string): Promise<Omit<Mail, 'key'> | null>
  log: Log
  metrics: Metrics
}

export function mailWorker<Template extends string>({ queue, mailer, write, log, metrics }: Sender<Template>): WorkerDefinition {
  const settle = (id: string, state: MailTask['state'], nextAt: Date) => queue.model.updateOne({ _id: id }, { $set: { state, nextAt } })
  const claim = () => {
    const at = now()
    return queue.model
      .findOneAndUpdate(
        { state: 'due', nextAt: { $lte: at } },
        { $set: { nextAt: new Date(at.getTime() + LEASE_MS) }, $inc: { tries: 1 } },
        { returnDocument: 'after', sort: { nextAt: 1 } },
      )
      .lean<MailTask>()
  }
  const isDue = async ({ subject, place }: MailTask, order: '$lt' | '$gt') =>
    typeof place === 'number' && (await queue.model.exists({ subject, state: 'due', place: { [order]: place } })) !== null
  const sendOne = async (task: MailTask) => {
    if (await isDue(task, '$lt')) {
      const nextAt = new Date(now().getTime() + BLOCKED_RETRY_MS)
      return void (await queue.model.updateOne({ _id: task._id }, { $set: { nextAt }, $inc: { tries: -1 } }))
    }
    try {
      const mail = await inTrace({ traceparent: task.traceparent, name: `mail ${task.template}`, kind: 'client' }, async () => {
        const written = await write(task.template as Template, task.subject)
        if (written) await mailer.send({ ...written, key: `mail:${task._id}` })
        return written
      })
      await settle(task._id, mail ? 'sent' : 'given-up', now())
      metrics.mails.inc({ template: task.template, result: mail ? 'sent' : 'given-up' })
    } catch (err) {
      const over = task.tries >= ((await isDue(task, '$gt')) ? GIVE_UP_TRIES_WHEN_BLOCKING : GIVE_UP_TRIES)
      log.warn({ err, template: task.template, subject: task.subject, tries: task.tries, over }, 'a mail could not be sent')
      metrics.mails.inc({ template: task.template, result: over ? 'given-up' : 'failed' })
      await settle(task._id, over ? 'given-up' : 'due', new Date(now().getTime() + Math.min(300_000, 1000 * 2 ** task.tries)))
    }
  }
  return claimAndRun({ name: 'mail', everyMs: 500, concurrency: CONCURRENT, claim, work: sendOne, log })
}
