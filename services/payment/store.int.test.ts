/** Payments that an earlier release has stored. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payment } from './domain/payment.fixture.ts'
import { providerKey, refundKey } from './domain/provider-key.ts'
import { openTools } from './tools.fixture.ts'

let { store, connection, close } = {} as Awaited<ReturnType<typeof openTools>>
beforeAll(async () => {
  ;({ store, connection, close } = await openTools())
})
afterAll(() => close())

test('keep the generations of their idempotency keys and the provider events that were applied', async () => {
  const { id: _, keyGeneration: __, webhookEvents: ___, ...fields } = payment({ bookingId: 'bk_old' })
  const refund = { bookingId: 'bk_old', amountMinor: 100, wantedAt: new Date(0), providerId: null, failed: false, spentKeys: 2 }
  await connection.collection('payments').insertOne({
    ...fields,
    _id: 'pay_old' as never,
    tries: { create: 1, confirm: 3, capture: 2, void: 1 },
    hints: ['evt_1'],
    refund,
  })
  const read = await store.byId('pay_old')
  expect(read).toMatchObject({ webhookEvents: ['evt_1'], refund: { keyRotations: 2 } })
  expect([providerKey('confirm', read), providerKey('capture', read)]).toEqual(['pay:pay_old:confirm:3', 'cap:bk_old:2'])
  const written = await store.update('pay_old', (current) => ({ set: { keyGeneration: { ...current.keyGeneration, confirm: 4 } } }))
  expect(written.keyGeneration).toEqual({ create: 1, confirm: 4, capture: 2, void: 1 })
  expect(refundKey('bk_old', 1 + (read.refund?.keyRotations ?? 0))).toBe('ref:bk_old:3')
})
