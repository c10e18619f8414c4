import { describe, expect, it } from 'vitest'
import published from '../../../packages/contracts/rules/airports.json' with { type: 'json' }
import { airportOf, airports, airportsOf, distanceKm, findPlace, suggestPlaces } from './places.ts'

describe('places', () => {
  it('are the airports that the product knows, each once', () => {
    expect(airports.map(({ id, iata_code, name }) => ({ id, iata_code, name }))).toEqual(
      published.map(({ id, iata_code, name }) => ({ id, iata_code, name })),
    )
    expect(new Set(airports.map(({ iata_code }) => iata_code)).size).toBe(airports.length)
    expect(airports.length).toBeGreaterThan(290)
  })

  it('have a time zone that the platform knows', () => {
    for (const { time_zone } of airports) expect(() => new Intl.DateTimeFormat('en', { timeZone: time_zone })).not.toThrow()
  })

  it('lie where they should: distances are those of the great circle', () => {
    expect(distanceKm(airportOf('CDG'), airportOf('JFK'))).toBeCloseTo(5834, -2)
    expect(distanceKm(airportOf('LHR'), airportOf('SYD'))).toBeCloseTo(17_020, -2)
    expect(distanceKm(airportOf('BRU'), airportOf('AMS'))).toBeLessThan(180)
  })

  it('a city code stands for all airports of the city', () => {
    expect(airportsOf(findPlace('PAR')!).map(({ iata_code }) => iata_code)).toEqual(['BVA', 'CDG', 'ORY'])
    expect(findPlace('NYC')).toMatchObject({ type: 'city', name: 'New York' })
    expect(findPlace('XXX')).toBeUndefined()
  })

  it('suggestions find codes, cities and names without accents', () => {
    expect(suggestPlaces('cdg')[0]).toMatchObject({ iata_code: 'CDG', country_name: 'France' })
    expect(suggestPlaces('sao paulo').map(({ iata_code }) => iata_code)).toContain('GRU')
    expect(suggestPlaces('heathrow').map(({ iata_code }) => iata_code)).toEqual(['LHR'])
    expect(suggestPlaces('nowhere at all')).toEqual([])
  })
})
