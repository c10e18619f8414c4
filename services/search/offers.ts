/** One offer: opened, verified, its seats, its price for a charge, and finding its flights again when somebody else has booked it. */
import { AppError } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import type { FlightOffer, OfferVerification, Quote, SeatChoice, SeatMap } from '@passerelle/contracts/http/search'
import { hasPassedEverywhere, searchKey } from '@passerelle/contracts/rules/search'
import type { Log } from '@passerelle/kit/log'
import { withDeadline } from '@passerelle/kit/resilience'
import { LRUCache } from 'lru-cache'
import { criteriaOf, searchBehind } from './domain/criteria.ts'
import { hasExpired, type KnownOffer, pricedOffer } from './domain/known-offer.ts'
import { normaliseOffers } from './domain/normalise.ts'
import { readOfferId } from './domain/offer-id.ts'
import { quoteOf, resolveSeats } from './domain/quote.ts'
import { findSameFlights } from './domain/same-flights.ts'
import { seatMapsOf } from './domain/seat-map.ts'
import type { SupplierSeatMap } from './domain/supplier.ts'
import { validOffer } from './domain/verification.ts'
import { SpentOfferError, type Supplier } from './duffel.ts'
import type { Reading, Readings } from './readings.ts'
import type { SearchCounts } from './search-counts.ts'
import type { OpenedOffer, Store } from './store.ts'

/** How old an answer may be: an opened offer a little, a verification hardly, a quote not at all. */
const OPENED_MS = 30_000
const VERIFIED_MS = 5000
const SEATS_MS = 15_000
/** While the supplier is away an offer is shown as it was read this long ago at most. */
const SNAPSHOT_MS = 5 * 60_000
const STORE_MS = 1000

/** For whom an offer is read. */
export type Viewer = { mode: Mode; markupPercent: number }

export type Offers = {
  /** All of these throw OFFER_NOT_FOUND, OFFER_EXPIRED (also for an offer of the other mode) and OFFER_FAILED. */
  open(id: string, viewer: Viewer): Promise<FlightOffer>
  verify(id: string, viewer: Viewer): Promise<OfferVerification>
  seatMaps(id: string, viewer: Viewer): Promise<SeatMap[]>
  quote(id: string, seats: readonly SeatChoice[], viewer: Viewer): Promise<Quote>
  /** A quote on a supplier offer of its own that nobody else was shown. OFFER_EXPIRED when the flights are not sold any more. */
  requote(id: string, seats: readonly SeatChoice[], viewer: Viewer): Promise<Quote>
}

export type OfferTools = {
  suppliers(mode: Mode): Supplier
  readings: Readings
  store: Pick<Store, 'findOpened' | 'keepShown'>
  counts: SearchCounts
  log: Log
  clock(): number
}

