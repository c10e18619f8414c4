/** For tests of the domain: one payment, and the time at which it began. */
import { newPayment, type Payment } from './payment.ts'

export const now = new Date('2026-11-20T10:00:00Z')
export const moment = { now, holdMs: 900_000, idleMs: 120_000, challengeMs: 600_000 }
/** So many milliseconds later. */
export const at = (ms: number) => ({ ...moment, now: new Date(now.getTime() + ms) })

export const payment = (more: Partial<Payment> = {}): Payment => ({
  ...newPayment(
    {
      id: 'pay_1',
      source: 'visitor',
      key: 'visitor:abc',
      fingerprint: 'f',
      amountMinor: 27_400,
      currency: 'EUR',
      mode: 'test',
      offerId: null,
      visitorId: 'v_1',
      userId: null,
      requestId: 'req_1',
      cardBrand: 'visa',
      cardLast4: '4242',
      attemptBy: 'me',
      attemptUntil: at(60_000).now,
    },
    now,
  ),
  intentId: 'pi_1',
  ...more,
})
