import type { Notice } from './checkout-state.ts'
import { CARD_DECLINED } from './classify.ts'

/** What a failed payment means for the visitor, and what can be done about it. */
export function paymentText({ message, declined, cardLast4, retryAt }: Extract<Notice, { kind: 'payment' }>): string {
  if (retryAt !== null) return `${withoutAdvice(message)} Nothing was charged. You can try again at ${clock(retryAt)}.`
  if (!declined) return `${message} Your passengers and seats are kept.`
  const why = message === CARD_DECLINED ? `Your bank declined the card ending ${cardLast4}.` : `Card ending ${cardLast4}: ${message}`
  return `${why} Nothing was charged; try another card. Your passengers and seats are kept.`
}

/** The first sentence: the rest tells the minutes of a moment ago. */
function withoutAdvice(message: string): string {
  return message.split(/(?<=\.) /)[0] ?? message
}

/** Of this browser's place. */
function clock(at: number): string {
  const local = new Date(at)
  return [local.getHours(), local.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
}