export function createOffers({ suppliers, readings, store, counts, log, clock }: OfferTools): Offers {
  const seatMapsRead = new LRUCache<string, SupplierSeatMap[]>({
    max: 50,
    ttl: SEATS_MS,
    fetchMethod: (key) => {
      const [mode = 'test', supplierId = ''] = key.split(':')
      return suppliers(mode as Mode).seatMaps(supplierId)
    },
  })

  const now = () => new Date(clock())

  const alive = ({ known, readAt }: Reading): Reading => {
    if (hasExpired(known.offer, now())) throw new AppError('OFFER_EXPIRED', { details: { expiresAt: known.offer.expires_at } })
    return { known, readAt }
  }

  /** The database may be away: then nobody has opened anything. */
  const opened = (id: string): Promise<OpenedOffer | null> =>
    withDeadline('reading an opened offer', STORE_MS, store.findOpened(id)).catch((err) => {
      log.warn({ err }, 'opened offers cannot be read')
      return null
    })

  /** Same flights, same conditions, on a supplier offer of a new search. */
  const shopAgain = async (mode: Mode, wanted: KnownOffer): Promise<KnownOffer> => {
    const search = searchBehind(wanted.offer)
    const [first] = search?.slices ?? []
    if (!search || !first || hasPassedEverywhere(first.departure_date, now())) throw new AppError('OFFER_EXPIRED')
    counts.supplier(mode, searchKey(criteriaOf(search)))
    const found = normaliseOffers(await suppliers(mode).search(search), mode)
    const same = findSameFlights(wanted.offer, found.offers)
    if (!same) throw new AppError('OFFER_EXPIRED')
    return same
  }

  const original = async (id: string, mode: Mode, supplierId: string): Promise<KnownOffer> =>
    (await opened(id))?.known ?? (await readings.recent(mode, supplierId, 'bare', OPENED_MS)).known

  const price = async (id: string, supplierId: string, seats: readonly SeatChoice[], { mode, markupPercent }: Viewer): Promise<Quote> => {
    const [before, reading, maps] = await Promise.all([
      opened(id),
      readings.fresh(mode, supplierId),
      seats.length > 0 ? suppliers(mode).seatMaps(supplierId) : [],
    ])
    const { known } = alive(reading)
    const quote = quoteOf({ known, seats: resolveSeats(known, maps, seats), markupPercent, publicId: id, shown: before?.shown ?? null })
    const asShown: KnownOffer = { ...known, offer: { ...known.offer, id } }
    store.keepShown(asShown, new Date(reading.readAt)).catch((err) => log.warn({ err }, 'a shown price could not be kept'))
    return quote
  }

  const requote: Offers['requote'] = async (id, seats, viewer) => {
    const { mode, supplierId } = resolve(id, viewer)
    const same = await shopAgain(mode, await original(id, mode, supplierId))
    return price(id, same.supplier.offerId, seats, viewer)
  }

  return {
    async open(id, viewer) {
      const { mode, supplierId } = resolve(id, viewer)
      const reading = await readings.recent(mode, supplierId, 'full', OPENED_MS).catch(async (error) => {
        if (!(error instanceof AppError && error.code === 'OFFER_FAILED')) throw error
        const snapshot = await opened(id)
        if (!snapshot || clock() - snapshot.readAt.getTime() > SNAPSHOT_MS) throw error
        return { known: snapshot.known, readAt: snapshot.readAt.getTime() }
      })
      return pricedOffer(alive(reading).known.offer, viewer.markupPercent)
    },

    async verify(id, viewer) {
      const { mode, supplierId } = resolve(id, viewer)
      const { known } = alive(await readings.recent(mode, supplierId, 'bare', VERIFIED_MS))
      return validOffer(known.offer, now())
    },

    async seatMaps(id, viewer) {
      const { mode, supplierId } = resolve(id, viewer)
      const [reading, maps] = await Promise.all([
        readings.recent(mode, supplierId, 'bare', OPENED_MS).catch(asSeatMapsFailure),
        seatMapsRead.fetch(`${mode}:${supplierId}`),
      ])
      return seatMapsOf(alive(reading).known, maps ?? [], viewer.markupPercent)
    },

    async quote(id, seats, viewer) {
      const { supplierId } = resolve(id, viewer)
      try {
        return await price(id, supplierId, seats, viewer)
      } catch (error) {
        if (error instanceof SpentOfferError) return requote(id, seats, viewer)
        throw error
      }
    },

    requote,
  }
}

function asSeatMapsFailure(error: unknown): never {
  throw error instanceof AppError && error.code === 'OFFER_FAILED' ? new AppError('SEAT_MAPS_FAILED', { cause: error }) : error
}

/** @throws AppError OFFER_NOT_FOUND for what was never an id, OFFER_EXPIRED for an offer of the other mode. */
function resolve(id: string, viewer: Viewer): { mode: Mode; supplierId: string } {
  const reference = readOfferId(id)
  if (!reference) throw new AppError('OFFER_NOT_FOUND')
  if (reference.mode !== viewer.mode) throw new AppError('OFFER_EXPIRED')
  return reference
}
