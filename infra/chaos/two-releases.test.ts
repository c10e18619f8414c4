/** What the logs of the two releases say of who went on with what. */
import { expect, test } from 'vitest'
import { handovers, passedOn, transitionsIn } from './two-releases.ts'

const line = (time: string, bookingId: string, from: string) =>
  JSON.stringify({ level: 30, time: `2026-11-22T10:00:0${time}Z`, bookingId, from, to: 'X', msg: 'booking changed state' })

test('a state counts as taken over when the other release has written the one before, whichever log comes first', () => {
  const ours = [line('0.100', 'bk_1', 'REQUESTED'), line('2.000', 'bk_1', 'ORDER_UNKNOWN'), 'no JSON', line('0.200', 'bk_2', 'REQUESTED')]
  const theirs = [line('1.000', 'bk_1', 'ORDERING'), line('0.300', 'bk_3', 'REQUESTED')]
  const written = [...transitionsIn(theirs.join('\n'), 'earlier'), ...transitionsIn(ours.join('\n'), 'this')]
  const found = handovers(written)
  expect(found.toSorted()).toEqual(['ORDERING taken over by the earlier release', 'ORDER_UNKNOWN taken over by this release'])
  for (const name of found) expect(passedOn).toContain(name)
})
