import { describe, expect, it } from 'vitest'
import { isCurrent, NAVIGATION } from './navigation.ts'

const currentOn = (pathname: string) => NAVIGATION.filter((item) => isCurrent(item, pathname)).map((item) => item.label)

describe('navigation', () => {
  it('HEAD-02: has Flights, My Trips, About and Contact', () => {
    expect(NAVIGATION.map((item) => [item.label, item.to])).toEqual([
      ['Flights', '/'],
      ['My Trips', '/my-trips'],
      ['About', '/about'],
      ['Contact', '/contact'],
    ])
  })

  it.each([
    ['/', ['Flights']],
    ['/search', ['Flights']],
    ['/flight/off_1', ['Flights']],
    ['/booking', ['Flights']],
    ['/my-trips', ['My Trips']],
    ['/booking/bk_1/receipt', ['My Trips']],
    ['/contact', ['Contact']],
    ['/faq', []],
  ])('HEAD-02: on %s the highlighted items are %j', (pathname, labels) => {
    expect(currentOn(pathname)).toEqual(labels)
  })
})
