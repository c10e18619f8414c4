import { describe, expect, it } from 'vitest'
import { parseRichText, plainText } from './rich-text.ts'

describe('rich text', () => {
  it('reads bold words, links and facts', () => {
    expect(parseRichText('By **{brand}**: see [the terms](/terms).')).toEqual([
      { kind: 'text', text: 'By ' },
      { kind: 'bold', parts: [{ kind: 'fact', name: 'brand' }] },
      { kind: 'text', text: ': see ' },
      { kind: 'link', to: '/terms', parts: [{ kind: 'text', text: 'the terms' }] },
      { kind: 'text', text: '.' },
    ])
  })

  it('is plain text for a search, with the facts in their places', () => {
    expect(plainText('Write to **{brand}** or [call]({phone}).', { brand: 'Atlas', phone: '1' })).toBe('Write to Atlas or call.')
  })

  it('takes a fact as it is, even when it looks like a link', () => {
    expect(plainText('{brand}', { brand: '[x](https://elsewhere.example)' })).toBe('[x](https://elsewhere.example)')
  })
})
