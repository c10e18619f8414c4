/** Counts for tests, as the search service makes them. */
import type { Facets } from '@passerelle/contracts/http/offer-view'

const first = { id: 'off_1', price: { total: '1527.00', currency: 'USD' }, duration: 525 }

export const makeCounts = (change: Partial<Facets> = {}): Facets => ({
  total: 4,
  currency: 'USD',
  price: { min: 1527, max: 3011 },
  histogram: [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  stops: { 0: 1, 1: 2, 2: 1 },
  airlines: [
    { code: 'QF', name: 'QF', count: 1, total: 1 },
    { code: 'AF', name: 'Air France', count: 0, total: 3 },
  ],
  departureTime: { early_morning: 1, morning: 1, afternoon: 1, evening: 1 },
  arrivalTime: { early_morning: 0, morning: 2, afternoon: 1, evening: 1 },
  duration: { min: 510, max: 1210 },
  refundable: 1,
  baggageIncluded: 2,
  cheapest: first,
  fastest: first,
  best: first,
  ...change,
})
