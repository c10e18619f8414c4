import { describe, expect, it } from 'vitest'
import { render } from '../../../lib/render.fixture.tsx'
import { SearchWidget } from './SearchWidget.tsx'

const { html, text } = render(<SearchWidget />)

describe('the search widget', () => {
  it('WIDG-01: has three trip types, Round Trip first and chosen', () => {
    const types = [...html.matchAll(/<input type="radio" name="tripType"( checked="")? value="([^"]+)"/g)]
    expect(types.map(([, checked, type]) => [type, Boolean(checked)])).toEqual([
      ['round-trip', true],
      ['one-way', false],
      ['multi-city', false],
    ])
    expect(text).toMatch(/Round Trip.*One Way.*Multi-City/)
  })

  it('WIDG-02, WIDG-03, WIDG-06: has type-ahead fields, two dates and Search Flights', () => {
    expect(html.match(/role="combobox"/g)).toHaveLength(2)
    expect(text).toMatch(/Departure [A-Z][a-z]{2} \d\d, \d{4}.*Return [A-Z][a-z]{2} \d\d, \d{4}/)
    expect(text).toContain('Search Flights')
  })

  it('WIDG-05: the cabin class is a group of radio buttons, economy chosen', () => {
    const cabins = [...html.matchAll(/<input type="radio" name="cabinClass"( checked="")? value="([^"]+)"/g)]
    expect(cabins.map(([, checked, cabin]) => [cabin, Boolean(checked)])).toEqual([
      ['economy', true],
      ['premium_economy', false],
      ['business', false],
      ['first', false],
    ])
  })
})
