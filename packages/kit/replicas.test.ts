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
const behind = (...hosts: string[]) => {
  addresses = hosts
  return createReplicas('http://search:8080', async () => {
    if (addresses.length === 0) throw new Error('ENOTFOUND')
    return addresses
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
