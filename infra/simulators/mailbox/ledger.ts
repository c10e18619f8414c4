/**
 * The truth that tests compare with: every mail that was accepted, oldest first, two with the same Message-ID included. `to` is whom it
 * was really handed over for.
 */
import { counted } from '../control.ts'
import { type Message, summaryOf } from './message.ts'

export const ledgerOf = (newestFirst: Message[], refused: number) => {
  const messages = newestFirst.toReversed().map((message) => ({ ...summaryOf(message), to: message.envelope.to, text: message.text }))
  return {
    messages,
    counts: {
      messages: messages.length,
      distinctMessageIds: new Set(messages.map(({ messageId }) => messageId)).size,
      refused,
      byRecipient: counted(messages.flatMap(({ envelope }) => envelope.to)),
      bySubject: counted(messages.map(({ subject }) => subject)),
    },
  }
}
