import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { describe, expect, it } from 'vitest'
import { render } from '../../../lib/render.fixture.tsx'
import { exampleFare, REASONS, SERVICES } from './content.ts'
import { Hero } from './Hero.tsx'
import { Experts, HomeReasons, PriceProof, TrustBadges } from './Sections.tsx'

describe('the home page', () => {
  it('HOME-01: shows secure, 24/7 support and best prices as trust badges', () => {
    const { html, text } = render(<TrustBadges />)
    expect(html.match(/<li/g)).toHaveLength(3)
    expect(text).toMatch(/Secure.*24\/7 support.*Best prices/)
  })

  it('HOME-02: gives six reasons', () => {
    const { html, text } = render(<HomeReasons />)
    expect(html.match(/<dt/g)).toHaveLength(6)
    for (const [claim] of REASONS) expect(text).toContain(claim)
  })

  it('HOME-03: mentions the best-price guarantee with price match', () => {
    expect(render(<PriceProof />).text).toContain('we match the price: that is our best-price guarantee')
  })

  it('speaks for the brand: its headline, and its example of a fare in its own currency', () => {
    const texts = {
      'home.title': 'The long way, made short.',
      'home.currency': 'EUR',
      'home.fareRoute': 'Paris to Marrakech',
      'home.fareAirline': 'Royal Air Maroc',
      'home.fareBase': '391',
      'home.fareTaxes': '147',
    }
    const brand = { ...defaultBrand, content: { ...defaultBrand.content, texts } }
    expect(render(<Hero />, { brand }).text).toContain('The long way, made short.')
    expect(render(<PriceProof />, { brand }).text).toMatch(/Paris to Marrakech Royal Air Maroc, .*€391.*€147.*€538.*€538/)
    expect(render(<PriceProof />).text).toMatch(/Paris to New York Air France, .*\$1,412.*\$572.*\$1,984/)
  })

  it('an example that is not whole stays the built-in one, in the brand’s currency', () => {
    const figures = { base: '€1,412', taxes: '€572', total: '€1,984' }
    expect(exampleFare({ 'home.currency': 'EUR', 'home.fareBase': '391' })).toMatchObject({ route: 'Paris to New York', ...figures })
    expect(exampleFare({ 'home.currency': 'euros', 'home.fareRoute': 'Paris to Fez', 'home.fareBase': 'cheap' }).total).toBe('$1,984')
  })

  it('HOME-04: has experts to call', () => {
    expect(render(<Experts />).linkTo('+33 1 99 00 42 19')).toBe('tel:+33199004219')
  })

  it('HOME-05: tells of four services', () => {
    const { html, text } = render(<Experts />)
    expect(html.match(/<dt/g)).toHaveLength(4)
    expect(SERVICES.map(([service]) => service)).toEqual([
      'Booking assistance',
      'Customer support',
      'Cancellation support',
      'Rewards and disputes',
    ])
    for (const [service] of SERVICES) expect(text).toContain(service)
  })

  it('HOME-06: shows an e-mail address, that it is open 24/7, and the office in Paris', () => {
    const experts = render(<Experts />)
    expect(experts.linkTo('hello@passerelle.example')).toBe('mailto:hello@passerelle.example')
    expect(experts.text).toMatch(/24\/7.*75019 Paris/)
  })

  it('HOME-07, HOME-08, HEAD-12: one button leads to the form below and one to the e-mail program, without a call', () => {
    const hero = render(<Hero />)
    expect(hero.linkTo('Search flights')).toBe('#search')
    expect(hero.linkTo('E-mail us')).toBe('mailto:hello@passerelle.example')
  })
})
