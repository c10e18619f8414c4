/** Values of a brand as an attacker with access to the database would store them: none reaches a page, its styles, its policy or a mail as more than text. */
import { readBrand } from '@passerelle/contracts/rules/brand-values'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { letter } from '@passerelle/contracts/rules/letter'
import { expect, test } from 'vitest'
import { contentPolicy, inlineSources } from './content-policy.ts'
import { page } from './gateway.fixture.ts'
import { fillPage } from './page.ts'

const scripts = [
  '</script><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '<!--<script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "';alert(1);//",
  '</title><script>alert(1)</script>',
  '{{constructor.constructor("alert(1)")()}}',
  '\u2028alert(1)',
  "$&$`$'</script>",
  '<base href=//evil.example>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
]
const styles = [
  '#fff;}body{display:none',
  '#fff}</style><style>*{background:url(//evil.example)}',
  'expression(alert(1))',
  'url(javascript:alert(1))',
  'red;background:url(//evil.example/x)',
  '#fff\\3b}',
  '/**/#fff',
  'var(--evil)',
  '@import url(//evil.example)',
]
const addresses = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'vbscript:x',
  '//evil.example/x.svg',
  'https://a;script-src',
  "https://a;script-src'unsafe-inline'",
  'https://a,https://b',
  'https://user:secret@evil.example',
  'https://',
  'https://[::1',
  '\\\\evil.example',
  '/\t/evil.example',
  'blob:https://evil.example/1',
  'file:///etc/passwd',
]
const others: unknown[] = [null, 7, [], {}, { toString: 'x' }, true]
const values = [...scripts, ...styles, ...addresses, ...others]

type Place = (value: unknown) => object
const places: Record<string, Place> = {
  name: (name) => ({ name }),
  logo: (logo) => ({ logo }),
  'theme.primary': (primary) => ({ theme: { ...defaultBrand.theme, primary } }),
  'theme.text': (text) => ({ theme: { ...defaultBrand.theme, text } }),
  'theme.font': (font) => ({ theme: { ...defaultBrand.theme, font } }),
  'contact.email': (email) => ({ contact: { ...defaultBrand.contact, email } }),
  'social.facebook': (facebook) => ({ social: { ...defaultBrand.social, facebook } }),
  'content.conversionId': (conversionId) => ({ content: { ...defaultBrand.content, conversionId } }),
  'content.texts': (text) => ({ content: { ...defaultBrand.content, texts: { 'home.title': text } } }),
}
const cases = Object.entries(places).flatMap(([place, put]) =>
  values.map((value) => ({ place, value, stored: { ...defaultBrand, ...put(value) } })),
)

const scriptsIn = (html: string) => html.match(/<(script|style|svg|img|base|meta|iframe)\b/gi) ?? []
const expectedScripts = scriptsIn(fillPage(page, { brand: defaultBrand, page: null, signedOut: true }))
const originOf = (logo: string) => (/^https?:/.test(logo) ? [new URL(logo).origin] : [])

/** What is stored reaches a page and a mail as values and text. */
function expectHarmless(stored: object): void {
  const { brand } = readBrand(stored, 'hostile.example')
  const html = fillPage(page, { brand, page: null, signedOut: true })
  expect(scriptsIn(html)).toEqual(expectedScripts)
  const style = /<style id="brand-css"[^>]*>([^<]*)<\/style>/.exec(html)?.[1] ?? ''
  expect(style).toMatch(/^:root\{[^{}]*\}$/)
  expect(style).not.toMatch(/url\(|@import|expression|javascript/i)
  expect(brand.logo === '' || /^(https?:\/\/[a-z0-9.-]+|\/(?!\/))/i.test(brand.logo)).toBe(true)
  const policy = contentPolicy(inlineSources(page), { imageHosts: originOf(brand.logo) })
  expect(policy.split(';').map((part) => part.trim().split(' ')[0])).toEqual(
    contentPolicy(inlineSources(page), { imageHosts: [] })
      .split(';')
      .map((part) => part.trim().split(' ')[0]),
  )
  const data = /<script[^>]*id="brand"[^>]*>([^<]*)<\/script>/.exec(html)?.[1] ?? ''
  expect(JSON.parse(data)).toEqual(brand)

  const { html: mail } = letter(brand.name, brand, [brand.name, brand.contact.address, brand.contact.phone])
  expect(mail.match(/<(\w+)/g)?.filter((tag) => tag !== '<a')).toEqual(['<html', '<body', '<h1', '<p', '<p', '<p'])
  expect(mail).not.toMatch(/<[^>]*(\son\w+\s*=|url\()/i)
}

test('there are more than 200 of them', () => expect(cases.length).toBeGreaterThan(200))

test.each(cases)('R-75: $place $value', ({ stored }) => expectHarmless(stored))

/** mulberry32: the same brands in every run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

test.each(Array.from({ length: 200 }, (_, seed) => seed))('R-75: brand %i of seeded chance, hostile in every field', (seed) => {
  const next = random(seed)
  const value = () => {
    const picked = values[Math.floor(next() * values.length)]
    const other = values[Math.floor(next() * values.length)]
    // Two of them side by side get past what looks for one.
    return typeof picked === 'string' && typeof other === 'string' && next() < 0.5 ? `${picked}${other}` : picked
  }
  const fields = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, value()]))
  expectHarmless({
    ...fields(['name', 'logo']),
    theme: fields(Object.keys(defaultBrand.theme)),
    contact: fields(Object.keys(defaultBrand.contact)),
    social: fields(Object.keys(defaultBrand.social)),
    content: { ...fields(Object.keys(defaultBrand.content)), texts: fields(['home.title', 'waitTime', 'faq.refund-time']) },
  })
})
