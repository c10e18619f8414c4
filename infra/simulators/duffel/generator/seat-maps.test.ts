import { describe, expect, it } from 'vitest'
import { offerId } from '../ids.ts'
import { generateOffers, legsOf } from './offers.ts'
import type { Search } from './search.ts'
import { flightKey, seatMapsOf, showsSeats, type Traveller } from './seat-maps.ts'

const nonce = 'abcdefghi'
const people: Traveller[] = [
  { id: 'pas_adult', type: 'adult' },
  { id: 'pas_child', type: 'child' },
  { id: 'pas_infant', type: 'infant_without_seat' },
]
const draftsOf = (origin: string, destination: string, cabin: Search['cabin'] = 'economy') =>
  generateOffers(1, {
    slices: [{ origin, destination, departureDate: '2027-03-04' }],
    passengers: people.map(({ type }) => type),
    cabin,
  })
const maps = (draft: ReturnType<typeof draftsOf>[number], sold = (_flight: string, _seat: string) => false) =>
  seatMapsOf(1, nonce, draft, people, sold)
const elementsOf = (map: ReturnType<typeof maps>['maps'][number]) =>
  map.cabins.flatMap((cabin) => cabin.rows.flatMap(({ sections }) => sections.flatMap(({ elements }) => elements)))
const seatsOf = (map: ReturnType<typeof maps>['maps'][number]) =>
  elementsOf(map).flatMap((element) => ('designator' in element ? [element] : []))

describe('seat maps', () => {
  it('are drawn for each flight that shows its seats, about 93 in 100', () => {
    const drafts = ['JFK', 'LIS', 'SIN', 'GRU', 'DXB', 'JNB'].flatMap((to) => draftsOf('CDG', to))
    const flights = new Map(drafts.flatMap((draft) => legsOf(draft).map(({ leg }) => [flightKey(leg.flight), leg.flight] as const)))
    const without = [...flights.values()].filter((flight) => !showsSeats(1, flight)).length / flights.size
    expect(without).toBeGreaterThan(0.03)
    expect(without).toBeLessThan(0.11)
    for (const draft of drafts.slice(0, 40)) {
      expect(maps(draft).maps).toHaveLength(legsOf(draft).filter(({ leg }) => showsSeats(1, leg.flight)).length)
    }
  })

  it('of Duffel Airways have 192 seats, 76 of them for sale at 20.00', () => {
    const draft = draftsOf('CDG', 'LIS').find((one) => one.owner === 'ZZ' && one.slices[0]!.legs.length === 1)!
    const [map] = maps(draft).maps
    const seats = seatsOf(map!)
    expect(seats).toHaveLength(192)
    const offered = seats.filter((seat) => seat.available_services.length > 0)
    expect(offered).toHaveLength(76)
    expect(new Set(offered.flatMap((seat) => seat.available_services.map((service) => service.total_amount)))).toEqual(new Set(['20.00']))
  })

  it('name each seat of a deck once, row by row, with as many sections as aisles plus one', () => {
    for (const draft of draftsOf('CDG', 'JFK')) {
      for (const map of maps(draft).maps) {
        const designators = seatsOf(map).map((seat) => seat.designator)
        expect(new Set(designators).size).toBe(designators.length)
        for (const cabin of map.cabins) for (const row of cabin.rows) expect(row.sections).toHaveLength(cabin.aisles + 1)
      }
    }
  })

  it('sell seats to people with a seat only, and none at exits to children', () => {
    const draft = draftsOf('CDG', 'JFK').find((one) => showsSeats(1, one.slices[0]!.legs[0]!.flight))!
    const services = maps(draft)
      .maps.flatMap(seatsOf)
      .flatMap((seat) => seat.available_services.map((service) => ({ seat, service })))
    expect(services.some(({ service }) => service.passenger_id === 'pas_infant')).toBe(false)
    expect(services.some(({ service }) => service.passenger_id === 'pas_child')).toBe(true)
    const exits = services.filter(({ seat }) => seat.name === 'Exit row seat')
    expect(exits.length).toBeGreaterThan(0)
    expect(new Set(exits.map(({ service }) => service.passenger_id))).toEqual(new Set(['pas_adult']))
  })

  it('ask 0 to 40 for a seat', () => {
    const amounts = draftsOf('CDG', 'JFK')
      .slice(0, 30)
      .flatMap((draft) => [...maps(draft).services.values()].map(({ amount }) => amount))
    expect(Math.min(...amounts)).toBe(0)
    expect(Math.max(...amounts)).toBe(4000)
  })

  it('offer seats in the booked cabin alone', () => {
    const draft = draftsOf('CDG', 'JFK', 'business').find((one) => one.owner === 'AF' && maps(one).maps.length > 0)!
    for (const map of maps(draft).maps) {
      const open = map.cabins.filter((cabin) =>
        cabin.rows.some(({ sections }) =>
          sections.some(({ elements }) => elements.some((one) => 'designator' in one && one.available_services.length > 0)),
        ),
      )
      expect(open.map((cabin) => cabin.cabin_class)).toEqual(['business'])
    }
  })

  it('show a seat as taken once it is sold, for every offer with the same flight', () => {
    const [one, other] = draftsOf('CDG', 'LIS').filter((draft) => draft.owner === 'ZZ' && draft.slices[0]!.legs.length === 1)
    const designator = seatsOf(maps(one!).maps[0]!).find((seat) => seat.available_services.length > 0)!.designator
    const key = flightKey(one!.slices[0]!.legs[0]!.flight)
    const sold = (flight: string, seat: string) => flight === key && seat === designator
    for (const draft of [one!, other!]) {
      const same = flightKey(draft.slices[0]!.legs[0]!.flight) === key
      expect(same).toBe(true)
      expect(seatsOf(maps(draft, sold).maps[0]!).find((seat) => seat.designator === designator)!.available_services).toEqual([])
    }
  })

  it('have services whose ids belong to one offer', () => {
    const [one, other] = draftsOf('CDG', 'LIS').filter((draft) => draft.owner === 'ZZ')
    expect(offerId(nonce, one!.index)).not.toBe(offerId(nonce, other!.index))
    const ids = new Set(maps(one!).services.keys())
    expect([...maps(other!).services.keys()].some((id) => ids.has(id))).toBe(false)
  })

  it('have exits, lavatories, galleys and, in long-haul aircraft, two aisles and more than one cabin', () => {
    const kinds = new Set(
      draftsOf('CDG', 'JFK').flatMap((draft) => maps(draft).maps.flatMap((map) => elementsOf(map).map(({ type }) => type))),
    )
    for (const kind of ['seat', 'restricted_seat_general', 'exit_row', 'lavatory', 'galley', 'bassinet', 'empty', 'closet'])
      expect(kinds).toContain(kind)
    const wide = draftsOf('CDG', 'JFK')
      .flatMap((draft) => maps(draft).maps)
      .filter((map) => map.cabins.some((cabin) => cabin.aisles === 2))
    expect(wide.length).toBeGreaterThan(0)
    for (const map of wide) expect(map.cabins.length).toBeGreaterThan(1)
  })
})
