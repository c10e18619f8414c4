import { ApiError, TransportError } from '@passerelle/contracts/client'
import type { BookingCreated } from '@passerelle/contracts/http/booking'
import { describe, expect, it } from 'vitest'
import { booking } from './booking.fixture.ts'
import { type CheckoutCalls, type CheckoutOptions, checkOut } from './checkout.ts'

const created: BookingCreated = { ...booking, accountCreated: false, accountInfo: null, emailContent: '' }

function desk(changed: Partial<CheckoutCalls> = {}) {
  const log: string[] = []
  const calls: CheckoutCalls = {
    pay: async () => {
      log.push('pay')
      return { success: true, paymentId: 'pay_1' }
    },
    onHeld: ({ paymentId, real }) => {
      log.push(`held ${paymentId}${real ? '' : ', not real'}`)
    },
    check: async () => {
      log.push('check')
      return { state: 'valid', expiresAt: null }
    },
    book: async (paymentId) => {
      log.push(`book ${paymentId}`)
      return created
    },
    pause: async (ms) => {
      log.push(`pause ${ms}`)
    },
    ...changed,
  }
  return { log, calls }
}
const options: CheckoutOptions = { held: null, saidTest: false, testPaymentId: () => 'test_payment_1' }
const failing = (error: unknown) => async () => {
  throw error
}

describe('paying', () => {
  it('PAY-11, PAY-12: pays, waits 500 ms, checks the offer, waits 300 ms, books with the payment', async () => {
    const { log, calls } = desk()
    expect(await checkOut(calls, options)).toEqual({ booking: created })
    expect(log).toEqual(['pay', 'held pay_1', 'pause 500', 'check', 'pause 300', 'book pay_1'])
  })

  it('APAY-04: a decline ends it before anything is booked, also in test mode', async () => {
    const { log, calls } = desk({ pay: async () => ({ success: false, message: 'Your card was declined.' }) })
    const outcome = await checkOut(calls, { ...options, saidTest: true })
    expect(outcome).toMatchObject({ failure: { kind: 'payment', title: 'Card Payment Failed' } })
    expect(log).toEqual([])
  })

  it('an offer that expired after the payment is not booked', async () => {
    const expired = { state: 'expired', gone: false, code: 'OFFER_EXPIRED', message: '' } as const
    const { log, calls } = desk({ check: async () => expired })
    expect(await checkOut(calls, options)).toEqual({ check: expired })
    expect(log.some((entry) => entry.startsWith('book'))).toBe(false)
  })

  it('R-26: a hold of an earlier press serves again without a second payment', async () => {
    const { log, calls } = desk()
    await checkOut(calls, { ...options, held: { paymentId: 'pay_0', real: true } })
    expect(log).toContain('book pay_0')
    expect(log).not.toContain('pay')
  })

  it('PAY-15, R-18: in explicit test mode an unreachable payment goes on with a test payment id that is never kept', async () => {
    const { log, calls } = desk({ pay: failing(new TransportError('no-response')) })
    expect(await checkOut(calls, { ...options, saidTest: true })).toEqual({ booking: created })
    expect(log).toContain('held test_payment_1, not real')
    expect(log).toContain('book test_payment_1')
  })

  it('a payment that was never answered still is not when the server refuses its stand-in', async () => {
    const unknown = new ApiError(422, '', JSON.stringify({ error: 'PAYMENT_UNKNOWN', message: 'x', requestId: 'r' }))
    const { calls } = desk({ pay: failing(new TransportError('no-response')), book: failing(unknown) })
    expect(await checkOut(calls, { ...options, saidTest: true })).toMatchObject({ failure: { kind: 'payment', answered: false } })
    const answered = desk({ book: failing(unknown) })
    expect(await checkOut(answered.calls, options)).toMatchObject({ failure: { kind: 'payment', answered: true } })
  })

  it('PAY-15, R-18: in any other mode an unreachable payment and a 401 are failures', async () => {
    for (const error of [new TransportError('no-response'), new ApiError(401, '', 'Not authenticated')]) {
      const { log, calls } = desk({ pay: failing(error) })
      expect(await checkOut(calls, options)).toMatchObject({ failure: { kind: 'payment', title: 'Payment Failed' } })
      expect(log).toEqual([])
    }
  })

  it('ABOOK-17: an answer without a booking may still have made one', async () => {
    const { calls } = desk({ book: async () => ({}) as BookingCreated })
    expect(await checkOut(calls, options)).toEqual({
      failure: { kind: 'unknown', message: 'No booking information received from server' },
    })
  })

  it('PAY-16: a booking call that was not answered leaves open whether there is a booking', async () => {
    const { calls } = desk({ book: failing(new TransportError('no-response')) })
    expect(await checkOut(calls, options)).toMatchObject({ failure: { kind: 'unknown' } })
  })
})
