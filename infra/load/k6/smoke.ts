/** Does the system answer at all: one visitor a second searches, opens an offer and the home page, for half a minute. */
import type { Options } from 'k6/options'
import { openHome, readOffer, searchPage, verifyOffer } from './lib/calls.ts'
import { reportOf } from './lib/report.ts'
import { arrivals, SOUND, STATISTICS } from './lib/thresholds.ts'
import { popularSearch } from './lib/traffic.ts'

export const options: Options = {
  scenarios: { smoke: arrivals(1, __ENV.DURATION || '30s', 10) },
  thresholds: {
    ...SOUND,
    'http_req_duration{name:home}': ['p(95)<2000'],
    'http_req_duration{name:search}': ['p(95)<15000'],
    'http_req_duration{name:offer}': ['p(95)<5000'],
    'http_req_duration{name:verify}': ['p(95)<5000'],
  },
  summaryTrendStats: [...STATISTICS],
}

export default function visitor(): void {
  openHome()
  const [first] = searchPage(popularSearch())?.offers ?? []
  const offer = first && readOffer(first)
  if (offer) verifyOffer(offer)
}

export const handleSummary = reportOf('smoke')
