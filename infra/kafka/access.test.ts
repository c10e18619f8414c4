import { bookingConsumer, mailConsumer } from '@passerelle/booking/events'
import { brandConsumer } from '@passerelle/brand/events'
import { topicOf } from '@passerelle/contracts/event'
import { eventTopics } from '@passerelle/contracts/events/topics'
import { identityConsumer } from '@passerelle/identity/events'
import type { ConsumerDefinition } from '@passerelle/kit/bus'
import { paymentConsumer } from '@passerelle/payment/events'
import { describe, expect, test } from 'vitest'
import { groups, rights } from './access.ts'

const nothing = {} as never
const consumers: ConsumerDefinition[] = [
  bookingConsumer(nothing, nothing, nothing),
  mailConsumer(nothing),
  paymentConsumer(nothing),
  identityConsumer(nothing),
  brandConsumer(nothing),
]

describe('the rights on the bus', () => {
  test('let each group read the topics that it subscribes to, and no other', () => {
    const subscribed = Object.fromEntries(
      consumers.map(({ group, subscriptions }) => [group, [...new Set(subscriptions.map(({ definition }) => topicOf(definition)))].sort()]),
    )
    const allowed = Object.entries(groups).map(([group, { reads }]) => [group, reads.map((owner) => eventTopics[owner].name).sort()])
    expect(Object.fromEntries(allowed)).toEqual(subscribed)
  })

  test('let a service write to its own topic and to the dead letters of its own groups, and to no other topic', () => {
    const writers = rights()
      .filter(({ operation }) => operation === 'write')
      .map(({ principal, name }) => [name, principal])
    expect(Object.fromEntries(writers)).toEqual({
      'booking.events': 'User:booking',
      'booking.dlq': 'User:booking',
      'booking-mail.dlq': 'User:booking',
      'payment.events': 'User:payment',
      'payment.dlq': 'User:payment',
      'identity.events': 'User:identity',
      'identity.dlq': 'User:identity',
      'brand.events': 'User:brand',
      'brand.dlq': 'User:brand',
    })
    expect(writers).toHaveLength(9)
  })

  test('are about the names that the system has on shared servers', () => {
    expect(rights('trial-').every(({ name }) => name.startsWith('trial-'))).toBe(true)
  })
})
