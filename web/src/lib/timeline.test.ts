import { describe, expect, it } from 'vitest'
import { place, RETURN } from '../features/offer/model/offer.fixture.ts'
import { layoverText, type StopRow, timelineRows } from './timeline.ts'

const stops = () => timelineRows(RETURN).filter((row): row is StopRow => row.kind === 'departure' || row.kind === 'arrival')

describe('the timeline of a slice', () => {
  it('DET-13: goes from gate to gate, with the wait between the flights', () => {
    expect(timelineRows(RETURN).map(({ kind }) => kind)).toEqual([
      'departure',
      'flight',
      'arrival',
      'layover',
      'departure',
      'flight',
      'arrival',
    ])
    expect(stops().map(({ last }) => last)).toEqual([false, false, false, true])
  })

  it('DET-13: writes the date where the day is another one', () => {
    expect(stops().map(({ date }) => date)).toEqual([null, 'Dec 18', null, 'Dec 18'])
    const [first, second] = RETURN.segments
    const nextDay = { ...second!, departing_at: '2026-12-19T09:15:00', arriving_at: '2026-12-19T10:35:00' }
    const overnight = timelineRows({ segments: [first!, nextDay] }).find(({ key }) => key === 'seg_2_2-departure')
    expect((overnight as StopRow).date).toBe('Dec 19')
  })

  it('DET-13: a wait says where, and whether the airport changes', () => {
    const at = place('LHR', 'London', 'Heathrow', 'GB')
    const to = place('LGW', 'London', 'Gatwick', 'GB')
    expect(layoverText({ minutes: 95, at, to: at, changesAirport: false })).toBe('layover in London, same airport')
    expect(layoverText({ minutes: 95, at, to, changesAirport: true })).toBe('layover in London, change of airport, LHR to LGW')
  })
})
