import { expect, test } from 'vitest'
import { contrast } from './color.ts'
import { defaultBrand } from './default-brand.ts'
import { letter } from './letter.ts'

const colorsIn = (html: string) => [...html.matchAll(/color:(#[0-9a-f]{6})/g)].map(([, color = '']) => color)

test('R-75: a mail is white, and colours that could not be read on it are shown as others that can', () => {
  for (const theme of [
    { ...defaultBrand.theme, background: '#0b1416', text: '#f2f5f4', primary: '#ffd60a' },
    { ...defaultBrand.theme, text: '#eeeeee', primary: '#ffffff' },
    { ...defaultBrand.theme, text: 'red;background:url(//evil.example)', primary: 'javascript:alert(1)' },
  ]) {
    const { html } = letter('Hello', { name: 'Nuit', theme }, ['A line'])
    const colors = colorsIn(html)
    expect(colors).toHaveLength(2)
    for (const color of colors) expect(contrast(color, '#ffffff')).toBeGreaterThanOrEqual(4.5)
    expect(html).not.toContain('evil')
  }
})

test('R-75: what a brand is called and what anybody typed is text in a mail', () => {
  const { html, text } = letter('Hello', { name: '</h1><script>alert(1)</script>', theme: defaultBrand.theme }, [
    '<img src=x onerror=alert(1)>',
  ])
  expect(html.match(/<(\w+)/g)).toEqual(['<html', '<body', '<h1', '<p'])
  expect(text).toBe('<img src=x onerror=alert(1)>')
})

test('an address in a line is a link, and ends where a quotation mark would end its attribute', () => {
  const { html } = letter('Hello', defaultBrand, ['See https://example.org/a"onmouseover="alert(1)'])
  expect(html).toContain('<a href="https://example.org/a">')
  expect(html).not.toMatch(/<a [^>]*onmouseover/)
})
