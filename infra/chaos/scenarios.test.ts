/** The campaigns as a whole: what they claim, and what becomes of what they reach. */
import { expect, test } from 'vitest'
import { points } from './crash-points.ts'
import { healthyEvidence } from './evidence.fixture.ts'
import { claimable, endsAfterKills, reached, transitionMark } from './marks.ts'
import { summary, timeline } from './report.ts'
import { scenarios } from './scenarios.ts'

const claims = Object.values(scenarios).flatMap((scenario) => scenario.claims)

/** README.md says why no campaign reaches it. */
const RARE = ['REQUESTED > ORDER_FAILED']

test('every transition of a booking that needs no administrator is claimed by a campaign, or known to be rare', () => {
  expect(claimable.filter((transition) => !claims.includes(transition))).toEqual(RARE)
})

test('every crash point C1 to C30 is tried', () => {
  const tried = new Set(points.map(({ id }) => id.replace(/[a-z]$/, '')))
  expect([...tried]).toEqual(Array.from({ length: 30 }, (_, i) => `C${i + 1}`))
})

test('a transition, a way of recovery and the state in which a fault met a booking are marks', () => {
  const evidence = healthyEvidence()
  evidence.messages.push(evidence.messages[0]!)
  evidence.topics!.push(evidence.topics![0]!)
  const marks = reached(evidence, [{ at: Date.parse('2026-11-22T10:00:01.500Z'), lane: 'kill booking' }])
  expect(marks.get(transitionMark('ORDERING', 'ORDER_UNKNOWN'))).toBe(1)
  expect(marks.get(transitionMark('ORDERED', 'CONFIRMED'))).toBe(2)
  expect(marks.get('kill booking x ORDERING')).toBe(3)
  expect(marks.get('mail handed over again')).toBe(1)
  expect(marks.get('event published again')).toBe(1)
  expect(marks.has('kill booking x ORDERED')).toBe(false)
})

test('the time from the last kill that met a booking at work to its end is measured', () => {
  const { bookings } = healthyEvidence()
  const kill = (seconds: number) => ({ at: Date.parse('2026-11-22T10:00:00Z') + seconds * 1000, lane: 'kill payment' })
  // Booking one is final after 3 s, two after 3 s and again after 5 s, three after 4 s.
  expect(endsAfterKills(bookings, [kill(0.5), kill(1), kill(4.5)])).toEqual([2000, 2000, 500, 3000])
  expect(endsAfterKills(bookings, [kill(60)])).toEqual([])
})

test('the page of a run tells what was broken and missed first, and draws what happened', () => {
  const began = Date.parse('2026-11-22T10:00:00Z')
  const page = {
    ...{ scenario: 'suppliers', hurts: 'Suppliers', command: 'make chaos SCENARIO=suppliers SEED=7', began, ended: began + 60_000 },
    lines: [
      { what: 'I1 no capture without an order', holds: true, detail: '0 of 3' },
      { what: 'I3 one order', holds: false, detail: 'a | b' },
    ],
    moments: [{ at: began + 30_000, lane: 'kafka <away>', ms: 6000 }],
    claims: [{ name: 'card declined', times: 0, needed: 2 }],
    marks: new Map([['webhook received', 4]]),
    bookings: healthyEvidence().bookings.map(({ createdAt, history = [] }) => ({
      from: Number(createdAt),
      history: history.map(({ at, state }) => ({ at: Number(at), state })),
    })),
    ...{ said: ['10:00:00  begun'], machine: '0.5 on 2 cores' },
  }
  const text = summary(page)
  expect(text).toContain('# suppliers: 1 lines broken, 1 marks not reached')
  expect(text).toContain('SEED=7')
  expect(text.indexOf('I3 one order')).toBeLessThan(text.indexOf('I1 no capture'))
  expect(text).toContain('a \\| b')
  expect(text).toContain('| **missed** | card declined | 0 | 2 |')
  expect(text).toContain('webhook received 4')
  const picture = timeline(page)
  expect(picture).toContain('kafka &#60;away&#62; (1)')
  expect(picture).toContain('green: booked, 2 of 3')
  expect(picture).toContain('brown: failed, 1')
})
