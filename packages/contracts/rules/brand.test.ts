import { describe, expect, it } from 'vitest'
import { type BrandColors, brandCss, brandKey, canvasFor, deriveBrand, LEGIBILITY } from './brand.ts'
import { contrast, inkOn, isHexColor, lightness, shift } from './color.ts'

const teal: BrandColors = { primary: '#0f766e', secondary: '#0f2f35', accent: '#f4b34c', background: '#f7f9f8', text: '#10201e' }
const yellow: BrandColors = { primary: '#ffd60a', secondary: '#1d1d3b', accent: '#ff6b5e', background: '#ffffff', text: '#17171f' }

/** mulberry32: small, seeded, good enough to scatter colours. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function randomBrand(next: () => number): BrandColors {
  const color = () =>
    `#${Math.floor(next() * 0x1000000)
      .toString(16)
      .padStart(6, '0')}`
  return { primary: color(), secondary: color(), accent: color(), background: color(), text: color() }
}

function tooFaint(brand: BrandColors): string[] {
  const tokens = deriveBrand(brand)
  return LEGIBILITY.filter((pair) => contrast(tokens[pair.ink], tokens[pair.ground]) < pair.least).map(
    (pair) =>
      `${pair.ink} on ${pair.ground} is ${contrast(tokens[pair.ink], tokens[pair.ground]).toFixed(2)}, needs ${pair.least}: ${JSON.stringify(brand)}`,
  )
}

describe('deriveBrand', () => {
  it('BRAND-14, R-76: muted is 20 darker, card 5 lighter, border 10 darker and input 5 darker than the background', () => {
    const tokens = deriveBrand({ ...teal, background: '#f0f0f0' })
    expect(tokens).toMatchObject({
      canvas: '#f0f0f0',
      'muted-bg': '#dcdcdc',
      surface: '#f5f5f5',
      'line-soft': '#e6e6e6',
      sunken: '#ebebeb',
    })
  })

  it('BRAND-14: on a dark page too, and on a mid-tone one of the page that it becomes', () => {
    expect(deriveBrand({ ...teal, background: '#202428', text: '#e8eeed' })).toMatchObject({
      scheme: 'dark',
      canvas: '#202428',
      'muted-bg': '#0c1014',
      surface: '#25292d',
      'line-soft': '#161a1e',
      sunken: '#1b1f23',
    })
    const mid = deriveBrand({ ...teal, background: '#999999' })
    expect([mid['muted-bg'], mid.surface, mid['line-soft'], mid.sunken]).toEqual([-20, 5, -10, -5].map((by) => shift(mid.canvas, by)))
  })

  it('BRAND-14, R-76: the channels are clamped', () => {
    expect(deriveBrand({ ...teal, background: '#ffffff' }).surface).toBe('#ffffff')
    expect(deriveBrand({ ...teal, background: '#000000' })['muted-bg']).toBe('#000000')
  })

  it.each(['primary', 'secondary', 'accent', 'background', 'text'] as const)('R-75: a %s that is no colour is the default one', (name) => {
    for (const bad of ['teal', '', '#12', '#fff}', undefined as never])
      expect(deriveBrand({ ...teal, [name]: bad })).toEqual(deriveBrand(teal))
  })

  it('BRAND-15, R-76: text on a fill is black above lightness 0.5, else white, and exactly 0.5 gives white', () => {
    expect(inkOn('#f59e0b')).toBe('#000000')
    expect(inkOn('#0f766e')).toBe('#ffffff')
    expect(lightness('#808080')).toBeGreaterThan(0.5)
    expect(inkOn('#7f7f7f')).toBe('#ffffff')
  })

  it('BRAND-15: a fill too close to its ink moves, the ink stays', () => {
    const tokens = deriveBrand({ ...teal, primary: '#0d9488' })
    expect(tokens['brand-ink']).toBe('#ffffff')
    expect(tokens.brand).toBe('#0c857a')
  })

  it('BRAND-12: the teal brand has the colours of the drawings', () => {
    expect(deriveBrand(teal)).toMatchObject({
      scheme: 'light',
      surface: '#fcfefd',
      line: '#d9dddc',
      'line-control': '#828b8a',
      'ink-muted': '#5c6765',
      brand: '#0f766e',
      'brand-hover': '#0d6861',
      'brand-soft': '#e4f0ef',
      'deep-muted': '#adb8ba',
      'art-far': '#579f9a',
      'art-hull-line': '#9fc8c5',
      shadow: '16 32 30',
    })
  })

  it('a primary too pale to be read hands words, outlines and focus to the secondary', () => {
    expect(deriveBrand(yellow)).toMatchObject({
      brand: '#ffd60a',
      'brand-ink': '#000000',
      'brand-text': '#1d1d3b',
      'brand-edge': '#1d1d3b',
      focus: '#1d1d3b',
    })
  })

  it('BRAND-16: status colours are the same for every light brand', () => {
    const { positive, 'negative-soft': negativeSoft } = deriveBrand(yellow)
    expect([positive, negativeSoft]).toEqual([deriveBrand(teal).positive, deriveBrand(teal)['negative-soft']])
  })

  it('BRAND-16: a dark page keeps the solid status fills and lightens their inks', () => {
    const dark = deriveBrand({ ...teal, background: '#0b1416', text: '#e8eeed' })
    expect(dark.scheme).toBe('dark')
    expect(dark['negative-solid']).toBe('#b3261e')
    expect(dark.negative).not.toBe(deriveBrand(teal).negative)
  })

  it('a mid-tone background moves to the nearer limit and says so', () => {
    expect(canvasFor('#f7f9f8')).toEqual({ canvas: '#f7f9f8', scheme: 'light', adjusted: false })
    expect(canvasFor('#0b1416')).toEqual({ canvas: '#0b1416', scheme: 'dark', adjusted: false })
    const lifted = canvasFor('#999999')
    expect(lifted).toMatchObject({ scheme: 'light', adjusted: true })
    expect(lightness(lifted.canvas)).toBeGreaterThanOrEqual(0.86)
    const lowered = canvasFor('#555555')
    expect(lowered).toMatchObject({ scheme: 'dark', adjusted: true })
    expect(lightness(lowered.canvas)).toBeLessThanOrEqual(0.16)
  })

  it('every pair of 4,000 random brands reaches its contrast', () => {
    const next = random(20261121)
    const faults = Array.from({ length: 4000 }, () => tooFaint(randomBrand(next))).flat()
    expect(faults).toEqual([])
  })

  it('every pair reaches its contrast at the corners of the colour cube', () => {
    const corners = ['#000000', '#ffffff', '#ff0000', '#00ff00', '#0000ff', '#ffff00', '#ff00ff', '#00ffff', '#808080']
    const faults = corners.flatMap((primary) =>
      corners.flatMap((background) =>
        corners.flatMap((secondary) => tooFaint({ primary, secondary, accent: primary, background, text: secondary })),
      ),
    )
    expect(faults).toEqual([])
  })
})

describe('brandCss', () => {
  it('is one rule of custom properties with the colour scheme of the page', () => {
    const css = brandCss(deriveBrand(teal))
    expect(css).toMatch(/^:root\{color-scheme:light;--/)
    expect(css).toContain('--canvas:#f7f9f8')
    expect(css).toContain('--shadow:16 32 30')
    expect(css).not.toContain('--scheme')
  })

  it('can be given another selector', () => {
    expect(brandCss(deriveBrand(teal), { selector: '[data-brand=preview]' })).toMatch(/^\[data-brand=preview\]\{/)
  })

  it('puts the font of the brand first and lets nothing leave the value', () => {
    expect(brandCss(deriveBrand(teal), { font: "Inter, 'Open Sans'" })).toContain('--font:"Inter","Open Sans","Instrument Sans",')
    expect(brandCss(deriveBrand(teal), { font: 'x"}</style><script>' })).toContain('--font:"xstylescript","Instrument Sans",')
  })

  it('has only hex values and numbers, so that nothing can leave the style element', () => {
    const { scheme, shadow, ...rest } = deriveBrand(yellow)
    expect(shadow).toMatch(/^\d+ \d+ \d+$/)
    expect(scheme).toBe('light')
    for (const value of Object.values(rest)) expect(isHexColor(value)).toBe(true)
  })
})

describe('brandKey', () => {
  it.each([
    ['BRAND-02', 'example.com', undefined, 'example.com'],
    ['BRAND-03', 'www.example.com', undefined, 'example.com'],
    ['BRAND-04', 'www.flights.example.com', undefined, 'flights.example.com'],
    ['BRAND-05', 'fly.agency.example', undefined, 'fly.agency.example'],
    ['BRAND-06', 'WWW.Example.COM:8443', undefined, 'example.com'],
    ['BRAND-06', 'example.com.', undefined, 'example.com'],
    ['BRAND-06', 'example.com.:443', undefined, 'example.com'],
    ['R-73', 'www.com', undefined, 'www.com'],
    ['R-73', 'intranet', undefined, 'intranet'],
    ['BRAND-07', 'localhost:8080', 'atlas.example', 'atlas.example'],
    ['BRAND-07', 'localhost', undefined, 'default'],
    ['BRAND-07', '127.0.0.1:8080', 'Atlas.Example', 'atlas.example'],
    ['BRAND-07', '[::1]:8080', 'atlas.example', 'atlas.example'],
    ['BRAND-07', '::1', 'atlas.example', 'atlas.example'],
    ['BRAND-07', '[2001:db8::1]', null, 'default'],
    ['BRAND-08', 'example.com', 'atlas.example', 'example.com'],
    ['R-73', 'localhost', '../../etc/passwd', 'default'],
    ['R-73', 'localhost', 'a'.repeat(254), 'default'],
    ['R-73', 'exam_ple.com', undefined, 'default'],
    ['R-73', '', undefined, 'default'],
  ])('%s: host %s with ?brand=%s gives %s', (_id, host, query, key) => {
    expect(brandKey(host, query)).toBe(key)
  })
})
