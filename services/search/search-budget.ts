/**
 * What new searches may cost: searches of the supplier per minute and day, for its account, for a brand, and for one network, which can
 * use up neither. All replicas share the counts. Only a search that nobody has in a cache and nobody is asking for already costs anything.
 */
import { AppError } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import type { KeyedHash } from '@passerelle/kit/keyed-hash'
import type { Metrics } from '@passerelle/kit/metrics'
import { type SharedCounts, secondsLeft, type Window } from '@passerelle/kit/shared-counts'
import type { LookToBook } from './look-to-book.ts'
import type { SearchRate } from './search-rate.ts'

/** For whom a search is made. `network`: where it comes from, see networkOf. */
export type Searcher = { mode: Mode; brand: string; network: string }

type Limits = { perMinute: number; perDay: number }

export type SearchBudget = {
  /** The supplier is about to be asked. Throws RATE_LIMITED when the network has used up its share, SEARCH_LIMITED when a budget is spent. */
  take(searcher: Searcher): void
  /** It was not asked after all. */
  returnTokens(searcher: Searcher): void
  /** It is asked for a booking: that is counted, and never refused. */
  note(mode: Mode): void
  /** Searches are to be saved: lists are not renewed before somebody needs it. */
  isTight(mode: Mode): boolean
  /** Sets the gauges. */
  measure(): void
}

type SearchBudgetTools = {
  account: Limits
  brand: Limits
  /** A network's part of the account's day, 0 to 1. */
  networkShare: number
  rate: SearchRate
  lookToBook: Pick<LookToBook, 'slowdown'>
  counts: SharedCounts
  /** Networks are addresses of people: only their hashes are in keys. */
  hash: KeyedHash
  metrics: Pick<Metrics, 'searchRefused' | 'searchBudgetUsed'>
}

const MINUTE = 60
const DAY = 24 * 60 * 60
/** The budget of a day may come back bit by bit, by a setting or another replica's count. */
const LONGEST_RETRY = 3600
const MODES: readonly Mode[] = ['test', 'live']

type Line = { reason: string; max: number; window: Window }

export function createSearchBudget(tools: SearchBudgetTools): SearchBudget {
  const { account, brand, networkShare, rate, lookToBook, counts, hash, metrics } = tools

  const accountLines = (mode: Mode): Line[] => [
    {
      reason: 'account-minute',
      max: slowed(account.perMinute, lookToBook.slowdown(mode)),
      window: counts.windowOf(`budget:${mode}:minute`, MINUTE),
    },
    { reason: 'account-day', max: account.perDay, window: counts.windowOf(`budget:${mode}:day`, DAY) },
  ]
  const lines = ({ mode, brand: key, network }: Searcher): Line[] => [
    {
      reason: 'network-day',
      max: Math.max(1, Math.floor(account.perDay * networkShare)),
      window: counts.windowOf(`budget:${mode}:network:${hash('network', network).slice(0, 22)}:day`, DAY),
    },
    {
      reason: 'brand-minute',
      max: slowed(brand.perMinute, lookToBook.slowdown(mode)),
      window: counts.windowOf(`budget:${mode}:brand:${key}:minute`, MINUTE),
    },
    { reason: 'brand-day', max: brand.perDay, window: counts.windowOf(`budget:${mode}:brand:${key}:day`, DAY) },
    ...accountLines(mode),
  ]
  const refused = (mode: Mode, reason: string) => metrics.searchRefused.inc({ account: mode, reason })

  return {
    take(searcher) {
      const { mode, network } = searcher
      const cost = lookToBook.slowdown(mode)
      try {
        rate.takeTokens(network, cost)
      } catch (error) {
        refused(mode, 'network-rate')
        throw error
      }
      const all = lines(searcher)
      const spent = all.find(({ max, window }) => window.own + window.others >= max)
      if (spent) {
        rate.returnTokens(network, cost)
        refused(mode, spent.reason)
        const retryAfter = Math.min(LONGEST_RETRY, secondsLeft(spent.window))
        throw new AppError(spent.reason === 'network-day' ? 'RATE_LIMITED' : 'SEARCH_LIMITED', { retryAfter })
      }
      for (const { max, window } of all) counts.add(window, max)
    },
    returnTokens(searcher) {
      rate.returnTokens(searcher.network, lookToBook.slowdown(searcher.mode))
      for (const { window } of lines(searcher)) counts.subtract(window)
    },
    note(mode) {
      for (const { max, window } of accountLines(mode)) counts.add(window, max)
    },
    isTight: (mode) => lookToBook.slowdown(mode) > 1 || accountLines(mode).some(({ max, window }) => used(window) >= max * TIGHT_FROM),
    measure() {
      for (const mode of MODES)
        for (const { reason, max, window } of accountLines(mode))
          metrics.searchBudgetUsed.set({ account: mode, window: reason.replace('account-', '') }, used(window) / max)
    },
  }
}

/** From this part of the account's budget on, searches are saved. */
const TIGHT_FROM = 0.8
const used = ({ own, others }: Window) => own + others
const slowed = (max: number, by: number) => Math.max(1, Math.floor(max / by))
