/** Half an hour at a rate that the system carries with ease: memory and handles are read from its metrics meanwhile. */
import type { Options } from 'k6/options'
import { book, readOffer, searchPage } from './lib/calls.ts'
import { reportOf } from './lib/report.ts'
import { arrivals, SOUND, STATISTICS } from './lib/thresholds.ts'
import { popularSearch } from './lib/traffic.ts'

export const options: Options = {
  scenarios: { soak: arrivals(Number(__ENV.RATE || 100), __ENV.DURATION || '30m', 5) },
  thresholds: {
    ...SOUND,
    'http_req_duration{name:search}': ['p(95)<500'],
    'http_req_duration{name:offer}': ['p(95)<2000'],
    'http_req_duration{name:book}': ['p(95)<15000'],
  },
  summaryTrendStats: [...STATISTICS],
}

export default function visitor(): void {
  const [listed] = searchPage(popularSearch())?.offers ?? []
  if (!listed || Math.random() >= 0.02) return
  const offer = readOffer(listed)
  if (offer && Math.random() < 0.1) book(offer)
}

export const handleSummary = reportOf('soak')
