import { describe, expect, it } from 'vitest'
import { Brand } from '../http/brand.ts'
import { readBrand } from './brand-values.ts'
import { defaultBrand } from './default-brand.ts'

const atlas: Brand = {
  name: 'Atlas Voyages',
  domain: 'atlas.example',
  logo: 'https://cdn.example.org/atlas.svg',
  theme: { primary: '#a8452a', secondary: '#33241d', accent: '#e3a63f', background: '#faf5ec', text: '#2a1d16', font: 'Inter' },
  contact: { email: 'contact@atlas.example', phone: '+33 1 84 80 00 10', address: 'Paris' },
  social: { facebook: 'https://facebook.com/atlas', twitter: '', instagram: '/instagram' },
  content: { ...defaultBrand.content, promotions: false, texts: { 'faq.intro': 'Ask us.' } },
}

/** `atlas` with the value at a dotted path replaced. */
function withValue(path: string, value: unknown): unknown {
  const [first = '', second] = path.split('.')
  const part = second ? { ...(atlas[first as keyof Brand] as object), [second]: value } : value
  return { ...atlas, [first]: part }
}

function valueAt(brand: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (value as Record<string, unknown>)[name], brand)
}

describe('readBrand', () => {
  it('leaves a good brand as it is', () => {
    expect(readBrand(atlas, 'atlas.example')).toEqual({ brand: atlas, replaced: [] })
  })

  const fields: [string, unknown[]][] = [
    ...['primary', 'secondary', 'accent', 'background', 'text'].map((name): [string, unknown[]] => [
      `theme.${name}`,
      ['teal', 'rgb(1,2,3)', '#12', '#zzzzzz', '#fff;}</style>', '', 7, null, undefined, {}],
    ]),
    ['theme.font', ['x"}</style>', 'a'.repeat(81), 5, null, undefined]],
    ['logo', ['javascript:alert(1)', '//evil.example/x.svg', 'https://', 'https://[', 'data:image/svg+xml,x', 12, null, undefined]],
    ...['facebook', 'twitter', 'instagram'].map((name): [string, unknown[]] => [
      `social.${name}`,
      ['javascript:alert(1)', 'facebook.com', 'https://', 1, null, undefined],
    ]),
    ['contact.email', ['a'.repeat(255), 1, null]],
    ['name', ['', 'a'.repeat(81), 3, undefined]],
  ]

  it.each(fields)('R-75: a bad %s falls back to the default value, and nothing else does', (path, values) => {
    for (const value of values) {
      const { brand, replaced } = readBrand(withValue(path, value), 'atlas.example')
      expect(Brand.parse(brand)).toEqual(brand)
      expect(valueAt(brand, path), String(value)).toEqual(valueAt(defaultBrand, path))
      expect(replaced).toEqual([path])
      expect(readBrand(withValue(path, valueAt(atlas, path)), 'atlas.example').brand).toEqual(atlas)
    }
  })

  it.each([null, undefined, 'atlas', 7, [], {}, { theme: null, social: [], contact: 'x' }])(
    'R-75: %j is the default brand under its own key',
    (stored) => {
      expect(readBrand(stored, 'atlas.example').brand).toEqual({ ...defaultBrand, domain: 'atlas.example' })
    },
  )
})
