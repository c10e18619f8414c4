/**
 * The daily load at a constant rate of requests: of a hundred, 50 search by popularity, 20 open the home page, 20 read the mode, 8 open an
 * offer and 2 ask whether it is still there. WARM seconds of searches fill the caches before the thresholds count.
 */
import type { Options } from 'k6/options'
import { type Offer, openHome, readMode, readOffer, searchPage, verifyOffer } from './lib/calls.ts'
import { reportOf } from './lib/report.ts'
import { arrivals, FAST, rising, SOUND, STATISTICS } from './lib/thresholds.ts'
import { popularSearch } from './lib/traffic.ts'

const rate = Number(__ENV.RATE || 300)
const warm = Number(__ENV.WARM || 120)

const NAMED = Object.fromEntries(['home', 'mode', 'verify'].map((name) => [`http_req_duration{name:${name}}`, ['p(95)<1000']]))

export const options: Options = {
  scenarios: {
    ...(warm > 0 && { warming: { ...rising(4, Math.ceil(rate / 5), `${warm}s`), exec: 'warmUp' } }),
    steady: { ...arrivals(rate, __ENV.DURATION || '5m'), startTime: `${warm}s` },
  },
  thresholds: {
    ...SOUND,
    ...FAST,
    ...NAMED,
    'http_req_duration{name:warming}': ['max<60000'],
    'search_cache_hits{scenario:steady}': ['rate>0.8'],
  },
  summaryTrendStats: [...STATISTICS],
}

/** Offers that this visitor has seen last; an offer lives longer than a search in the cache. */
let seen: readonly Offer[] = []

export default function visitor(): void {
  const dice = Math.random()
  const offer = seen[Math.floor(Math.random() * seen.length)]
  if (dice < 0.2) openHome()
  else if (dice < 0.4) readMode()
  else if (dice < 0.48 && offer) readOffer(offer)
  else if (dice < 0.5 && offer) verifyOffer(offer)
  else seen = searchPage(popularSearch())?.offers.slice(0, 5) ?? seen
}

export function warmUp(): void {
  searchPage(popularSearch(), 1, 30, 'warming')
}

export const handleSummary = reportOf('steady')
