import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ErrorCode } from '../wire/error-code.ts'
import { Group, type JoinResult, type SyncResult } from './group.ts'

const SESSION_MS = 10_000
const REBALANCE_MS = 30_000

let group: Group
const joined = new Map<string, JoinResult>()
const synced = new Map<string, SyncResult>()

beforeEach(() => {
  vi.useFakeTimers()
  group = new Group()
  joined.clear()
  synced.clear()
})
afterEach(() => {
  group.close()
  vi.useRealTimers()
})

function join(id: string, metadata = 'm') {
  const protocols = [{ name: 'any', metadata: Buffer.from(metadata) }]
  const settings = { clientId: id, protocolType: 'consumer', protocols, sessionTimeoutMs: SESSION_MS, rebalanceTimeoutMs: REBALANCE_MS }
  const answer = (result: JoinResult) => void joined.set(id, result)
  group.join(id, settings, answer)
  return answer
}

function sync(id: string, shares: Record<string, string> = {}) {
  const assignments = new Map(Object.entries(shares).map(([member, share]) => [member, Buffer.from(share)]))
  group.sync(id, group.generation, assignments, (result) => void synced.set(id, result))
}

/** A group of these members with their shares handed out. */
function settle(...ids: string[]): void {
  for (const id of ids) join(id)
  vi.advanceTimersByTime(200)
  for (const id of [...ids].reverse()) sync(id, Object.fromEntries(ids.map((member) => [member, `share of ${member}`])))
  expect(group.state).toBe('Stable')
}

test('members that come together share the first generation', () => {
  join('a')
  vi.advanceTimersByTime(150)
  join('b')
  vi.advanceTimersByTime(150)
  expect(joined.size).toBe(0)
  vi.advanceTimersByTime(50)
  expect([joined.get('a')!.generation, joined.get('b')!.generation]).toEqual([1, 1])
  expect(joined.get('a')!.members.map(({ id }) => id)).toEqual(['a', 'b'])
})

test('who does not join again within the rebalance time is left behind', () => {
  settle('a', 'b')
  join('c')
  join('b')
  for (let waited = 0; waited < REBALANCE_MS; waited += 5_000) {
    // Alive, and yet it never joins.
    expect(group.heartbeat('a', 1)).toBe(ErrorCode.rebalanceInProgress)
    vi.advanceTimersByTime(5_000)
  }
  expect(joined.get('c')!.generation).toBe(2)
  expect(group.has('a')).toBe(false)
})

test('nobody loses the session while waiting for an answer', () => {
  settle('a')
  join('b')
  vi.advanceTimersByTime(SESSION_MS - 1)
  group.heartbeat('a', 1)
  vi.advanceTimersByTime(SESSION_MS - 1)
  expect(group.has('b')).toBe(true)
})

test('when the leader dies before handing out, the others begin anew', () => {
  join('a')
  join('b')
  vi.advanceTimersByTime(200)
  sync('b')
  vi.advanceTimersByTime(SESSION_MS)
  expect(synced.get('b')!.error).toBe(ErrorCode.rebalanceInProgress)
  join('b')
  expect(joined.get('b')).toMatchObject({ error: ErrorCode.none, leaderId: 'b' })
})

test('a follower that joins again with nothing new keeps its generation; with a new subscription it does not', () => {
  settle('a', 'b')
  join('b')
  expect([joined.get('b')!.generation, group.state]).toEqual([1, 'Stable'])
  join('b', 'another topic')
  expect(group.state).toBe('PreparingRebalance')
})

test('a member whose connection breaks while it waits has its session time to come back', () => {
  settle('a', 'b')
  const answer = join('a', 'changed')
  group.abandonWait('a', answer, false)
  vi.advanceTimersByTime(SESSION_MS - 1)
  expect(group.has('a')).toBe(true)
  vi.advanceTimersByTime(1)
  expect(group.has('a')).toBe(false)
})
