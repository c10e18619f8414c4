import { expect, test } from 'vitest'
import { airportByCode, airportLabel, airports, cities, searchAirports } from './airports.ts'

const codes = (query: string) => searchAirports(query).map((airport) => airport.iata_code)

test('AIR-10, R-86: about 300 airports are known, each once', () => {
  expect(airports.length).toBeGreaterThanOrEqual(290)
  expect(airports.length).toBeLessThanOrEqual(340)
  expect(new Set(airports.map((airport) => airport.iata_code)).size).toBe(airports.length)
})

test('AIR-11: an airport has id, code, name, city and country', () => {
  for (const airport of airports) {
    expect(airport.iata_code).toMatch(/^[A-Z]{3}$/)
    expect(airport.country_code).toMatch(/^[A-Z]{2}$/)
    expect(airport.id && airport.name && airport.city_name).toBeTruthy()
  }
})

test('AIR-01: fewer than 2 characters find nothing', () => {
  expect(codes('p')).toEqual([])
  expect(codes(' p ')).toEqual([])
})

test('AIR-06: at most 15 are suggested', () => expect(codes('in')).toHaveLength(15))

test('AIR-07: every word must match, city or name by substring, code or country exactly', () => {
  expect(codes('london gatwick')).toEqual(['LGW'])
  expect(codes('paris de gaulle')).toEqual(['CDG'])
  expect(codes('paris zz')).toEqual([])
  expect(codes('jfk')).toContain('JFK')
})

test('AIR-08: an exact code comes before prefixes, prefixes before substrings', () => {
  expect(codes('lis')[0]).toBe('LIS')
  const list = [
    { id: '1', iata_code: 'AAA', name: 'North Field', city_name: 'Newport', country_code: 'US' },
    { id: '2', iata_code: 'BBB', name: 'Port Field', city_name: 'Zed', country_code: 'US' },
    { id: '3', iata_code: 'CCC', name: 'X', city_name: 'Port', country_code: 'US' },
    { id: '4', iata_code: 'DDD', name: 'Airport', city_name: 'Abe', country_code: 'US' },
  ]
  expect(searchAirports('port', list).map((airport) => airport.id)).toEqual(['3', '2', '4', '1'])
})

test('AIR-15: matching ignores case and accents', () => expect(codes('zurich')).toEqual(codes('ZÜRICH')))

test('AIR-05: the label is the city and the code, or the name without a city', () => {
  expect(airportLabel(searchAirports('CDG')[0]!)).toBe('Paris (CDG)')
  expect(airportLabel({ id: 'x', iata_code: 'XXX', name: 'Some Field', city_name: '', country_code: 'FR' })).toBe('Some Field (XXX)')
})

test('a city with several airports is a place of its own: it comes first, then its main airport', () => {
  expect(codes('paris')).toEqual(['PAR', 'CDG', 'BVA', 'ORY'])
  expect(codes('lond').slice(0, 2)).toEqual(['LON', 'LHR'])
  expect(codes('new york').slice(0, 2)).toEqual(['NYC', 'JFK'])
  expect(codes('de gaulle')).toEqual(['CDG'])
  expect(airportLabel(airportByCode('par')!)).toBe('Paris (PAR)')
  expect(airportByCode('TYO')).toMatchObject({ name: 'All airports', city_name: 'Tokyo', country_code: 'JP' })
})

test('no city takes the code of an airport, and none has one airport only', () => {
  const known = new Set(airports.map(({ iata_code }) => iata_code))
  expect(cities.length).toBeGreaterThanOrEqual(12)
  expect(cities.filter(({ iata_code }) => known.has(iata_code))).toEqual([])
  expect(codes('bangkok')[0]).toBe('BKK')
})
