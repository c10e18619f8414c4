/** For tests: a simulator on a free port, Duffel's own client against it, and the steps that most tests take. */
import { Duffel, DuffelError } from '@duffel/api'
import type { CreateOrder, Offer, OfferRequest, Order, SeatMap } from '@duffel/api/types'
import { type DuffelSimulatorOptions, startDuffelSimulator } from './server.ts'

export type PassengerKind = 'adult' | 'child' | 'infant_without_seat'
export type Bench = Awaited<ReturnType<typeof startBench>>

export type Ledger = {
  searches: { at: string; route: string }[]
  counts: Record<string, number>
  orders: {
    id: string
    offer_id: string
    booking_reference: string
    total_amount: string
    metadata: Record<string, string>
    visible_at: string
    cancelled_at: string | null
    services: { type: string; designator: string | null }[]
    loyalty_programme_accounts: { airline_iata_code: string; account_number: string }[]
  }[]
  cancellations: { order_id: string; confirmed_at: string | null; refund_amount: string | null }[]
}

export const clientOf = (url: string) => new Duffel({ token: 'duffel_test_simulator', basePath: url })

export const startBench = async (options: DuffelSimulatorOptions = {}) => {
  const simulator = await startDuffelSimulator(options)
  const control = async (path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') => {
    const answer = await fetch(`${simulator.url}/_sim/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  return {
    ...simulator,
    duffel: clientOf(simulator.url),
    control,
    ledger: async () => (await control('ledger')).body as unknown as Ledger,
  }
}

/** A day some weeks ahead. */
export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

export type Wish = {
  from?: string
  to?: string
  back?: boolean
  passengers?: PassengerKind[]
  cabin?: 'economy' | 'premium_economy' | 'business' | 'first'
}

export const search = async (bench: Bench, wish: Wish = {}): Promise<OfferRequest> => {
  const { from = 'CDG', to = 'LIS', back = false, passengers = ['adult'], cabin = 'economy' } = wish
  const slice = (origin: string, destination: string, days: number) => ({ origin, destination, departure_date: inDays(days) })
  const request = {
    slices: back ? [slice(from, to, 40), slice(to, from, 47)] : [slice(from, to, 40)],
    passengers: passengers.map((type) => ({ type })) as { type: 'adult' }[],
    cabin_class: cabin,
    return_offers: true,
  }
  const { data } = await bench.duffel.offerRequests.create(request as Parameters<typeof bench.duffel.offerRequests.create>[0])
  return data
}

/** The offer of a search by its airline, or the first of all; cheapest first. */
export const pick = (found: OfferRequest, suits: (offer: Omit<Offer, 'available_services'>) => boolean = () => true) => {
  const offer = found.offers.toSorted((a, b) => Number(a.total_amount) - Number(b.total_amount)).find(suits)
  if (!offer) throw new Error('no such offer')
  return offer
}

export const isFrom =
  (airline: string) =>
  (offer: Omit<Offer, 'available_services'>): boolean =>
    offer.owner.iata_code === airline

type Flown = { slices: { segments: { marketing_carrier_flight_number?: string | null; departing_at: string }[] }[] }
const flightsOf = ({ slices }: Flown) =>
  slices.flatMap(({ segments }) => segments.map((one) => `${one.marketing_carrier_flight_number} ${one.departing_at}`)).join()

/** An offer of the same flights, which two searches find under different ids. */
export const sameFlights = (offer: Flown) => (other: Omit<Offer, 'available_services'>) =>
  flightsOf(other as Flown) === flightsOf(offer) && isFrom('ZZ')(other)

const names = ['Ines', 'Paul', 'Léa', 'Noé', 'Zoé', 'Max']
const yearsAgo = (years: number) => `${new Date().getUTCFullYear() - years}-01-15`
const bornOn: Record<PassengerKind, () => string> = {
  adult: () => yearsAgo(35),
  child: () => yearsAgo(7),
  infant_without_seat: () => yearsAgo(1),
}

/** A correct order of the offer; tests change what they are about. */
export const orderOf = (offer: Omit<Offer, 'available_services'>, more: Partial<CreateOrder> = {}): CreateOrder => {
  const infants = offer.passengers.filter((passenger) => passenger.type === 'infant_without_seat').map(({ id }) => id)
  return {
    type: 'instant',
    selected_offers: [offer.id],
    payments: [{ type: 'balance', amount: offer.total_amount, currency: offer.total_currency }],
    passengers: offer.passengers.map((passenger, at) => {
      const infant = passenger.type === 'adult' ? infants.shift() : undefined
      return {
        id: passenger.id,
        title: 'ms',
        gender: 'f',
        given_name: names[at]!,
        family_name: 'Moreau',
        born_on: bornOn[passenger.type as PassengerKind](),
        email: 'ines@example.org',
        phone_number: '+33123456789',
        ...(infant ? { infant_passenger_id: infant } : {}),
        ...(offer.passenger_identity_documents_required
          ? {
              identity_documents: [
                { type: 'passport', unique_identifier: `19KL5614${at}`, issuing_country_code: 'FR', expires_on: '2039-04-25' },
              ],
            }
          : {}),
      }
    }),
    ...more,
  }
}

export const book = async (bench: Bench, offer: Omit<Offer, 'available_services'>, more: Partial<CreateOrder> = {}): Promise<Order> =>
  (await bench.duffel.orders.create(orderOf(offer, more))).data

/** The status and the codes of the refusal that `work` ends in; fails when it is not refused. */
export const refusalOf = async (work: Promise<unknown>): Promise<{ status: number; codes: string[] }> => {
  try {
    await work
  } catch (error) {
    if (!(error instanceof DuffelError)) throw error
    const { status } = error as unknown as { status: number }
    return { status, codes: error.errors.map(({ code }) => code) }
  }
  throw new Error('it was not refused')
}

export const freeSeats = (map: SeatMap, passenger: string) =>
  map.cabins
    .flatMap((cabin) => cabin.rows.flatMap((row) => row.sections.flatMap((section) => section.elements)))
    .flatMap((element) =>
      'available_services' in element ? element.available_services.map((service) => ({ designator: element.designator, service })) : [],
    )
    .filter(({ service }) => service.passenger_id === passenger)
    .map(({ designator, service }) => ({ designator, id: service.id, amount: service.total_amount }))
