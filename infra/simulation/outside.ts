/** What is around the two services: airline, card provider, mail server and search, what they really did, and the provider's webhooks. */
import { createHmac } from 'node:crypto'
import { quote } from '@passerelle/booking/domain/booking.fixture'
import { paymentApi } from '@passerelle/contracts/http/payment'
import { testCaller } from '@passerelle/kit/testing'
import { memoryAirline, PENALTY } from './airline.ts'
import { memoryCardProvider } from './card-provider.ts'
import { WEBHOOK_SECRET } from './configuration.ts'
import { type LedgerIntent, type LedgerMail, Ledgers } from './ledgers.ts'
import type { World } from './world.ts'

/** What it has to see of the services. */
type Services = {
  bookings: readonly { _id: string; state: string }[]
  payments: readonly { _id: string; bookingId: string | null }[]
  call(api: typeof paymentApi, name: string, input: { caller: object }): Promise<unknown>
}

export class Outside {
  readonly ledgers = new Ledgers()
  readonly airline
  readonly cards
  readonly #world: World
  readonly #system: Services
  #requotes = 0

  constructor(world: World, system: Services) {
    this.#world = world
    this.#system = system
    const about = { ledgers: this.ledgers, now: () => world.now, behaviourAt: (point: string) => world.behaviourAt(point) }
    this.airline = memoryAirline({ ...about, onOrder: ({ id, bookingId }) => this.judgeTicket(bookingId, `${id} was made`) })
    const emit = (type: string, intent: LedgerIntent) => this.#sendWebhook(type, intent)
    this.cards = memoryCardProvider({ ...about, emit, onCapture: (intent) => this.#judgeCapture(intent) })
  }

  receiveMail(mail: LedgerMail): void {
    this.#world.tell(`mail ${mail.key}`)
    this.ledgers.mails.push(mail)
  }

  /** The search service's answers. */
  search(name: string, { params }: { params: { id: string } }): unknown {
    if (name !== 'quote' && name !== 'requote') return undefined
    if (name === 'requote') this.#requotes += 1
    const offerId = `off_${params.id}${name === 'requote' ? `_${this.#requotes}` : ''}`
    const conditions = { ...quote.offer.conditions, refund: { allowed: true, penalty: PENALTY } }
    return { ...quote, offer: { ...quote.offer, id: params.id, conditions }, supplier: { ...quote.supplier, offerId } }
  }

  /** The provider tells of what happened: some time later, in any order, and now and then twice. */
  #sendWebhook(type: string, intent: LedgerIntent): void {
    const { chance } = this.#world
    const id = `evt_${intent.id}_${type}`
    const payload = JSON.stringify({
      id,
      object: 'event',
      type,
      data: { object: { object: 'payment_intent', id: intent.id, metadata: { payment_id: intent.paymentId } } },
    })
    const deliver = () => void this.#deliverWebhook(payload)
    this.#world.after(50 + chance.next() ** 3 * 20_000, deliver)
    if (chance.is(0.2)) this.#world.after(50 + chance.next() * 30_000, deliver)
  }

  async #deliverWebhook(payload: string): Promise<void> {
    // The signature's age is judged by the machine's own clock.
    const at = Math.floor(Date.now() / 1000)
    const signature = `t=${at},v1=${createHmac('sha256', WEBHOOK_SECRET).update(`${at}.${payload}`).digest('hex')}`
    const input = { caller: testCaller(), params: { mode: 'test' }, body: Buffer.from(payload), header: () => signature }
    await this.#system.call(paymentApi, 'webhook', input).catch(() => undefined)
  }

  /** I1, at the only moment at which it can be judged. */
  #judgeCapture({ id, paymentId }: LedgerIntent): void {
    const bookingId = this.#system.payments.find(({ _id }) => _id === paymentId)?.bookingId
    const order = this.ledgers.orders.find((one) => one.bookingId === bookingId && one.cancelledAt === null)
    this.#world.tell(`${id} is captured`)
    if (!order) this.ledgers.breaches.push(`I1 ${id} was captured while booking ${bookingId} had no order`)
  }

  /** I6 without the help of the sweep for orders that no booking stands for. */
  judgeTicket(bookingId: string, when: string): void {
    const booking = this.#system.bookings.find(({ _id }) => _id === bookingId)
    const order = this.ledgers.orders.find((one) => one.bookingId === bookingId && one.cancelledAt === null)
    if (booking?.state === 'FAILED' && order)
      this.ledgers.breaches.push(`I6 booking ${bookingId} was FAILED with the live ${order.id} when ${when}`)
  }
}
