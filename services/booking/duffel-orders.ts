/** A whole order of the supplier as it writes it, for a booking that is made again from it. */
import { CabinClass, PassengerType } from '@passerelle/contracts/http/common'
import type { FareCondition, Slice } from '@passerelle/contracts/http/offer'
import { isAmount } from '@passerelle/contracts/rules/money'
import { z } from 'zod'
import type { SoldOrder } from './domain/rebuilt.ts'
import { carrierOf, maybe, placeOf, RawCarrier, RawPlace, RawSegment, segmentOf } from './duffel-segments.ts'

/** The order lacks something without which nobody can travel on it; the message names where. */
export class UnreadableOrder extends Error {}

const Amount = z.string().refine(isAmount)
const RawCondition = z.object({ allowed: z.boolean(), penalty_amount: Amount.nullish(), penalty_currency: maybe }).nullish()
const RawPassenger = z.object({
  id: z.string(),
  type: PassengerType,
  title: z.string(),
  gender: z.enum(['m', 'f']),
  given_name: z.string(),
  family_name: z.string(),
  born_on: z.iso.date(),
  email: z.string(),
  phone_number: z.string(),
  loyalty_programme_accounts: z.array(z.object({ airline_iata_code: z.string(), account_number: z.string() })).nullish(),
})
const RawOrderSegment = RawSegment.extend({
  id: z.string(),
  aircraft: z.object({ name: maybe }).nullish(),
  passengers: z.array(z.object({ cabin_class: maybe })).nullish(),
})
const RawOrderSlice = z.object({
  origin: RawPlace,
  destination: RawPlace,
  duration: maybe,
  fare_brand_name: maybe,
  segments: z.array(RawOrderSegment).min(1),
})
const RawService = z.object({
  type: z.string(),
  total_amount: Amount,
  passenger_ids: z.array(z.string()).nullish(),
  segment_ids: z.array(z.string()).nullish(),
  metadata: z.object({ designator: maybe }).nullish(),
})
const RawOrder = z.object({
  id: z.string(),
  offer_id: maybe,
  booking_reference: maybe,
  available_actions: z.array(z.string()).nullish(),
  cancelled_at: maybe,
  created_at: z.iso.datetime({ offset: true }),
  total_amount: Amount,
  total_currency: z.string().length(3),
  owner: RawCarrier,
  conditions: z.object({ refund_before_departure: RawCondition, change_before_departure: RawCondition }).nullish(),
  passengers: z.array(RawPassenger).min(1),
  slices: z.array(RawOrderSlice).min(1),
  services: z.array(RawService).nullish(),
  documents: z.array(z.object({ type: maybe, unique_identifier: maybe, passenger_ids: z.array(z.string()).nullish() })).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
})
type Raw = z.output<typeof RawOrder>

/** @throws UnreadableOrder */
export function toSoldOrder(raw: unknown): SoldOrder {
  const read = RawOrder.safeParse(raw)
  if (!read.success) throw new UnreadableOrder(`no usable ${read.error.issues.map(({ path }) => path.join('.')).join(', ')}`)
  const order = read.data
  const named: Record<string, string | undefined> = order.metadata ?? {}
  const { slices, segments } = slicesOf(order)
  return {
    id: order.id,
    offerId: order.offer_id ?? '',
    airlineReference: order.booking_reference ?? null,
    cancellable: order.available_actions?.includes('cancel') ?? false,
    cancelled: Boolean(order.cancelled_at),
    createdAt: new Date(order.created_at),
    total: { amount: order.total_amount, currency: order.total_currency },
    named: {
      bookingId: named.booking_id ?? null,
      reference: named.reference ?? null,
      paymentId: named.payment_id ?? null,
      brand: named.brand ?? null,
    },
    owner: carrierOf(order.owner),
    conditions: conditionsOf(order),
    slices,
    segments,
    passengers: order.passengers.map(passengerOf),
    seats: (order.services ?? []).flatMap(({ type, total_amount: amount, passenger_ids, segment_ids, metadata }) =>
      type === 'seat' && metadata?.designator
        ? [{ designator: metadata.designator, amount, passenger: passenger_ids?.[0] ?? '', segment: segment_ids?.[0] ?? '' }]
        : [],
    ),
    tickets: (order.documents ?? []).flatMap(({ type, unique_identifier: number, passenger_ids }) =>
      type === 'electronic_ticket' && number ? [{ number, passengers: passenger_ids ?? [] }] : [],
    ),
  }
}

function passengerOf({
  id,
  given_name,
  family_name,
  born_on,
  phone_number,
  loyalty_programme_accounts,
  ...same
}: z.output<typeof RawPassenger>) {
  const [account] = loyalty_programme_accounts ?? []
  return {
    ...same,
    supplierId: id,
    firstName: given_name,
    lastName: family_name,
    bornOn: born_on,
    phone: phone_number,
    frequentFlyer: account ? { airline: account.airline_iata_code, number: account.account_number } : null,
  }
}

function conditionsOf({ conditions }: Raw): SoldOrder['conditions'] {
  const refund = conditionOf(conditions?.refund_before_departure)
  const change = conditionOf(conditions?.change_before_departure)
  return { refundable: refund?.allowed === true, changeable: change?.allowed === true, refund, change }
}

function conditionOf(raw: z.output<typeof RawCondition>): FareCondition | null {
  if (!raw) return null
  const { allowed, penalty_amount: amount, penalty_currency: currency } = raw
  return { allowed, penalty: allowed && amount && currency ? { amount, currency } : null }
}

/** Our ids tell the place, as in offers: `sli_1`, `seg_1_2`. */
function slicesOf(order: Raw): Pick<SoldOrder, 'slices' | 'segments'> {
  const segments: SoldOrder['segments'] = []
  const slices = order.slices.map((raw, at): Slice => {
    const flights = raw.segments.map((segment, place) => {
      const id = `seg_${at + 1}_${place + 1}`
      segments.push({ id, supplierId: segment.id })
      return flightOf(segment, id)
    })
    return {
      id: `sli_${at + 1}`,
      origin: placeOf(raw.origin),
      destination: placeOf(raw.destination),
      duration: raw.duration ?? null,
      departure_time: flights[0]?.departing_at ?? '',
      arrival_time: flights.at(-1)?.arriving_at ?? '',
      fare_brand_name: raw.fare_brand_name ?? null,
      segments: flights,
    }
  })
  return { slices, segments }
}

function flightOf(raw: z.output<typeof RawOrderSegment>, id: string): Slice['segments'][number] {
  const told = segmentOf(raw)
  const marketing = carrierOf(raw.marketing_carrier)
  return {
    ...told,
    id,
    duration: told.duration ?? null,
    origin_terminal: told.origin_terminal ?? null,
    destination_terminal: told.destination_terminal ?? null,
    aircraft: raw.aircraft?.name ? { name: raw.aircraft.name } : null,
    airline: { ...marketing, icao_code: null, id: null },
    marketing_carrier: marketing,
    operating_carrier: carrierOf(raw.operating_carrier ?? raw.marketing_carrier),
    services: [],
    cabin_class: CabinClass.safeParse(raw.passengers?.[0]?.cabin_class).data ?? null,
    technical_stops: [],
  }
}
