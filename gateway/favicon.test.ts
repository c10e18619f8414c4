import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { expect, test } from 'vitest'
import { faviconOf } from './favicon.ts'

const svgOf = (change: Partial<typeof defaultBrand>) => {
  const favicon = faviconOf({ ...defaultBrand, ...change })
  return 'svg' in favicon ? favicon.svg : ''
}

test('a brand with a mark has it as its sign', () => {
  expect(faviconOf({ ...defaultBrand, logo: '/marks/atlas.svg' })).toEqual({ file: '/marks/atlas.svg' })
})

test('a brand without a logo has the built-in mark in its own colours', () => {
  expect(svgOf({})).toContain('stroke="#0f766e"')
  expect(svgOf({ theme: { ...defaultBrand.theme, primary: '#a8452a' } })).toContain('stroke="#a8452a"')
  expect(faviconOf(null)).toEqual(faviconOf(defaultBrand))
})

test('a brand with a wide logo has its first letter, whatever that is', () => {
  expect(svgOf({ name: 'élan', logo: 'https://cdn.example/logo.png' })).toMatch(/>É<\/text>/)
  expect(svgOf({ name: '<script>', logo: '/api/brands/x/logo/a.svg' })).not.toContain('<script')
})
