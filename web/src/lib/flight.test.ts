import type { Place, Segment } from '@passerelle/contracts/http/search'
import { describe, expect, it } from 'vitest'
import { bridgeParts, cardStops, detailStops, flightNumber, layovers, operatedBy, placeLabel } from './flight.ts'

const place = (iata_code: string, city_name: string): Place => ({
  iata_code,
  city_name,
  name: `${city_name} Airport`,
  country_code: 'FR',
  time_zone: 'Europe/Paris',
})
const carrier = (iata_code: string, name: string) => ({ iata_code, name, logo_url: null })

function segment(from: Place, to: Place, departing_at: string, arriving_at: string, duration: string): Segment {
  return {
    id: `${from.iata_code}${to.iata_code}`,
    origin: from,
    destination: to,
    departing_at,
    arriving_at,
    duration,
    origin_terminal: null,
    destination_terminal: null,
    flight_number: '642',
    aircraft: null,
    airline: { ...carrier('KL', 'KLM'), icao_code: null, id: null },
    marketing_carrier: carrier('KL', 'KLM'),
    operating_carrier: carrier('KL', 'KLM'),
    services: [],
    cabin_class: 'economy',
    technical_stops: [],
  }
}

const [jfk, ams, cdg, ory] = [place('JFK', 'New York'), place('AMS', 'Amsterdam'), place('CDG', 'Paris'), place('ORY', 'Paris')]
const first = segment(jfk, ams, '2026-12-17T18:25:00', '2026-12-18T07:40:00', 'PT7H15M')
const second = segment(ams, cdg, '2026-12-18T09:15:00', '2026-12-18T10:35:00', 'PT1H20M')

describe('layovers', () => {
  it('measures the wait on the clock of the city, over midnight too', () => {
    expect(layovers({ segments: [first, second] })).toMatchObject([{ minutes: 95, changesAirport: false, at: { iata_code: 'AMS' } }])
    const late = segment(ams, cdg, '2026-12-19T00:10:00', '2026-12-19T01:30:00', 'PT1H20M')
    expect(layovers({ segments: [first, late] })[0]?.minutes).toBe(16 * 60 + 30)
  })

  it('says when the next flight leaves from another airport', () => {
    const arriving = segment(jfk, cdg, '2026-12-17T18:25:00', '2026-12-18T07:40:00', 'PT7H15M')
    const leaving = segment(ory, ams, '2026-12-18T12:00:00', '2026-12-18T13:20:00', 'PT1H20M')
    expect(layovers({ segments: [arriving, leaving] })[0]?.changesAirport).toBe(true)
  })

  it('draws flown and waiting time to scale', () => {
    expect(bridgeParts({ segments: [first, second] })).toEqual([
      { minutes: 435, wait: false },
      { minutes: 95, wait: true },
      { minutes: 80, wait: false },
    ])
  })
})

describe('stops', () => {
  it.each([
    [1, 'Direct'],
    [2, '1 Stop(s)'],
    [3, '2 Stop(s)'],
  ])('CARD-10: %i segments read %s on a card', (segments, text) => {
    expect(cardStops(segments)).toBe(text)
  })

  it.each([
    [1, 'Non-stop'],
    [2, '1 stop'],
    [3, '2 stops'],
    [4, '3 stops'],
  ])('GEN-24, DET-04: %i segments read %s on the detail screen', (segments, text) => {
    expect(detailStops(segments)).toBe(text)
  })
})

describe('names', () => {
  it('CARD-09: a place without city shows its name, without anything N/A', () => {
    expect(placeLabel(cdg)).toBe('Paris (CDG)')
    expect(placeLabel({ city_name: null, name: 'Charles de Gaulle', iata_code: 'CDG' })).toBe('Charles de Gaulle (CDG)')
    expect(placeLabel({ city_name: null, name: null, iata_code: null })).toBe('N/A')
  })

  it('writes a flight number after its carrier', () => {
    expect(flightNumber(first)).toBe('KL 642')
  })

  it('names who flies for somebody else, once', () => {
    const shared = { ...first, marketing_carrier: carrier('AF', 'Air France') }
    expect(operatedBy([shared, { ...second, marketing_carrier: carrier('AF', 'Air France') }, second])).toEqual(['KLM'])
  })
})
