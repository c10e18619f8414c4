import { describe, expect, it } from 'vitest'
import { distanceKm } from '../airports.ts'
import { localTime, offsetMinutes } from '../local-time.ts'
import { type CabinClass, cabinOn } from './fares.ts'
import { type Draft, generateOffers } from './offers.ts'
import type { PassengerType, Search } from './search.ts'

const slice = (route: string, departureDate: string) => {
  const [origin, destination] = route.split('-') as [string, string]
  return { origin, destination, departureDate }
}
const searchOf = (
  route: string,
  more: { back?: boolean; date?: string; passengers?: PassengerType[]; cabin?: CabinClass } = {},
): Search => {
  const { date = '2027-03-04', back = false, passengers = ['adult'], cabin = 'economy' } = more
  return {
    slices: back ? [slice(route, date), slice(route.split('-').reverse().join('-'), '2027-03-11')] : [slice(route, date)],
    passengers,
    cabin,
  }
}
const offersOf = (route: string, more: Parameters<typeof searchOf>[1] = {}, seed = 1) => generateOffers(seed, searchOf(route, more))
const direct = (drafts: Draft[]) => drafts.filter(({ slices }) => slices.every(({ legs }) => legs.length === 1))
const legsOf = (drafts: Draft[]) => drafts.flatMap((draft) => draft.slices.flatMap((one) => one.legs.map((leg) => leg.flight)))
const routes = [
  'CDG-JFK',
  'JFK-CDG',
  'LHR-SYD',
  'CDG-LIS',
  'HND-CDG',
  'AKL-SCL',
  'LAX-NRT',
  'TLS-NTE',
  'KEF-BOS',
  'DEL-YVR',
  'LHR-EDI',
  'GRU-JNB',
]

