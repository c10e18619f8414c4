/** From search to ticket: of a hundred searches ten open an offer and one books. */
import type { Options } from 'k6/options'
import { book, readOffer, searchPage } from './lib/calls.ts'
import { reportOf } from './lib/report.ts'
import { arrivals, SOUND, STATISTICS } from './lib/thresholds.ts'
import { popularSearch } from './lib/traffic.ts'

export const options: Options = {
  scenarios: { funnel: arrivals(Number(__ENV.RATE || 50), __ENV.DURATION || '3m', 10) },
  thresholds: {
    ...SOUND,
    'http_req_duration{name:search}': ['p(95)<2000'],
    'http_req_duration{name:offer}': ['p(95)<2000'],
    'http_req_duration{name:book}': ['p(95)<15000'],
  },
  summaryTrendStats: [...STATISTICS],
}

export default function visitor(): void {
  const offers = searchPage(popularSearch())?.offers ?? []
  const listed = offers[Math.floor(Math.random() * offers.length)]
  if (!listed || Math.random() >= 0.1) return
  const offer = readOffer(listed)
  if (offer && Math.random() < 0.1) book(offer)
}

export const handleSummary = reportOf('funnel')
