import { readFileSync } from 'node:fs'
import type { Brand } from '@passerelle/contracts/http/brand'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { describe, expect, test } from 'vitest'
import { type Filling, fillPage, type Page, pageAt } from './page.ts'

const template = readFileSync(new URL('../web/index.html', import.meta.url), 'utf8')
const fill = (brand: Brand | null, more: Partial<Filling> = {}) => fillPage(template, { brand, page: null, signedOut: false, ...more })
const branded = (change: Partial<Brand>) => fill({ ...defaultBrand, ...change })
const titleOf = (page: string) => /<title>(.*?)<\/title>/s.exec(page)?.[1]
const brandOf = (page: string) => JSON.parse(/<script type="application\/json" id="brand"[^>]*>(.*?)<\/script>/s.exec(page)?.[1] ?? '')
const count = (page: string, what: RegExp) => page.match(what)?.length ?? 0

describe('the page of a brand', () => {
  test('BRAND-19: has its title, its colours and its data before any script has run', () => {
    const atlas: Brand = { ...defaultBrand, name: 'Atlas Voyages', theme: { ...defaultBrand.theme, primary: '#a8452a', font: 'Georgia' } }
    const page = fill(atlas)
    expect(titleOf(page)).toBe('Atlas Voyages - Flight Booking')
    expect(page).toMatch(/<style id="brand-css"[^>]*>:root\{.*--brand:#a8452a/)
    expect(page).toContain('--font:"Georgia"')
    expect(brandOf(page)).toEqual(atlas)
  })

  test('without a brand it is the page of the default one, filled by the page itself', () => {
    const page = fill(null)
    expect(titleOf(page)).toBe('Passerelle - Flight Booking')
    expect(brandOf(page)).toBeNull()
  })
})

describe('what a brand says is never markup', () => {
  const evil = '</script></style></title><script>alert(1)</script><!--<script>&"\'`$&$1$`'

  test('a name cannot leave the title or the script that it stands in', () => {
    const page = branded({ name: evil })
    expect(count(page, /<script\b/g)).toBe(count(template, /<script\b/g))
    expect(count(page, /<\/script>/g)).toBe(count(template, /<\/script>/g))
    expect(count(page, /<\/title>/g)).toBe(1)
    expect(page).not.toContain('<!--')
    expect(titleOf(page)).toContain('&#60;/script&#62;')
    expect(brandOf(page).name).toBe(evil)
  })

  test('neither can contact, links or the logo', () => {
    const contact = { email: evil, phone: evil, address: evil }
    const page = branded({ contact, logo: `/${evil}`, social: { facebook: evil, twitter: evil, instagram: evil } })
    expect(count(page, /<script\b/g)).toBe(count(template, /<script\b/g))
    expect(brandOf(page)).toMatchObject({ contact, logo: `/${evil}` })
  })

  test('a font cannot leave its rule or the style element', () => {
    const page = branded({
      theme: { ...defaultBrand.theme, font: '"};</style><script>alert(1)</script>body{background:url(//evil.example)' },
    })
    const css = /<style id="brand-css"[^>]*>(.*?)<\/style>/s.exec(page)?.[1] ?? ''
    expect(css).toMatch(/^:root\{[^{}<]*\}$/)
    expect(css).not.toMatch(/url\(|evil\.example/)
    expect(count(page, /<script\b/g)).toBe(count(template, /<script\b/g))
  })

  test('a name with the marks of a placeholder or of a replacement is only a name', () => {
    const page = branded({ name: "__BRAND__ $& $' $1" })
    expect(brandOf(page).name).toBe("__BRAND__ $& $' $1")
  })
})

describe('the head of an address', () => {
  const page = (path: string, more: Partial<Page> = {}): Page => ({
    ...{
      path,
      title: '__BRAND__ - Flight Booking',
      description: 'Flights.',
      robots: null,
      scripts: [],
      styles: [],
      shells: { plain: '', logo: '' },
    },
    ...more,
  })

  test('names the files of its screen, so that they are asked for with the page', () => {
    const html = fill(defaultBrand, { page: page('/search', { scripts: ['/assets/Results.js'], styles: ['/assets/Results.css'] }) })
    expect(html).toMatch(
      /<link rel="stylesheet" href="\/assets\/Results.css" crossorigin \/><link rel="modulepreload" href="\/assets\/Results.js"/,
    )
    expect(html.indexOf('Results.js')).toBeLessThan(html.indexOf('</head>'))
  })

  test('GEN-07, BRAND-19: has the title and the description of its screen, with the brand’s name', () => {
    const home = page('/', { title: '__BRAND__: flights', description: 'Fares & "seats"' })
    const html = fill({ ...defaultBrand, name: 'Atlas & <Sons> $&' }, { page: home })
    expect(titleOf(html)).toBe('Atlas &#38; &#60;Sons&#62; $&#38;: flights')
    expect(html).toContain('<meta name="description" content="Fares &#38; &#34;seats&#34;"')
  })

  test('keeps personal screens and unknown addresses out of search engines', () => {
    expect(fill(defaultBrand, { page: page('*', { robots: 'noindex' }) })).toContain('<meta name="robots" content="noindex"')
    expect(fill(defaultBrand, { page: page('/') })).not.toContain('robots')
  })

  test('says that nobody is signed in', () => {
    expect(fill(defaultBrand, { signedOut: true })).toContain('<meta name="session" content="none"')
    expect(fill(defaultBrand)).not.toContain('name="session"')
  })

  test.each([
    ['/', '/'],
    ['/search', '/search'],
    ['/search/', '/search'],
    ['/flight/off_1', '/flight/:id'],
    ['/flight', '*'],
    ['/flight/off_1/x', '*'],
    ['/nowhere', '*'],
  ])('of %s is that of %s', (address, path) => {
    const pages = ['/', '/search', '/flight/:id', '*'].map((one) => page(one))
    expect(pageAt(pages, address)?.path).toBe(path)
    expect(pageAt([], address)).toBeNull()
  })
})

describe('what a page shows before its scripts', () => {
  const shells = {
    plain: '<p>__BRAND__</p><a href="tel:+99900000001">+99900000001</a><a href="mailto:__EMAIL__">__EMAIL__</a>__ADDRESS__',
    logo: '<img src="/__LOGO__" alt="__BRAND__">',
  }
  const shown = (change: Partial<Brand>, path = '/') => {
    const page: Page = { path, title: '', description: '', robots: null, scripts: [], styles: [], shells }
    return /<div id="root">(.*)<\/div>/s.exec(fill({ ...defaultBrand, ...change }, { page }))?.[1]
  }

  test('comes before the scripts; a page that shows nothing without them asks for them first', () => {
    const page: Page = { path: '/', title: '', description: '', robots: null, scripts: ['/assets/Home.js'], styles: [], shells }
    const priorities = (of: Page) => fill(defaultBrand, { page: of }).match(/fetchpriority="low"/g)?.length ?? 0
    expect(priorities(page)).toBe(2)
    expect(priorities({ ...page, shells: { plain: '', logo: '' } })).toBe(0)
  })

  test('BRAND-19: has the name, the logo and the contact of this brand', () => {
    const contact = { email: 'a@atlas.example', phone: '+33 1 02', address: 'Paris' }
    expect(shown({ name: 'Atlas & Co', contact })).toBe(
      '<p>Atlas &#38; Co</p><a href="tel:+33102">+33 1 02</a><a href="mailto:a@atlas.example">a@atlas.example</a>Paris',
    )
    expect(shown({ name: 'Atlas', logo: '/api/brands/x/logos/a.svg' })).toBe('<img src="/api/brands/x/logos/a.svg" alt="Atlas">')
  })

  test('never takes markup or another placeholder from a brand', () => {
    const evil = '</div><script>alert(1)</script>"__EMAIL__ $& __NONCE__'
    const text = shown({ name: evil, contact: { email: evil, phone: evil, address: evil } }) ?? ''
    expect(text).not.toMatch(/<script|<\/div>/)
    expect(text).toContain('__EMAIL__ $&')
    expect(shown({ name: 'x', logo: evil })).not.toMatch(/<script|src="[^"]*"_/)
  })

  test('is left out where a brand has texts of its own', () => {
    const having = (name: string, path: string) =>
      shown({ name: 'Atlas', content: { ...defaultBrand.content, texts: { [name]: 'Its own' } } }, path)
    expect([having('refundTime', '/'), having('refundTime', '/about')]).toEqual(['', ''])
    expect([having('home.title', '/'), having('faq.refund', '/faq')]).toEqual(['', ''])
    expect(having('home.title', '/about')).toContain('Atlas')
    expect(having('faq.refund', '/')).toContain('Atlas')
  })
})
