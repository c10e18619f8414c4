import { describe, expect, it } from 'vitest'
import { matchedLetters } from './matched-letters.ts'

describe('matchedLetters', () => {
  it.each([
    ['London', 'lon', ['', 'Lon', 'don']],
    ['New York', 'york', ['New ', 'York', '']],
    ['Málaga', 'mala', ['', 'Mála', 'ga']],
    ['Ravenna', 'ven', ['Ra', 'ven', 'na']],
    ['London', 'par', ['London', '', '']],
    ['London', ' ', ['London', '', '']],
  ])('AIR-15: in %s the letters of "%s" are found', (text, query, parts) => {
    expect(matchedLetters(text, query)).toEqual(parts)
  })
})
