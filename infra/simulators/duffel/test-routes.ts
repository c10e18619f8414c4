/** Routes on which Duffel's own test mode behaves in a known way. The first slice of a search decides. */
import type { Itinerary } from './generator/itineraries.ts'
import type { Search } from './generator/search.ts'
import { airportOf, distanceKm } from './places.ts'

/** `CDG-JFK`: the first slice as it was asked for. */
export const routeOf = (search: Search): string => `${search.slices[0]!.origin}-${search.slices[0]!.destination}`

export const testRoutes = {
  'PVD-RAI': 'no offers',
  'JFK-EWR': 'no offer requires instant payment',
  'LHR-DXB': 'every slice has two or more segments',
  'DXB-AMS': 'one technical stop inside the segment',
  'BTS-MRU': 'no included baggage',
  'BTS-ABV': 'no additional services: no bags, no seat maps',
  'STN-LHR': 'the search times out: 504 gateway_timeout_error',
  'LGW-LHR': 'reading an offer: 422 offer_no_longer_available',
  'LHR-STN': 'the price rises by 10.00 on each read',
  'LHR-LGW': 'ordering: 502 airline_unknown, no order',
  'LGW-STN': 'ordering: 422 insufficient_balance',
  'LHR-LTN': 'airline-initiated change after booking',
  'LTN-SYD': 'cancelling refunds to airline_credits',
} as const

export type TestRoute = keyof typeof testRoutes

const stopOnTheWay = 'IST'

/** Applies what a test route says about the flights of its first slice. */
export const adjustForTestRoute = <Option>(
  route: string,
  slice: number,
  options: Option[],
  itineraryOf: (option: Option) => Itinerary,
): Option[] => {
  if (route === 'PVD-RAI') return []
  if (route === 'LHR-DXB') return options.filter((option) => itineraryOf(option).legs.length >= 2)
  if (route === 'DXB-AMS' && slice === 0) {
    const direct = options.filter((option) => itineraryOf(option).legs.length === 1)
    for (const option of direct) addTechnicalStop(itineraryOf(option))
    return direct
  }
  return options
}

/** 50 minutes on the ground where the great circle passes; the whole flight takes that much longer. */
const addTechnicalStop = (itinerary: Itinerary) => {
  const { flight } = itinerary.legs[0]!
  if (!flight.stop) {
    const airport = airportOf(stopOnTheWay)
    const share = distanceKm(flight.from, airport) / (distanceKm(flight.from, airport) + distanceKm(airport, flight.to))
    const onGround = 50
    const arrivesAt = flight.departsAt + Math.round((flight.minutes * share) / 5) * 300_000
    flight.minutes += onGround
    flight.arrivesAt += onGround * 60_000
    flight.stop = { airport, arrivesAt, departsAt: arrivesAt + onGround * 60_000 }
  }
  itinerary.minutes = flight.minutes
}
