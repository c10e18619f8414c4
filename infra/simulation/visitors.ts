/** What visitors do in a run: they pay, book, ask again when they hear nothing, submit twice, leave, and cancel. */
import { AppError } from '@passerelle/contracts/error'
import { bookingApi, CreateBooking } from '@passerelle/contracts/http/booking'
import { ProcessCard, paymentApi } from '@passerelle/contracts/http/payment'
import { testCaller } from '@passerelle/kit/testing'
import type { System } from './system.ts'
import type { World } from './world.ts'

const card = { number: '4242424242424242', expiryMonth: '12', expiryYear: '49', cvv: '123', holderName: 'Ines Moreau' }
/** Card and passport of every visitor. */
export const SECRETS = [card.number, '19KL56147']
const CHARGE = { amount: '274.00', currency: 'EUR' }

const party = (name: string) => {
  const adult = {
    type: 'adult',
    title: 'ms',
    gender: 'female',
    firstName: name,
    lastName: 'Moreau',
    dateOfBirth: '1990-02-14',
    email: `${name.toLowerCase()}@example.org`,
    phone: '+33 1 23 45 67 89',
    passportNumber: SECRETS[1],
    passportExpiryDate: '2031-04-25',
    passportIssuingCountry: 'FR',
  }
  const { email: _, phone: __, ...child } = { ...adult, title: 'mr', gender: 'male' }
  return [
    adult,
    { ...child, type: 'child', firstName: 'Paul', dateOfBirth: '2018-05-05' },
    { ...child, type: 'infant_without_seat', firstName: 'Zoe', dateOfBirth: '2026-01-05' },
  ]
}

/** Errors after which it is not known what came of the request. */
const isUnclear = (error: unknown) =>
  error instanceof AppError &&
  ['UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'PAYMENT_UNAVAILABLE', 'PAYMENT_IN_PROGRESS'].includes(error.code)

type Input = { caller: object; idempotencyKey?: string; body?: object; params?: object }

export class Visitors {
  /** Visits that have not ended. */
  under = 0
  readonly #world: World
  readonly #system: System

  constructor(world: World, system: System) {
    this.#world = world
    this.#system = system
  }

  comeIn(): void {
    const { chance } = this.#world
    const count = chance.pick([1, 1, 2])
    const sameOffer = chance.is(0.5)
    const samePeople = chance.is(0.5)
    for (let i = 1; i <= count; i++) {
      const about = {
        offerId: `oft_${sameOffer ? 1 : i}`,
        name: samePeople ? 'Ines' : (['Ines', 'Ada'][i - 1] ?? 'Ines'),
        visitorId: `vis_${chance.is(0.5) ? 1 : i}`,
        number: i,
      }
      this.under += 1
      this.#world.after(100 + chance.next() * 4000, () => void this.#visit(about).finally(() => (this.under -= 1)))
    }
  }

  async #visit({ offerId, name, visitorId, number }: { offerId: string; name: string; visitorId: string; number: number }): Promise<void> {
    const { chance } = this.#world
    const caller = testCaller({ visitorId, sessionId: visitorId, requestId: `request-${number}` })
    const withCard = chance.is(0.3)
    const paid = withCard ? undefined : await this.#pay(offerId, caller, number)
    if (!withCard && !paid) return
    // Some pay, and leave.
    if (!withCard && chance.is(0.06)) return
    const payment = withCard ? { cardDetails: card } : { paymentId: paid }
    const body = CreateBooking.parse({ offerId, passengers: party(name), seats: [], paymentDetails: { ...CHARGE, ...payment } })
    const book = () => this.#call('booking', { body, caller, idempotencyKey: `booking-of-${number}` }, 'createBooking')
    const cancels = chance.is(0.45) ? chance.pick([1, 1, 1, 2, 4]) : 0
    for (let i = 0; i < cancels; i++) this.#cancelLater(caller, number)
    if (chance.is(0.15)) void this.#insist(book)
    await this.#insist(book)
  }

  async #pay(offerId: string, caller: object, number: number): Promise<string | undefined> {
    const body = ProcessCard.parse({ ...CHARGE, offerId, seats: [], cardDetails: card })
    const answer = (await this.#insist(() =>
      this.#call('payment', { body, caller, idempotencyKey: `payment-of-${number}` }, 'processCard'),
    )) as { paymentId?: string } | undefined
    return answer?.paymentId
  }

  #cancelLater(caller: object, number: number): void {
    const { chance } = this.#world
    this.under += 1
    const cancel = async () => {
      const attempt = (await this.#call('booking', { caller, params: { key: `booking-of-${number}` } }, 'getAttempt').catch(
        () => undefined,
      )) as { booking: { id: string } | null } | undefined
      if (attempt?.booking)
        await this.#call('booking', { caller, params: { id: attempt.booking.id } }, 'cancelBooking').catch(() => undefined)
    }
    this.#world.after(200 + chance.next() ** 2 * 45_000, () => void cancel().finally(() => (this.under -= 1)))
  }

  /** Asks again while it is unclear what came of it. */
  async #insist(ask: () => Promise<unknown>): Promise<unknown> {
    for (let tries = 1; ; tries++) {
      try {
        return await ask()
      } catch (error) {
        if (!isUnclear(error) || tries === 4) return undefined
      }
      await new Promise<void>((resolve) => this.#world.after(1000 + this.#world.chance.next() * 8000, resolve))
    }
  }

  async #call(service: 'booking' | 'payment', input: Input, name: string): Promise<unknown> {
    const about = `${name} ${input.idempotencyKey ?? ''}`
    try {
      const answer = await this.#system.call(service === 'booking' ? bookingApi : paymentApi, name, input)
      this.#world.tell(`${about} is answered ${(answer as { status?: string }).status ?? ''}`)
      return answer
    } catch (error) {
      this.#world.tell(`${about} is refused: ${error instanceof AppError ? error.code : error}`)
      throw error
    }
  }
}
