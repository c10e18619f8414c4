import { describe, expect, it } from 'vitest'
import { render } from '../../../lib/render.fixture.tsx'
import { AirportList } from './AirportList.tsx'

const list = (state: 'loading' | 'failed' | 'ready', query = 'zzzz') =>
  render(
    <AirportList
      id="list"
      optionId={String}
      label="Origin"
      state={state}
      found={[]}
      query={query}
      active={-1}
      onChoose={() => undefined}
    />,
  ).text

describe('the list of airports', () => {
  it('AIR-12: says that no airport matches', () => {
    expect(list('ready', ' zzzz ')).toBe('No airports found for "zzzz"')
  })

  it('AIR-13: says that it is loading', () => {
    expect(list('loading')).toBe('Loading airports...')
  })

  it('AIR-14: says that it could not be loaded', () => {
    expect(list('failed')).toBe('Error loading airports. Please try again.')
  })
})
