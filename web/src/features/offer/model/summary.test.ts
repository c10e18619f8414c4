import { describe, expect, it } from 'vitest'
import { cabinNames, flightBadges, serviceDetails, sliceBadges, sliceName, technicalStopTexts } from '../../../lib/segment.ts'
import { AIR_FRANCE, KLM, OFFER, OUTBOUND, place, RETURN, segment } from './offer.fixture.ts'
import { carriersOf, routeName, stopsText, summaryText, tripName } from './summary.ts'

const [first] = OUTBOUND.segments
const oneWay = { ...OFFER, slices: [OUTBOUND] }

describe('the head', () => {
  it('DET-02: names the kind of trip, the number of flights, who travels and the cabin', () => {
    expect(summaryText(OFFER)).toBe('Round Trip, 3 flights, 2 adults and 1 child, Economy')
    expect(summaryText({ ...oneWay, passengers: [{ id: 'pas_1', type: 'adult' }] })).toBe('One Way, 1 flight, 1 adult, Economy')
    expect(tripName(OFFER)).toBe('Round Trip')
    expect(routeName(OFFER)).toBe('Paris to New York')
  })

  it('DET-02: names every cabin once, and none that is unknown', () => {
    expect(cabinNames([{ cabin_class: 'business' }, { cabin_class: 'business' }, { cabin_class: 'premium_economy' }])).toEqual([
      'Business',
      'Premium Economy',
    ])
    expect(cabinNames([{ cabin_class: null }])).toEqual([])
  })
})

describe('a card', () => {
  it('DET-03: is called Outbound, Return or by its number', () => {
    expect([0, 1, 2].map(sliceName)).toEqual(['Outbound', 'Return', 'Part 3'])
  })

  it('DET-03, DET-04: says how many stops there are and where', () => {
    expect(stopsText(OUTBOUND)).toBe('Non-stop')
    expect(stopsText(RETURN)).toBe('1 stop via Amsterdam (AMS)')
    const [a, b] = RETURN.segments as [typeof first & object, typeof first & object]
    expect(stopsText({ segments: [a, b, b] })).toMatch(/^2 stops via Amsterdam \(AMS\), /)
  })

  it('DET-03: names both airports where one changes between them', () => {
    const [a, b] = RETURN.segments as [typeof first & object, typeof first & object]
    const heathrow = { ...a, destination: place('LHR', 'London', 'Heathrow', 'GB') }
    const gatwick = { ...b, origin: place('LGW', 'London', 'Gatwick', 'GB') }
    expect(stopsText({ segments: [heathrow, gatwick] })).toBe('1 stop via London (LHR and LGW)')
  })

  it('DET-04: a technical stop is told but not counted', () => {
    const stopped = { ...first!, technical_stops: [{ airport: place('YYR', 'Goose Bay', 'Goose Bay Airport', 'CA'), duration: 'PT45M' }] }
    expect(stopsText({ segments: [stopped] })).toBe('Non-stop')
    expect(technicalStopTexts([stopped])).toEqual(['Technical stop in Goose Bay (YYR), 0h 45m'])
    expect(technicalStopTexts([{ technical_stops: [{ airport: place('YYR', null, 'Goose Bay Airport'), duration: null }] }])).toEqual([
      'Technical stop in Goose Bay Airport (YYR)',
    ])
  })

  it('DET-03: names each airline once and who flies for it', () => {
    const shared = segment('seg_1_2', AIR_FRANCE, first!, { operating_carrier: KLM })
    expect(carriersOf({ segments: [first!, shared] })).toEqual({ carriers: [{ code: 'AF', name: 'Air France' }], operators: ['KLM'] })
    const nameless = { name: null, iata_code: null, logo_url: null }
    expect(carriersOf({ segments: [segment('seg_1_1', nameless, first!)] }).carriers).toEqual([{ code: null, name: 'Airline' }])
  })

  it('DET-05: promises what the first flight of the slice has', () => {
    expect(sliceBadges(OUTBOUND).map(({ label }) => label)).toEqual(['Wi-Fi', 'Baggage Included'])
    const fed = { ...first!, services: [{ type: 'meal' as const, description: 'Meal' }] }
    expect(sliceBadges({ segments: [fed, first!] }).map(({ label }) => label)).toEqual(['Meal'])
    expect(sliceBadges(RETURN)).toEqual([])
  })
})

describe('a flight of the timeline', () => {
  it('DET-13: lists its services and what the badges leave open', () => {
    expect(flightBadges(first!).map(({ label }) => label)).toEqual(['Wi-Fi', 'Baggage'])
    expect(serviceDetails(first!)).toBe('1 checked bag per passenger.')
    expect(serviceDetails({ services: [{ type: 'wifi', description: 'Wi-Fi' }] })).toBe('')
  })
})
