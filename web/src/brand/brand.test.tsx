import { Brand } from '@passerelle/contracts/http/brand'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { render } from '../lib/render.fixture.tsx'
import { BrandMark } from './BrandMark.tsx'
import { useBrandState } from './BrandProvider.tsx'

function State() {
  const { brand, loading } = useBrandState()
  return `${brand.name}, ${loading ? 'loading' : 'ready'}`
}

describe('the brand of the page', () => {
  it('BRAND-09: is the default one while another one loads', () => {
    expect(render(<State />, { brand: null, host: 'atlas.example' }).text).toBe('Passerelle, loading')
    expect(render(<State />, { brand: { ...defaultBrand, name: 'Atlas' }, host: 'atlas.example' }).text).toBe('Atlas, ready')
  })

  it('BRAND-18: cannot be asked for outside its provider', () => {
    expect(() => renderToStaticMarkup(<BrandMark />)).toThrow('useBrand must be used within a BrandProvider')
  })

  it('BRAND-11, BRAND-12: has its fields, and the default one fills them', () => {
    expect(Object.keys(Brand.shape)).toEqual(['name', 'domain', 'logo', 'theme', 'contact', 'social', 'content'])
    expect(Object.keys(Brand.shape.theme.shape)).toEqual(['primary', 'secondary', 'accent', 'background', 'text', 'font'])
    expect(Object.keys(Brand.shape.contact.shape)).toEqual(['email', 'phone', 'address'])
    expect(Object.keys(Brand.shape.social.shape)).toEqual(['facebook', 'twitter', 'instagram'])
    expect(Brand.parse(defaultBrand)).toEqual(defaultBrand)
  })

  it('BRAND-13: has a logo of at most 40 px', () => {
    const { html } = render(<BrandMark />, { brand: { ...defaultBrand, logo: '/logo.svg' } })
    expect(html).toMatch(/<img[^>]*height="40"/)
  })

  it('BRAND-13: has a mark of its own beside its name', () => {
    const { html, text } = render(<BrandMark />, { brand: { ...defaultBrand, name: 'Atlas Voyages', logo: '/marks/atlas.svg' } })
    expect(html).toMatch(/<img[^>]*src="\/marks\/atlas.svg" alt=""/)
    expect(text).toBe('Atlas Voyages')
  })
})
