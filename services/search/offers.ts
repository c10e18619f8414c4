/** One offer: opened, verified, its seats, its price for a charge, and finding its flights again when somebody else has booked it. */
import { AppError, type ErrorCode } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import type { FlightOffer, OfferVerification, Quote, SeatChoice, SeatMap } from '@passerelle/contracts/http/search'
import { hasPassedEverywhere, searchKey } from '@passerelle/contracts/rules/search'
import { Clients, ShareExceededError } from '@passerelle/kit/fair-bulkhead'
import type { Log } from '@passerelle/kit/log'
import { type Budget, budget, DeadlineError, withDeadline } from '@passerelle/kit/resilience'
import { now, nowMs } from '@passerelle/kit/runtime'
import { LRUCache } from 'lru-cache'
import { criteriaOf, searchBehind } from './domain/criteria.ts'
import { hasExpired, type KnownOffer, pricedOffer } from './domain/known-offer.ts'
import { normaliseOffers } from './domain/normalise.ts'
import { readOfferId } from './domain/offer-id.ts'
import { quoteOf, resolveSeats } from './domain/quote.ts'
import { findSameFlights } from './domain/same-flights.ts'
import { seatMapsOf, unknownElements } from './domain/seat-map.ts'
import type { SupplierSeatMap } from './domain/supplier.ts'
import { validOffer } from './domain/verification.ts'
import { LEAST_SEARCH_MS, SpentOfferError, type Supplier } from './duffel.ts'
import type { GoneOffers } from './gone-offers.ts'
import type { CachedOffer, OfferCache } from './offer-cache.ts'
import type { SearchCounts } from './search-counts.ts'
import type { OpenedOffer, Store } from './store.ts'

/** How old an answer may be: an opened offer a little, a verification hardly, a quote not at all. */
const OPENED_MS = 30_000
const VERIFIED_MS = 5000
const SEATS_MS = 15_000
/** While the supplier is away an offer is shown as it was read this long ago at most. */
const SNAPSHOT_MS = 5 * 60_000
const STORE_MS = 1000

/** Kept back from a new search for reading the offer that it finds. */
const PRICING_MS = 2000

/** For whom an offer is read. */
type Viewer = { mode: Mode; markupPercent: number }
/** One who is waiting for it; `network`: where they come from, see networkOf. */
export type Visitor = Viewer & { network: string }

export type Offers = {
  /** All of these throw OFFER_NOT_FOUND, OFFER_EXPIRED (also for an offer of the other mode) and OFFER_FAILED. */
  open(id: string, visitor: Visitor): Promise<FlightOffer>
  verify(id: string, visitor: Visitor): Promise<OfferVerification>
  seatMaps(id: string, visitor: Visitor): Promise<SeatMap[]>
  quote(id: string, seats: readonly SeatChoice[], viewer: Viewer): Promise<Quote>
  /** A quote on a supplier offer of its own that nobody else was shown. OFFER_EXPIRED when the flights are not sold any more. */
  requote(id: string, seats: readonly SeatChoice[], viewer: Viewer): Promise<Quote>
  /** The supplier said elsewhere that it does not sell this offer any more. */
  markGone(id: string, viewer: Viewer): Promise<void>
}

type OfferTools = {
  suppliers(mode: Mode): Supplier
  offerCache: OfferCache
  gone: GoneOffers
  /** Whether a list that visitors see holds the offer. */
  isListed(id: string): boolean
  store: Pick<Store, 'findOpened' | 'keepShown'>
  counts: Pick<SearchCounts, 'supplier'>
  log: Log
  /** Milliseconds for the whole of a quote, and of one on a supplier offer of its own. */
  quoteMs: number
  requoteMs: number
}

type Reference = { mode: Mode; supplierId: string }

