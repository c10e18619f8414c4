/** The calls of messagesApi. */
import { AppError } from '@passerelle/contracts/error'
import { contactReceived } from '@passerelle/contracts/events/brand'
import type { AdminMessage, ContactMessage, messagesApi } from '@passerelle/contracts/http/messages'
import { type Audit, timedId } from '@passerelle/kit/audit'
import type { Caller } from '@passerelle/kit/auth'
import type { Handlers } from '@passerelle/kit/http'
import type { MailQueue } from '@passerelle/kit/mail-queue'
import { createOutboxEvent } from '@passerelle/kit/outbox'
import { now } from '@passerelle/kit/runtime'
import { brandsAskedFor, brandsOf, requireBrand } from '@passerelle/kit/staff'
import type { MessageMail } from '../domain/mail.ts'
import type { MessageRecord, MessageStore } from './store.ts'

type MessageTools = { messages: MessageStore; mails: MailQueue<MessageMail>; audit: Audit }

const DAY_MS = 86_400_000
/** Anybody can type anybody's address: beyond these in a day it gets no more mail from us. */
const MOST_ACKNOWLEDGED = 3
const MOST_ANSWERS = 20

type Sent = Pick<MessageRecord, 'from' | 'name' | 'email' | 'message'> & Partial<MessageRecord>

export function messageRoutes({ messages, mails, audit }: MessageTools): Handlers<typeof messagesApi> {
  const keep = async (sent: Sent, caller: Caller) => {
    const receivedAt = now()
    const emailKey = sent.email.toLowerCase()
    const recent = await messages.countSince(emailKey, new Date(receivedAt.getTime() - DAY_MS))
    const message: MessageRecord = {
      _id: timedId('msg_', receivedAt),
      version: 1,
      brandKey: caller.brand,
      receivedAt,
      emailKey,
      phone: null,
      preferredContact: 'email',
      inquiryType: null,
      destination: null,
      reference: null,
      subject: null,
      state: 'new',
      acknowledged: recent < MOST_ACKNOWLEDGED,
      answers: [],
      answeredBy: null,
      answeredAt: null,
      ...sent,
    }
    const about = { sequence: 1, at: receivedAt, requestId: caller.requestId }
    await messages.insert(message, [createOutboxEvent(contactReceived, { messageId: message._id, brandKey: caller.brand }, about)])
    return { success: true, message: 'Thank you. We have received your message and will answer as soon as we can.' }
  }

  const load = async (id: string, caller: Caller): Promise<MessageRecord> => {
    const message = await messages.find(id)
    if (!message) throw new AppError('MESSAGE_NOT_FOUND')
    requireBrand(caller, message.brandKey, 'MESSAGE_NOT_FOUND')
    return message
  }

  /** Repeated when another administrator has written in between. */
  const change = async (
    id: string,
    caller: Caller,
    changeOf: (message: MessageRecord) => Partial<MessageRecord>,
  ): Promise<MessageRecord> => {
    for (let attempt = 0; attempt < 5; attempt++) {
      const message = await load(id, caller)
      const changed = await messages.change(message, changeOf(message))
      if (changed) return changed
    }
    throw new AppError('UPSTREAM_UNAVAILABLE', { retryAfter: 1 })
  }

  return {
    sendContact: ({ body: { firstName, lastName, consent: _, phone, destination, reference, ...body }, caller }) =>
      keep(
        {
          ...body,
          from: 'contact',
          name: `${firstName} ${lastName}`,
          phone: phone || null,
          destination: destination || null,
          reference: reference || null,
        },
        caller,
      ),

    sendSupportRequest: ({ body: { fullName, reference, ...body }, caller }) =>
      keep({ ...body, from: 'support', name: fullName, reference: reference || null }, caller),

    async listMessages({ query: { limit, brandKey, ...query }, caller }) {
      const brands = brandsAskedFor(caller, brandKey)
      const [found, fresh, answered] = await Promise.all([
        messages.list({ ...query, brands, limit: limit + 1 }),
        messages.count('new', brandsOf(caller)),
        messages.count('answered', brandsOf(caller)),
      ])
      const shown = found.slice(0, limit)
      return {
        messages: shown.map(toAdmin),
        next: found.length > limit ? (shown.at(-1)?._id ?? null) : null,
        counts: { new: fresh, answered },
      }
    },

    getMessage: async ({ params, caller }) => toAdmin(await load(params.id, caller)),

    async setMessageState({ params: { id }, body: { state }, caller }) {
      const [answeredBy, answeredAt] = state === 'answered' ? [caller.userId, now()] : [null, null]
      const changed = await change(id, caller, () => ({ state, answeredBy, answeredAt }))
      await audit.record({ action: 'message-state', subject: id, brandKey: changed.brandKey, to: state }, caller)
      return toAdmin(changed)
    },

    async answerMessage({ params: { id }, body: { text }, caller }) {
      const answer = { at: now(), by: caller.userId ?? 'unknown', text }
      const changed = await change(id, caller, ({ answers }) => {
        if (answers.length >= MOST_ANSWERS) throw new AppError('RATE_LIMITED', { message: 'This message has too many answers already.' })
        return { answers: [...answers, answer], state: 'answered', answeredBy: answer.by, answeredAt: answer.at }
      })
      const number = changed.answers.findIndex(({ at, by }) => at.getTime() === answer.at.getTime() && by === answer.by)
      await mails.enqueue('answer', `${id}:${number}`)
      await audit.record({ action: 'message-answered', subject: id, brandKey: changed.brandKey, to: 'answered' }, caller)
      return toAdmin(changed)
    },

    messagesOf: async ({ body }) => (await messages.allOf(body.email.toLowerCase())).map(toMessage),
  }
}

function toMessage({ _id, receivedAt, ...message }: MessageRecord): ContactMessage {
  return { ...message, id: _id, receivedAt: receivedAt.toISOString() }
}

function toAdmin(record: MessageRecord): AdminMessage {
  const { state, acknowledged, answeredBy, answeredAt } = record
  const answers = record.answers.map(({ at, by, text }) => ({ at: at.toISOString(), by, text }))
  return { ...toMessage(record), state, acknowledged, answers, answeredBy, answeredAt: answeredAt?.toISOString() ?? null }
}
