import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createReplicas, resultOf } from './replicas.ts'
import { replaceRuntime } from './runtime.ts'

let clock = 0
let restore: () => void
beforeEach(() => {
  clock = 0
  restore = replaceRuntime({ monotonic: () => clock })
})
afterEach(() => restore())

const [a, b, c] = ['http://10.0.0.1:8080', 'http://10.0.0.2:8080', 'http://10.0.0.3:8080'] as const
let addresses: string[] = []
/** Those that take no connection. */
let silent: string[] = []
let asked: string[] = []
const behind = (...hosts: string[]) => {
  addresses = hosts
  silent = []
  asked = []
  const resolve = async () => {
    if (addresses.length === 0) throw new Error('ENOTFOUND')
    return addresses
  }
  return createReplicas('http://search:8080', resolve, async (origin) => {
    asked.push(origin)
    return !silent.includes(origin)
  })
}
async function picked(replicas: ReturnType<typeof behind>, times = 12): Promise<string[]> {
  const seen = new Set<string>()
  for (let i = 0; i < times; i++) seen.add(await replicas.pick())
  return [...seen].sort()
}
const fail = (replicas: ReturnType<typeof behind>, origin: string, times: number) => {
  for (let i = 0; i < times; i++) replicas.note(origin, 'failed')
}

test('calls take the replicas of a name in turn', async () => {
  const replicas = behind('10.0.0.1', '10.0.0.2', '10.0.0.3')
  expect(await picked(replicas, 3)).toEqual([a, b, c])
})

test('a name that cannot be resolved, an address, localhost and https are used as they are', async () => {
  expect(await behind().pick()).toBe('http://search:8080')
  for (const url of ['http://127.0.0.1:81', 'http://[::1]:81', 'http://localhost:81', 'https://search:81'])
    expect(await createReplicas(url, () => Promise.reject(new Error('asked'))).pick()).toBe(url)
})

test('replicas that came and went are seen within two seconds; while names cannot be resolved the known ones stay', async () => {
  const replicas = behind('10.0.0.1')
  expect(await picked(replicas)).toEqual([a])
  addresses = ['10.0.0.2', '10.0.0.3']
  clock = 2001
  await picked(replicas)
  expect(await picked(replicas)).toEqual([b, c])
  addresses = []
  clock = 9000
  await picked(replicas)
  expect(await picked(replicas)).toEqual([b, c])
})

describe('a replica that fails three times in a row', () => {
  test('gets no calls for ten seconds, and for longer when it fails again', async () => {
    const replicas = behind('10.0.0.1', '10.0.0.2')
    await replicas.pick()
    fail(replicas, a, 2)
    expect(await picked(replicas)).toEqual([a, b])
    fail(replicas, a, 1)
    expect(await picked(replicas)).toEqual([b])
    clock = 10_001
    expect(await picked(replicas)).toEqual([a, b])
    fail(replicas, a, 1)
    clock = 29_000
    expect(await picked(replicas)).toEqual([b])
    clock = 31_000
    expect(await picked(replicas)).toEqual([a, b])
  })

  test('is trusted again after one success', async () => {
    const replicas = behind('10.0.0.1', '10.0.0.2')
    await replicas.pick()
    fail(replicas, a, 2)
    replicas.note(a, 'answered')
    fail(replicas, a, 2)
    expect(await picked(replicas)).toEqual([a, b])
  })

  test('stays when half of them are out already, or when it is the only one', async () => {
    const replicas = behind('10.0.0.1', '10.0.0.2', '10.0.0.3')
    await replicas.pick()
    fail(replicas, a, 3)
    fail(replicas, b, 9)
    expect(await picked(replicas)).toEqual([b, c])
    const single = behind('10.0.0.1')
    await single.pick()
    fail(single, a, 9)
    expect(await picked(single)).toEqual([a])
  })
})

describe('a replica that asks to connect elsewhere', () => {
  test('gets no calls for a minute while there are others, whatever answers of earlier calls say', async () => {
    const replicas = behind('10.0.0.1', '10.0.0.2')
    await replicas.pick()
    replicas.note(a, 'leaving')
    replicas.note(a, 'answered')
    expect(await picked(replicas)).toEqual([b])
    clock = 59_000
    expect(await picked(replicas)).toEqual([b])
    clock = 60_001
    expect(await picked(replicas)).toEqual([a, b])
  })

  test('is called when all are leaving, and does not keep in the one that fails', async () => {
    const replicas = behind('10.0.0.1', '10.0.0.2', '10.0.0.3')
    await replicas.pick()
    replicas.note(a, 'leaving')
    fail(replicas, b, 3)
    expect(await picked(replicas)).toEqual([c])
    replicas.note(b, 'leaving')
    replicas.note(c, 'leaving')
    expect(await picked(replicas)).toEqual([a, b, c])
  })

  test('says so by closing the connection of an answer that is no refusal', () => {
    expect(resultOf(200, 'close')).toBe('leaving')
    expect([resultOf(200, 'keep-alive'), resultOf(413, 'close'), resultOf(200, null)]).toEqual(['answered', 'answered', 'answered'])
    expect(resultOf(500, 'close')).toBe('failed')
  })
})

describe('an address that nobody has any more, which the name still gives', () => {
  const d = 'http://10.0.0.4:8080'

  test('gets no call, not even the first, and however many there are', async () => {
    const replicas = behind('10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4')
    silent = [a, b, c]
    expect(await picked(replicas)).toEqual([d])
    expect(await replicas.pick(d)).toBe(d)
  })

  test('is tried first when its last answer is a second old, and at once after a failure', async () => {
    const replicas = behind('10.0.0.1', '10.0.0.2')
    await picked(replicas)
    expect(new Set(asked.splice(0))).toEqual(new Set([a, b]))
    clock = 900
    replicas.note(a, 'answered')
    clock = 1800
    silent = [a, b]
    expect(await picked(replicas)).toEqual([a])
    expect(new Set(asked.splice(0))).toEqual(new Set([b]))
    replicas.note(a, 'failed')
    await picked(replicas)
    expect(asked).toContain(a)
  })

  test('that took a connection for one call is asked again for the next, which it may not live to see', async () => {
    const replicas = behind('10.0.0.1', '10.0.0.2')
    await picked(replicas)
    silent = [a]
    expect(await picked(replicas)).toEqual([b])
  })

  test('is called again when somebody takes its connections', async () => {
    const replicas = behind('10.0.0.1', '10.0.0.2')
    silent = [b]
    expect(await picked(replicas)).toEqual([a])
    silent = []
    clock = 2001
    await picked(replicas)
    expect(await picked(replicas)).toEqual([a, b])
  })

  test('is called all the same when there is no other', async () => {
    const replicas = behind('10.0.0.1', '10.0.0.2')
    silent = [a, b]
    expect([a, b]).toContain(await replicas.pick())
  })
})