export function createOffers(tools: OfferTools): Offers {
  const { suppliers, offerCache, gone, isListed, store, counts, log } = tools

  const seatMapsRead = new LRUCache<string, SupplierSeatMap[], Clients>({
    max: 50,
    ttl: SEATS_MS,
    fetchMethod: (key, _, { context }) => {
      const [mode = 'test', supplierId = ''] = key.split(':')
      return suppliers(mode as Mode).seatMaps(supplierId, { clients: context })
    },
  })

  const readSeatMaps = async ({ mode, supplierId }: Reference, network: string): Promise<SupplierSeatMap[]> => {
    const read = async () => (await seatMapsRead.fetch(`${mode}:${supplierId}`, { context: new Clients(network) })) ?? []
    return read().catch((error) => {
      // The client that started the read was over its share; others read again.
      if (error instanceof ShareExceededError && error.client !== network) return read()
      throw error
    })
  }

  const notExpired = ({ known, readAt }: CachedOffer): CachedOffer => {
    if (hasExpired(known.offer, now())) throw new AppError('OFFER_EXPIRED', { details: { expiresAt: known.offer.expires_at } })
    return { known, readAt }
  }

  /** The database may be away: then nobody has opened anything. */
  const openedOffer = (id: string): Promise<OpenedOffer | null> =>
    withDeadline('reading an opened offer', STORE_MS, store.findOpened(id)).catch((err) => {
      log.warn({ err }, 'opened offers cannot be read')
      return null
    })

  /** Only an offer that was shown is remembered as gone, so made-up ids use no memory. */
  const wasShown = async (id: string) => isListed(id) || (await openedOffer(id)) !== null

  /** Marks the offer as gone when the supplier says so, so that lists leave it out. */
  const markingGone = async <T>(id: string, viewer: Viewer, work: (reference: Reference) => Promise<T>): Promise<T> => {
    const reference = resolve(id, viewer)
    try {
      return await work(reference)
    } catch (error) {
      const code = error instanceof AppError ? error.code : null
      if (code === 'OFFER_EXPIRED' || (code === 'OFFER_NOT_FOUND' && (await wasShown(id)))) await gone.add(id)
      throw error
    }
  }

  /** Same flights, same conditions, on a supplier offer of a new search. */
  const shopAgain = async (mode: Mode, wanted: KnownOffer, time: Budget): Promise<KnownOffer> => {
    const search = searchBehind(wanted.offer)
    const [first] = search?.slices ?? []
    if (!search || !first || hasPassedEverywhere(first.departure_date, now())) throw new AppError('OFFER_EXPIRED')
    const raw = await time.step(() => {
      counts.supplier(mode, searchKey(criteriaOf(search)))
      return suppliers(mode).search(search, { withinMs: time.leftMs() - PRICING_MS, signal: time.signal })
    }, LEAST_SEARCH_MS + PRICING_MS)
    const same = findSameFlights(wanted.offer, normaliseOffers(raw, mode).offers)
    if (!same) throw new AppError('OFFER_EXPIRED')
    return same
  }

  const original = async (id: string, { mode, supplierId }: Reference, time: Budget): Promise<KnownOffer> => {
    const snapshot = await openedOffer(id)
    if (snapshot) return snapshot.known
    const cached = await offerCache.cached({ mode, supplierId, extent: 'bare', maxAgeMs: OPENED_MS })
    return (cached ?? (await time.step(() => offerCache.fresh(mode, supplierId, { signal: time.signal })))).known
  }

  const price = async (
    id: string,
    { mode, supplierId }: Reference,
    seats: readonly SeatChoice[],
    { markupPercent }: Viewer,
    time: Budget,
  ): Promise<Quote> => {
    const call = { signal: time.signal }
    const [before, reading, maps] = await time.step(() =>
      Promise.all([
        openedOffer(id),
        offerCache.fresh(mode, supplierId, call),
        seats.length > 0 ? suppliers(mode).seatMaps(supplierId, call) : [],
      ]),
    )
    const { known } = notExpired(reading)
    const quote = quoteOf({ known, seats: resolveSeats(known, maps, seats), markupPercent, publicId: id, shown: before?.shown ?? null })
    const asShown: KnownOffer = { ...known, offer: { ...known.offer, id } }
    store.keepShown(asShown, new Date(reading.readAt)).catch((err) => log.warn({ err }, 'a shown price could not be kept'))
    return quote
  }

  const priceAgain = async (id: string, reference: Reference, seats: readonly SeatChoice[], viewer: Viewer, time: Budget) => {
    const same = await shopAgain(reference.mode, await original(id, reference, time), time)
    return price(id, { mode: reference.mode, supplierId: same.supplier.offerId }, seats, viewer, time)
  }

  return {
    open: (id, visitor) =>
      markingGone(id, visitor, async ({ mode, supplierId }) => {
        const request = { mode, supplierId, extent: 'full', maxAgeMs: OPENED_MS } as const
        const reading = await offerCache.recent(request, visitor.network).catch(async (error) => {
          if (!(error instanceof AppError && error.code === 'OFFER_FAILED')) throw error
          const snapshot = await openedOffer(id)
          if (!snapshot || nowMs() - snapshot.readAt.getTime() > SNAPSHOT_MS) throw error
          if (((await gone.ask(id)) ?? Number.NEGATIVE_INFINITY) >= snapshot.readAt.getTime()) throw new AppError('OFFER_EXPIRED')
          return { known: snapshot.known, readAt: snapshot.readAt.getTime() }
        })
        return pricedOffer(notExpired(reading).known.offer, visitor.markupPercent)
      }),

    verify: (id, visitor) =>
      markingGone(id, visitor, async ({ mode, supplierId }) => {
        const request = { mode, supplierId, extent: 'bare', maxAgeMs: VERIFIED_MS } as const
        const { known } = notExpired(await offerCache.recent(request, visitor.network))
        return validOffer(known.offer, now())
      }),

    seatMaps: (id, visitor) =>
      markingGone(id, visitor, async ({ mode, supplierId }) => {
        const request = { mode, supplierId, extent: 'bare', maxAgeMs: OPENED_MS } as const
        const [reading, maps] = await Promise.all([
          offerCache.recent(request, visitor.network).catch(asSeatMapsFailure),
          readSeatMaps({ mode, supplierId }, visitor.network),
        ])
        const unknown = unknownElements(maps)
        if (unknown > 0) log.warn({ unknown, offerId: id }, 'a seat map has elements of unknown types')
        return seatMapsOf(notExpired(reading).known, maps, visitor.markupPercent)
      }),

    quote: (id, seats, viewer) =>
      markingGone(id, viewer, async (reference) => {
        const time = budget('a quote', tools.quoteMs)
        try {
          return await price(id, reference, seats, viewer, time)
        } catch (error) {
          if (!(error instanceof SpentOfferError)) throw error
          return await priceAgain(id, reference, seats, viewer, time)
        }
      }).catch(asFailure('OFFER_FAILED')),

    requote: (id, seats, viewer) =>
      markingGone(id, viewer, (reference) => priceAgain(id, reference, seats, viewer, budget('a new quote', tools.requoteMs))).catch(
        asFailure('OFFER_FAILED'),
      ),

    async markGone(id, viewer) {
      resolve(id, viewer)
      await gone.add(id)
    },
  }
}

/** A missed deadline becomes `code`. */
function asFailure(code: ErrorCode): (error: unknown) => never {
  return (error) => {
    throw error instanceof DeadlineError ? new AppError(code, { cause: error, retryAfter: 2 }) : error
  }
}

function asSeatMapsFailure(error: unknown): never {
  throw error instanceof AppError && error.code === 'OFFER_FAILED' ? new AppError('SEAT_MAPS_FAILED', { cause: error }) : error
}

/** @throws AppError OFFER_NOT_FOUND for what was never an id, OFFER_EXPIRED for an offer of the other mode. */
function resolve(id: string, viewer: Viewer): Reference {
  const reference = readOfferId(id)
  if (!reference) throw new AppError('OFFER_NOT_FOUND')
  if (reference.mode !== viewer.mode) throw new AppError('OFFER_EXPIRED')
  return reference
}
