/** For tests of the saga: the payment service as a ledger of holds, captures and voids. */
import { AppError } from '@passerelle/contracts/error'
import type { PaymentRecord } from '@passerelle/contracts/http/payment'
import type { Caller } from '@passerelle/kit/auth'
import { next, type openConditions } from './conditions.fixture.ts'

export const CHARGE = { amount: '274.00', currency: 'EUR' }

type LedgerPayment = {
  bookingId: string | null
  state: 'authorised' | 'captured' | 'released'
  captures: number
  offerId: string
  /** Whose hold it is; a caller with an identity of another does not see it. */
  visitorId: string | null
}

export type ById = { params: { id: string } }

export function openPaymentLedger(conditions: ReturnType<typeof openConditions>) {
  const payments = new Map<string, LedgerPayment>()
  const paymentOf = (id: string): LedgerPayment => {
    const found = payments.get(id)
    if (!found) throw new AppError('PAYMENT_UNKNOWN')
    return found
  }
  const recordOf = (id: string, amountMinor = 27_400): PaymentRecord => {
    const { bookingId, state, offerId } = paymentOf(id)
    return {
      id,
      state: state === 'released' ? 'voided' : state,
      amountMinor,
      currency: CHARGE.currency,
      mode: 'test',
      offerId,
      bookingId,
      refundedMinor: 0,
      cardLast4: '4242',
    }
  }
  /** As the payment service does it: who brings an identity sees the holds of that identity alone. */
  const paymentCalls = (caller: Caller) => {
    const visible = (id: string): LedgerPayment => {
      const payment = paymentOf(id)
      if (caller.visitorId && payment.visitorId !== caller.visitorId) throw new AppError('PAYMENT_UNKNOWN')
      return payment
    }
    return {
      async getPayment({ params }: ById) {
        visible(params.id)
        return recordOf(params.id)
      },
      async authorise({ body }: { body: { key: string; offerId: string } }) {
        const id = `pay_${body.key}`
        if (!payments.has(id))
          payments.set(id, { bookingId: null, state: 'authorised', captures: 0, offerId: body.offerId, visitorId: caller.visitorId })
        return recordOf(id)
      },
      async claim({ params, body }: ById & { body: { bookingId: string } }) {
        const payment = visible(params.id)
        const other = payment.bookingId !== null && payment.bookingId !== body.bookingId
        if (other || payment.state === 'released') throw new AppError('PAYMENT_NOT_USABLE')
        payment.bookingId = body.bookingId
      },
      async capture({ params }: ById) {
        const payment = visible(params.id)
        if (payment.state === 'captured') return recordOf(params.id)
        if (payment.state === 'released' || payment.bookingId === null) throw new AppError('PAYMENT_NOT_USABLE')
        const how = next(conditions.of(payment.bookingId).capture)
        if (how === 'away') throw new AppError('UPSTREAM_UNAVAILABLE')
        if (how === 'expired') {
          payment.state = 'released'
          throw new AppError('PAYMENT_NOT_USABLE')
        }
        payment.state = 'captured'
        payment.captures += 1
        return recordOf(params.id, how === 'other-amount' ? 30_100 : undefined)
      },
      async release({ params }: ById) {
        const payment = visible(params.id)
        if (payment.state === 'captured') throw new AppError('PAYMENT_NOT_USABLE')
        payment.state = 'released'
      },
    }
  }
  return { payments, paymentOf, paymentCalls }
}