describe('generated offers', () => {
  it('are the same for the same seed and search, and others for another seed', () => {
    expect(offersOf('CDG-JFK', { back: true })).toEqual(offersOf('CDG-JFK', { back: true }))
    expect(offersOf('CDG-JFK', {}, 2).map(({ total }) => total)).not.toEqual(offersOf('CDG-JFK').map(({ total }) => total))
  })

  it('keep flights and times when more people travel', () => {
    const flights = (drafts: Draft[]) => new Set(legsOf(drafts).map((flight) => `${flight.carrier}${flight.number} ${flight.departsAt}`))
    expect(flights(offersOf('CDG-LIS', { passengers: ['adult', 'adult', 'child'] }))).toEqual(flights(offersOf('CDG-LIS')))
  })

  it('number 245 from Paris to New York and back, and 20 to 45 between small towns', () => {
    expect(offersOf('CDG-JFK', { back: true })).toHaveLength(245)
    for (const route of ['LIL-AJA', 'BTS-GDN', 'ORK-BIO']) {
      const { length } = offersOf(route)
      expect(length).toBeGreaterThanOrEqual(20)
      expect(length).toBeLessThanOrEqual(45)
    }
  })

  it('come from at least twelve airlines on a great route, with nonstop flights and connections', () => {
    const drafts = offersOf('CDG-JFK', { back: true })
    expect(new Set(drafts.map(({ owner }) => owner)).size).toBeGreaterThanOrEqual(12)
    const stops = drafts.map((draft) => Math.max(...draft.slices.map((one) => one.legs.length)))
    expect(stops).toContain(1)
    expect(stops).toContain(2)
    expect(stops.every((legs) => legs <= 3)).toBe(true)
  })

  it.each(routes)('%s: base and tax add up to the total in whole minor units', (route) => {
    for (const { base, tax, total } of offersOf(route)) {
      expect([base, tax ?? 0, total].every(Number.isSafeInteger)).toBe(true)
      expect(base + (tax ?? 0)).toBe(total)
      expect(base).toBeGreaterThan(0)
    }
  })

  it.each(routes)('%s: leaves on the asked day by the clock of the place, and times, durations and zones agree', (route) => {
    for (const draft of offersOf(route)) {
      const [first] = draft.slices[0]!.legs
      expect(localTime(first!.flight.from.time_zone, first!.flight.departsAt).slice(0, 10)).toBe('2027-03-04')
    }
    for (const flight of legsOf(offersOf(route))) {
      const zoneShift = offsetMinutes(flight.to.time_zone, flight.arrivesAt) - offsetMinutes(flight.from.time_zone, flight.departsAt)
      const wall = (zone: string, at: number) => Date.parse(`${localTime(zone, at)}Z`) / 60_000
      const onTheWall = wall(flight.to.time_zone, flight.arrivesAt) - wall(flight.from.time_zone, flight.departsAt)
      expect(onTheWall - zoneShift).toBe(flight.minutes)
      expect(flight.km).toBeCloseTo(distanceKm(flight.from, flight.to))
      if (flight.km > 300) {
        const speed = flight.km / (flight.minutes / 60)
        expect(speed).toBeGreaterThan(220)
        expect(speed).toBeLessThan(950)
      }
    }
  })

  it.each(routes)('%s: connects at the airport of arrival after 45 minutes to 6 hours', (route) => {
    for (const draft of offersOf(route)) {
      for (const { legs, minutes } of draft.slices) {
        for (const [at, { flight }] of legs.entries()) {
          const next = legs[at + 1]?.flight
          if (!next) continue
          expect(next.from).toBe(flight.to)
          const wait = (next.departsAt - flight.arrivesAt) / 60_000
          expect(wait).toBeGreaterThanOrEqual(45)
          expect(wait).toBeLessThanOrEqual(360)
        }
        const sum = (legs.at(-1)!.flight.arrivesAt - legs[0]!.flight.departsAt) / 60_000
        expect(minutes).toBe(sum)
      }
    }
  })

  it('fly overnight to the east: Tokyo and Paris are reached on the next day', () => {
    const arrivalDays = (route: string) =>
      direct(offersOf(route)).map((draft) => {
        const { flight } = draft.slices[0]!.legs[0]!
        return localTime(flight.to.time_zone, flight.arrivesAt).slice(0, 10)
      })
    expect(new Set(arrivalDays('JFK-CDG'))).toEqual(new Set(['2027-03-05']))
    expect(arrivalDays('LHR-HND')).toContain('2027-03-05')
    expect(new Set(arrivalDays('CDG-JFK'))).toEqual(new Set(['2027-03-04']))
  })

  it('cross the date line: Los Angeles to Tokyo lands a day later, Tokyo to Los Angeles before it left', () => {
    for (const draft of direct(offersOf('HND-LAX'))) {
      const { flight } = draft.slices[0]!.legs[0]!
      expect(localTime(flight.to.time_zone, flight.arrivesAt) < localTime(flight.from.time_zone, flight.departsAt)).toBe(true)
    }
  })

  it('go on existing on the days on which the clocks change', () => {
    for (const date of ['2027-03-28', '2027-10-31']) expect(offersOf('LHR-CDG', { date }).length).toBeGreaterThanOrEqual(20)
  })

  it('take the currency of the country of departure', () => {
    const currencyOf = (route: string) => new Set(offersOf(route).map(({ currency }) => currency))
    expect([...currencyOf('CDG-JFK')]).toEqual(['EUR'])
    expect([...currencyOf('HND-CTS')]).toEqual(['JPY'])
    expect([...currencyOf('LHR-EDI')]).toEqual(['GBP'])
    expect([...currencyOf('JFK-LAX')]).toEqual(['USD'])
    expect([...currencyOf('GRU-EZE')]).toEqual(['EUR'])
  })

  it('charge children about three quarters and infants a tenth of the fare', () => {
    const cheapest = (passengers: PassengerType[]) => Math.min(...offersOf('CDG-LIS', { passengers }).map(({ total }) => total))
    const [one, withChild, withInfant] = [cheapest(['adult']), cheapest(['adult', 'child']), cheapest(['adult', 'infant_without_seat'])]
    expect(withChild / one).toBeGreaterThan(1.7)
    expect(withChild / one).toBeLessThan(1.95)
    expect(withInfant / one).toBeGreaterThan(1.02)
    expect(withInfant / one).toBeLessThan(1.1)
  })

  it('cost more in better cabins, which small aircraft do not have', () => {
    const median = (cabin: CabinClass) => {
      const totals = offersOf('CDG-JFK', { cabin })
        .map(({ total }) => total)
        .sort((a, b) => a - b)
      return totals[Math.floor(totals.length / 2)]!
    }
    expect(median('premium_economy')).toBeGreaterThan(median('economy') * 1.3)
    expect(median('business')).toBeGreaterThan(median('premium_economy') * 1.3)
    const first = offersOf('CDG-JFK', { cabin: 'first' })
    const cabins = new Set(first.flatMap((draft) => draft.slices.flatMap((one) => one.legs.map((leg) => cabinOn('first', leg.flight)))))
    expect(cabins).toContain('first')
    expect(cabins).toContain('business')
  })

  it('have all four combinations of refund and change, and some airlines that do not say', () => {
    const rules = offersOf('CDG-JFK', { back: true }).map(
      ({ fare }) => `${fare.refund?.allowed ?? 'unknown'}/${fare.change?.allowed ?? 'unknown'}`,
    )
    for (const rule of ['false/false', 'false/true', 'true/false', 'true/true', 'unknown/false']) expect(rules).toContain(rule)
  })

  it('ask for passports to the United States and not within the Schengen area or a country', () => {
    const asked = (route: string) =>
      new Set(
        offersOf(route)
          .filter(({ slices }) => slices[0]!.legs.length === 1)
          .map(({ passportRequired }) => passportRequired),
      )
    expect([...asked('CDG-JFK')]).toEqual([true])
    expect([...asked('CDG-LIS')]).toEqual([false])
    expect([...asked('JFK-LAX')]).toEqual([false])
    expect([...asked('HND-CTS')]).toEqual([false])
  })

  it('cost about what flights of their length cost', () => {
    const cheapest = (route: string) => Math.min(...offersOf(route).map(({ total }) => total)) / 100
    expect(cheapest('CDG-LIS')).toBeGreaterThan(40)
    expect(cheapest('CDG-LIS')).toBeLessThan(160)
    expect(cheapest('CDG-JFK')).toBeGreaterThan(150)
    expect(cheapest('CDG-JFK')).toBeLessThan(450)
  })
})
