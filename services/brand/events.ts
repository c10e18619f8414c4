/** A message that was received is mailed to the agency and acknowledged to its sender. */
import { contactReceived } from '@passerelle/contracts/events/brand'
import { type ConsumerDefinition, on } from '@passerelle/kit/bus'
import type { MailQueue } from '@passerelle/kit/mail-queue'
import type { MessageMail } from './domain/mail.ts'
import type { MessageStore } from './messages/store.ts'

export type ConsumerTools = { messages: Pick<MessageStore, 'find'>; mails: MailQueue<MessageMail> }

export function brandConsumer(tools: ConsumerTools): ConsumerDefinition {
  return {
    group: 'brand',
    subscriptions: [
      on(contactReceived, async ({ data: { messageId } }) => {
        const { messages, mails } = tools
        const message = await messages.find(messageId)
        if (!message) return
        await mails.enqueue('received', messageId)
        if (message.acknowledged) await mails.enqueue('acknowledged', messageId)
      }),
    ],
  }
}
