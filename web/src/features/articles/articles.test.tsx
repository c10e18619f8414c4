import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { describe, expect, it } from 'vitest'
import { factsOf } from '../../brand/facts.ts'
import { render } from '../../lib/render.fixture.tsx'
import { ArticlePage } from './ArticlePage.tsx'
import type { Article } from './article.ts'
import { about } from './content/about.ts'
import { accessibility } from './content/accessibility.ts'
import { cancellation } from './content/cancellation.ts'
import { cookies } from './content/cookies.ts'
import { privacy } from './content/privacy.ts'
import { terms } from './content/terms.ts'

const ARTICLES: readonly (readonly [string, Article])[] = [
  ['privacy', privacy],
  ['terms', terms],
  ['cookies', cookies],
  ['cancellation', cancellation],
  ['about', about],
  ['accessibility', accessibility],
]
const atlas = {
  ...defaultBrand,
  name: 'Atlas Voyages',
  contact: { email: 'a@atlas.example', phone: '+33 1 23', address: '4 rue de Crimée, 75019 Paris' },
}
const page = (article: Article, brand = defaultBrand) => render(<ArticlePage name="terms" article={article} />, { brand })

describe.each(ARTICLES)('the article %s', (_, article) => {
  it('STAT-01: shows when it was last updated', () => {
    expect(page(article).text).toContain('Last updated: January 29, 2025')
  })

  it('STAT-02: holds the company, its address in Paris and the data protection officer', () => {
    const { text, linkTo } = page(article)
    expect(text).toContain('Passerelle')
    expect(text).toContain('75019 Paris')
    expect(text).toContain('Our data protection officer answers at')
    expect(linkTo('hello@passerelle.example')).toBe('mailto:hello@passerelle.example')
    expect(linkTo('+33 1 99 00 42 19')).toBe('tel:+33199004219')
  })

  it('STAT-03: leads to terms, privacy and contact by their addresses', () => {
    const { html } = page(article)
    const leadsTo = [...html.matchAll(/href="(\/[^"#?]*)"/g)].map(([, path]) => path)
    if (article !== terms) expect(leadsTo).toContain('/terms')
    if (article !== privacy) expect(leadsTo).toContain('/privacy')
    expect(leadsTo).toContain('/contact')
  })

  it('R-77: tells of the brand that is shown, and leaves no fact open', () => {
    const { text } = page(article, atlas)
    expect(text).toContain('Atlas Voyages')
    expect(text).toContain('4 rue de Crimée')
    expect(text).not.toContain('Passerelle')
    const known = new Set(Object.keys(factsOf(atlas)))
    const named = JSON.stringify(article).match(/\{\w+\}/g) ?? []
    expect(named.filter((name) => !known.has(name.slice(1, -1)))).toEqual([])
  })

  it('lists its sections, each at an address of its own', () => {
    const { html } = page(article)
    const ids = article.sections.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) {
      expect(html).toContain(`<h2 id="${id}"`)
      expect(html).toMatch(new RegExp(`href="[^"]*#${id}"`))
    }
  })
})

describe('what the articles state', () => {
  it('the privacy policy and the terms lead to where data is exported and the account deleted', () => {
    for (const article of [privacy, terms]) expect(page(article).linkTo('account settings')).toBe('/account-settings?tab=profile')
  })

  it('STAT-04: the cancellation policy states its four figures', () => {
    const { text } = page(cancellation)
    expect(text).toContain('Most fares can be cancelled free of charge within 24 hours of booking')
    expect(text).toContain('Requests are processed within 24-48 hours')
    expect(text).toContain('Refunds take 7-30 business days')
    expect(text).toContain('Service fees are non-refundable')
  })

  it('STAT-05: data is kept about 7 years, and a passport valid for 6 months is advised', () => {
    expect(page(privacy).text).toContain('Booking data is kept for about 7 years')
    expect(page(terms).text).toContain('a passport valid for 6 months after the trip is advised')
  })

  it('R-77: a brand’s own figure takes the place of the built-in one', () => {
    const brand = { ...defaultBrand, content: { ...defaultBrand.content, texts: { refundTime: '5 business days' } } }
    const { text } = page(cancellation, brand)
    expect(text).toContain('Refunds take 5 business days')
    expect(text).not.toContain('7-30')
  })

  it('R-77: a brand’s own section is shown as plain text, paragraph by paragraph', () => {
    const own = 'First <b>words</b>.\n\n[Second](https://elsewhere.example).'
    const { html, text } = page(terms, { ...defaultBrand, content: { ...defaultBrand.content, texts: { 'terms.price': own } } })
    expect(html).toContain('<p>First &lt;b&gt;words&lt;/b&gt;.</p><p>[Second](https://elsewhere.example).</p>')
    expect(html).not.toContain('href="https://elsewhere.example"')
    expect(text).not.toContain('Best-price guarantee')
    expect(text).toContain('How a booking comes about')
  })
})
