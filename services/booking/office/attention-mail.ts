/** The agency is written to when a booking needs somebody: once for each case, however often it is tried. */
import type { AttentionReason } from '@passerelle/contracts/http/back-office'
import type { Brand } from '@passerelle/contracts/http/brand'
import { type Letter, letter } from '@passerelle/contracts/rules/letter'
import { formatExactMoney, fromMinor } from '@passerelle/contracts/rules/money'
import type { MailQueue } from '@passerelle/kit/mail-queue'
import type { WorkerDefinition } from '@passerelle/kit/worker'
import type { BookingRecord } from '../domain/booking.ts'
import type { Store } from '../store.ts'

const AT_ONCE = 50

const WORDS: Record<AttentionReason, string> = {
  'cancel-unanswered': 'The airline has not said whether it cancelled the booking.',
  'order-missing': 'The booking is to be cancelled and has no order at the airline.',
  'ticket-unpaid': 'There is a ticket that the card could not be charged for.',
  'paid-without-ticket': 'The card was charged and nothing was booked.',
  'refund-by-hand': 'The booking is cancelled, and the refund has to be arranged by hand.',
  disputed: 'The cardholder disputes the charge at the bank. The card provider says until when it can be answered.',
  'dispute-lost': 'The bank has decided the dispute for the cardholder: the money is gone.',
  'refunded-elsewhere': "The card was refunded in the card provider's dashboard, and the booking stands as it was.",
}

/** A case is told by putting its mail into the queue, under a key of its own: after a crash in between it is put there again, and stays one. */
export function attentionWorker(
  store: Pick<Store, 'untold' | 'setTold'>,
  mails: Pick<MailQueue<'attention'>, 'enqueue'>,
): WorkerDefinition {
  return {
    name: 'attention',
    everyMs: 2000,
    async run() {
      const cases = await store.untold(AT_ONCE)
      for (const { _id, attention } of cases) {
        if (!attention) continue
        await mails.enqueue('attention', `${_id}:${attention.since.getTime()}`)
        await store.setTold(_id, attention.since)
      }
      return cases.length === AT_ONCE
    },
  }
}

/** Without names and addresses: the page behind the link asks who is reading. Null when the case is over by now. */
export function attentionLetter(booking: BookingRecord, brand: Brand, siteUrl: string): Letter | null {
  const { attention, attentionSince, reference, charge, _id } = booking
  if (!attention || !attentionSince) return null
  return letter(`Booking ${reference} needs attention - ${brand.name}`, brand, [
    `${WORDS[attention.reason]}`,
    `Reference ${reference}, ${formatExactMoney(fromMinor(charge.minor, charge.currency), charge.currency)}.`,
    `What can be done: ${siteUrl}/admin/bookings/${_id}`,
  ])
}
