import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { cardHosts, contentPolicy, type Guests, inlineSources } from './content-policy.ts'

const sourceOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`
const inline = { scripts: ["'sha256-script'"], styles: ["'sha256-style'"] }
const policy = (imageHosts: string[], more: Partial<Guests> = {}) =>
  Object.fromEntries(
    contentPolicy(inline, { imageHosts, ...more })
      .split('; ')
      .map((line) => [line.split(' ')[0], line.split(' ').slice(1)]),
  )

describe('the content policy', () => {
  test('lets scripts and styles come from here or be named by their hash, and nothing else be inline', () => {
    expect(policy([])).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'self'", "'sha256-script'"],
      'style-src': ["'self'", sourceOf(''), "'sha256-style'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      'connect-src': ["'self'"],
      'frame-src': ["'self'"],
      'form-action': ["'self'"],
      'manifest-src': ["'self'"],
      'base-uri': ["'none'"],
      'object-src': ["'none'"],
      'frame-ancestors': ["'none'"],
    })
    expect(contentPolicy(inline, { imageHosts: [] })).not.toContain('unsafe')
  })

  test('R-79: lets the advertiser’s tag in only for a brand that has one', () => {
    expect(contentPolicy(inline, { imageHosts: [] })).not.toContain('google')
    const withTag = contentPolicy(inline, { imageHosts: [], conversionTag: true })
    expect(withTag).toContain("script-src 'self' 'sha256-script' https://www.googletagmanager.com")
    expect(withTag).toContain("connect-src 'self' https://www.googletagmanager.com")
    expect(withTag).toContain("frame-src 'self' https://www.googletagmanager.com")
    expect(withTag).not.toContain('unsafe')
  })

  test('R-22: lets the card provider in on the page of its fields alone, in live mode alone, as far as the provider documents', () => {
    const live = policy([], { conversionTag: true, cardPage: { hosts: cardHosts(null) } })
    const stripe = ['https://js.stripe.com', 'https://*.js.stripe.com']
    expect(live).toMatchObject({
      'script-src': ["'self'", "'sha256-script'", ...stripe],
      'connect-src': ["'self'", 'https://api.stripe.com'],
      'frame-src': [...stripe, 'https://hooks.stripe.com'],
      'frame-ancestors': ["'self'"],
    })
    const outside = policy([], { conversionTag: true, cardPage: { hosts: null } })
    expect(outside['script-src']).toEqual(["'self'", "'sha256-script'"])
    expect(outside).not.toHaveProperty('frame-src')
    expect(contentPolicy(inline, { imageHosts: [], conversionTag: true })).not.toContain('stripe')
  })

  test('R-22: a script from another address comes with that origin and no other', () => {
    const { 'script-src': scripts, 'frame-src': frames } = policy([], {
      cardPage: { hosts: cardHosts('http://127.0.0.1:8192/endive/stripe.js') },
    })
    expect([scripts?.at(-1), frames]).toEqual(['http://127.0.0.1:8192', ['http://127.0.0.1:8192']])
  })

  test('adds the origin of a logo to the pictures alone', () => {
    expect(policy(['https://cdn.example.org'])['img-src']).toEqual(["'self'", 'data:', 'https://cdn.example.org'])
    expect(policy(['https://cdn.example.org'])['script-src']).toEqual(["'self'", "'sha256-script'"])
  })
})

describe('what a page of ours has inline', () => {
  test('are its scripts and styles with a text, and those that it is told', () => {
    const page =
      '<style>a{}</style><style id="x"></style><script>one()</script><script src="/a.js"></script><script type="application/json">1</script>'
    expect(inlineSources(page, ['b{}'])).toEqual({ scripts: [sourceOf('one()')], styles: [sourceOf('a{}'), sourceOf('b{}')] })
  })
})
