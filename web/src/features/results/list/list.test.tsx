import { describe, expect, it } from 'vitest'
import { render } from '../../../lib/render.fixture.tsx'
import { makeOffer, makeSegment, makeSlice } from '../model/offer.fixture.ts'
import { factsOf, type OfferFacts } from '../model/offer-facts.ts'
import { readSearch } from '../model/search-address.ts'
import { LoadingList } from './LoadingList.tsx'
import { OfferCard } from './OfferCard.tsx'
import { Offers } from './OfferList.tsx'

const search = readSearch(new URLSearchParams('origin=CDG&destination=JFK&departureDate=2026-12-10&returnDate=2026-12-17'))!
const factsOfOffer = (wishes: Parameters<typeof makeOffer>[0] = {}): OfferFacts => factsOf(makeOffer(wishes))!
const card = (facts: OfferFacts) =>
  render(<OfferCard facts={facts} address={`/flight/${facts.offer.id}`} travellers="1 traveller" distinction={null} />)

describe('an offer card', () => {
  it('CARD-01: shows the name of the airline, or "Airline" when there is none', () => {
    expect(card(factsOfOffer({ owner: 'AF' })).text).toContain('Airline AF')
    const nameless = factsOfOffer()
    const { html } = card({ ...nameless, offer: { ...nameless.offer, owner: { name: null, iata_code: null, logo_url: null } } })
    expect(html).toMatch(/<h3[^>]*>Airline<\/h3>/)
  })

  it('CARD-04: has a Refundable badge for refundable fares alone', () => {
    expect(card(factsOfOffer({ refundable: true })).text).toContain('Refundable')
    expect(card(factsOfOffer()).text).not.toContain('Refundable')
  })

  it('CARD-05, CARD-11: shows the outbound leg with times, codes, city, duration and stops', () => {
    const { text } = card(factsOfOffer({ slices: [makeSlice([makeSegment(), makeSegment()], 'PT11H')] }))
    expect(text).toMatch(/Outbound Thu, Dec 10 13:35 CDG Paris 11h.* 1 Stop\(s\).* 16:05 JFK New York/)
  })

  it('CARD-06: shows the return leg when there is one', () => {
    const back = makeSlice([makeSegment({ from: 'JFK', to: 'CDG', departs: '2026-12-17T19:00:00', arrives: '2026-12-18T08:30:00' })])
    expect(card(factsOfOffer({ slices: [makeSlice([makeSegment()]), back] })).text).toMatch(/Return Thu, Dec 17 19:00 JFK/)
    expect(card(factsOfOffer()).text).not.toContain('Return')
  })
})

describe('the list', () => {
  it('FILT-15, R-89: says when filters leave nothing, with a way to clear them', () => {
    const { text } = render(<Offers list={[]} search={search} counts={undefined} updating={false} onClear={() => undefined} />)
    expect(text).toMatch(/No flights match your filters.*Clear Filters/)
    expect(text).not.toContain('No Flights Found')
  })

  it('RES-18: shows at most three earlier offers, out of reach, and the room of others while it loads', () => {
    const earlier = ['a', 'b', 'c', 'd'].map((id) => factsOfOffer({ id }))
    const { html } = render(<LoadingList search={search} earlier={earlier} />)
    expect(html.match(/<li inert=""/g)).toHaveLength(3)
    expect(html.match(/<li>/g)?.length).toBeGreaterThanOrEqual(1)
    expect(render(<LoadingList search={search} earlier={[]} />).html).not.toContain('inert')
  })
})
