import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { describe, expect, it } from 'vitest'
import { PartnerScreen } from '../../app/PartnerScreen.tsx'
import { SCREENS } from '../../app/screens.ts'
import { render } from '../../lib/render.fixture.tsx'
import { ConsentBanner } from './ConsentBanner.tsx'

const withContent = (content: Partial<typeof defaultBrand.content>) => ({
  ...defaultBrand,
  content: { ...defaultBrand.content, ...content },
})
const page = render(<PartnerScreen />)

describe('the partner page', () => {
  it('PART-01: its hero shows the phone number as a link', () => {
    expect(page.html.slice(0, page.html.indexOf('<form'))).toContain('href="tel:+33199004219"')
  })

  it('PART-02, R-77: tells the wait time, in the brand’s own words if it has some, unless the brand switched it off', () => {
    expect(page.text).toContain('Current Wait Time: Less than 30 seconds')
    const own = render(<PartnerScreen />, { brand: withContent({ texts: { waitTime: 'About 5 minutes' } }) })
    expect(own.text).toContain('Current Wait Time: About 5 minutes')
    expect(render(<PartnerScreen />, { brand: withContent({ waitTime: false }) }).text).not.toContain('Wait Time')
  })

  it('PART-03: has the search widget', () => {
    expect(page.html).toMatch(/<form[^>]*aria-label="Search flights"/)
  })

  it('PART-04: names the airlines', () => {
    for (const airline of ['Delta', 'United', 'American', 'Southwest', 'Air Canada', 'JetBlue'])
      expect(page.html).toContain(`<b>${airline}</b>`)
  })

  it('PART-05: gives six reasons', () => {
    expect(page.text).toContain('Why Fly With Us')
    expect(page.html.match(/<dt/g)).toHaveLength(6)
  })

  it('PART-06, R-77: tells three promotions, unless the brand switched them off', () => {
    for (const promotion of ['Summer, 25% off', 'Business class upgrade', 'Weekend flash sale']) expect(page.text).toContain(promotion)
    const without = render(<PartnerScreen />, { brand: withContent({ promotions: false }) }).text
    expect(without).not.toContain('25% off')
    expect(without).toContain('Airlines we book')
  })

  it('PART-07: has a contact block with the postal address', () => {
    expect(page.text).toContain('Passerelle, Quai de la Loire, 75019 Paris')
  })

  it('PART-09, R-78: a brand can switch it off', () => {
    const enabled = SCREENS.find(({ path }) => path === '/expedia')?.enabled
    expect(enabled?.(defaultBrand)).toBe(true)
    expect(enabled?.(withContent({ partnerPage: false }))).toBe(false)
  })
})

describe('the question about advertising', () => {
  it('STAT-06, R-102: is not asked while the brand has no conversion id', () => {
    expect(page.text).not.toContain('May we count this call?')
  })

  it('STAT-06, R-102: is asked before anything is loaded when it has one, and refusing weighs as much as agreeing', () => {
    expect(render(<PartnerScreen />, { brand: withContent({ conversionId: 'AW-1/x' }) }).text).toContain('May we count this call?')
    const { html } = render(<ConsentBanner onAnswer={() => undefined} />)
    const buttons = [...html.matchAll(/<button[^>]*class="([^"]*)"[^>]*>([^<]*)</g)]
    expect(buttons.map(([, , label]) => label)).toEqual(['Refuse', 'Agree'])
    expect(new Set(buttons.map(([, look]) => look)).size).toBe(1)
  })
})
