import { AppError } from '@passerelle/contracts/error'
import { isNarrowed, type OfferView } from '@passerelle/contracts/http/offer-view'
import { searchApi } from '@passerelle/contracts/http/search'
import { networkOf } from '@passerelle/contracts/rules/network'
import { hasPassedEverywhere, type SearchCriteria, searchKey } from '@passerelle/contracts/rules/search'
import type { Caller } from '@passerelle/kit/auth'
import { type HttpContext, mount, Reply } from '@passerelle/kit/http'
import { now, nowMs } from '@passerelle/kit/runtime'
import type { Calendar } from './calendar.ts'
import { freshnessOf, type PageRequest } from './domain/result-set.ts'
import { invalidOffer } from './domain/verification.ts'
import type { Offers } from './offers.ts'
import type { SearchCounts } from './search-counts.ts'
import type { Found, SearchResults } from './search-results.ts'

export type RouteTools = { results: SearchResults; calendar: Calendar; offers: Offers; counts: SearchCounts; http: HttpContext }

const FIRST_PAGE: PageRequest = { page: 1, limit: 30 }
/** Seconds that an answer may be kept on the way: while it is fresh, and while a newer one is being fetched. */
const KEEP_FRESH = 30
const KEEP_STALE = 2

export function searchRoutes({ results, calendar, offers, counts, http }: RouteTools): ReturnType<typeof mount> {
  const search = async (
    criteria: SearchCriteria,
    page: PageRequest,
    wishes: OfferView,
    caller: Caller,
    cacheControl: string | undefined,
  ) => {
    if (hasPassedEverywhere(criteria.departureDate, now())) throw pastDate()
    if (page.page === 1 && !isNarrowed(wishes)) counts.visitor(caller.mode, searchKey(criteria))
    const found = await results.find(criteria, visitorOf(caller), /\bno-cache\b/.test(cacheControl ?? ''))
    return { found, content: results.page(found, page, wishes, caller.markupPercent) }
  }

  const headers = ({ set, source }: Found) => ({
    'x-cache': source,
    age: String(Math.max(0, Math.floor((nowMs() - set.createdAt) / 1000))),
  })

  return mount(
    searchApi,
    {
      async search({ query, caller, header }) {
        const { found, content } = await search(query, query, query, caller, header('cache-control'))
        return new Reply(content, { headers: { ...headers(found), 'cache-control': keepFor(found, nowMs()) } })
      },
      async startSearch({ body, caller, header }) {
        const { found, content } = await search(body, FIRST_PAGE, {}, caller, header('cache-control'))
        return new Reply(content, { headers: headers(found) })
      },
      calendar: ({ query, caller }) => calendar.prices(query, caller),
      getOffer: ({ params, caller }) => offers.open(params.id, visitorOf(caller)),
      getSeatMaps: async ({ params, caller }) => ({ data: await offers.seatMaps(params.id, visitorOf(caller)) }),
      async verifyOffer({ params, caller }) {
        try {
          return await offers.verify(params.id, visitorOf(caller))
        } catch (error) {
          if (!(error instanceof AppError) || (error.code !== 'OFFER_EXPIRED' && error.code !== 'OFFER_NOT_FOUND')) throw error
          const expiresAt = typeof error.details?.expiresAt === 'string' ? error.details.expiresAt : null
          return new Reply({ json: JSON.stringify(invalidOffer(error, params.id, caller.requestId, expiresAt)) }, { status: error.status })
        }
      },
      async countSearches({ body: { searches }, caller }) {
        for (const { key, visitors } of searches) counts.visitor(caller.mode, key, visitors)
        return {}
      },
      quote: ({ params, body, caller }) => offers.quote(params.id, body.seats, caller),
      requote: ({ params, body, caller }) => offers.requote(params.id, body.seats, caller),
      async orderPlaced({ caller }) {
        await counts.order(caller.mode)
        return {}
      },
      async offerGone({ params, caller }) {
        await offers.markGone(params.id, caller)
        return {}
      },
    },
    http,
  )
}

const visitorOf = ({ mode, brand, markupPercent, ip }: Caller) => ({ mode, brand, markupPercent, network: networkOf(ip) })

function pastDate(): AppError {
  const message = 'Departure date cannot be in the past'
  return new AppError('VALIDATION_ERROR', { message, issues: [{ path: 'departureDate', message }] })
}

/** Never longer than this service would show the list itself. */
function keepFor({ set }: Found, now: number): string {
  const isFresh = freshnessOf(set, now) === 'fresh'
  const left = Math.floor(((isFresh ? set.freshUntil : set.staleUntil) - now) / 1000)
  return left > 0 ? `public, max-age=${Math.min(isFresh ? KEEP_FRESH : KEEP_STALE, left)}` : 'no-store'
}
