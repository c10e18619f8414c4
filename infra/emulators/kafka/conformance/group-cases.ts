import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Consumer } from 'kafkajs'
import { describe, expect, test } from 'vitest'
import { type Bench, numbered, Reading } from './bench.ts'

const MEMBER_PROCESS = fileURLToPath(new URL('./member-process.ts', import.meta.url))

/** A member of a group whose share of the partitions can be waited for. */
class Member extends Reading {
  share: number[] = []
  private waitingForShare: (() => void)[] = []

  constructor(consumer: Consumer, groupId: string, topic: string) {
    super(consumer, groupId)
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      this.share = payload.memberAssignment[topic] ?? []
      for (const look of [...this.waitingForShare]) look()
    })
  }

  untilShare(size: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.share.length !== size) return
        this.waitingForShare = this.waitingForShare.filter((other) => other !== look)
        resolve()
      }
      this.waitingForShare.push(look)
      look()
    })
  }
}

export function groupCases(bench: () => Bench): void {
  const join = async (topic: string, groupId: string) => {
    const consumer = await bench().consumer({ groupId })
    const member = new Member(consumer, groupId, topic)
    await consumer.subscribe({ topic, fromBeginning: true })
    await consumer.run({ eachMessage: async (payload) => member.received(payload) })
    return member
  }
  /** One message with this text into each partition, so that its arrival says: everything before it has arrived. */
  const mark = async (topic: string, partitions: number, value: string) => {
    const producer = await bench().producer()
    await producer.send({ topic, messages: Array.from({ length: partitions }, (_, partition) => ({ partition, value })) })
  }
  const marksIn = (members: readonly Reading[], value: string) =>
    members.flatMap((member) => member.values()).filter((each) => each === value).length
  const untilMarked = (members: readonly Reading[], count: number, value: string) =>
    Promise.race(members.map((member) => member.until(() => marksIn(members, value) >= count)))

  describe('consumer groups', () => {
    test('two groups each receive everything', async () => {
      const topic = await bench().topic({ partitions: 2 })
      const readings = [await bench().read(topic), await bench().read(topic)]
      const producer = await bench().producer()
      await producer.send({ topic, messages: numbered(20).map((message) => ({ ...message, key: message.value })) })
      for (const reading of readings) {
        await reading.until((messages) => messages.length >= 20)
        expect(new Set(reading.values()).size).toBe(20)
      }
    })

    test('two members share the partitions, and every message comes to one of them', async () => {
      const topic = await bench().topic({ partitions: 6 })
      const groupId = bench().groupId()
      const members = [await join(topic, groupId), await join(topic, groupId)]
      await Promise.all(members.map((member) => member.untilShare(3)))
      expect(members.flatMap(({ share }) => share).sort()).toEqual([0, 1, 2, 3, 4, 5])
      const producer = await bench().producer({ idempotent: true, maxInFlightRequests: 1 })
      await producer.send({ topic, messages: numbered(120).map((message) => ({ ...message, key: message.value })) })
      await mark(topic, 6, 'end')
      await untilMarked(members, 6, 'end')
      const values = members.flatMap((member) => member.values()).filter((value) => value !== 'end')
      expect(values).toHaveLength(120)
      expect(new Set(values).size).toBe(120)
    })

    test('a member that joins while messages flow takes its share, and none is lost or repeated', async () => {
      const topic = await bench().topic({ partitions: 4 })
      const groupId = bench().groupId()
      const producer = await bench().producer({ idempotent: true, maxInFlightRequests: 1 })
      const members = [await join(topic, groupId)]
      await members[0]!.untilShare(4)
      const sending = (async () => {
        for (let n = 0; n < 60; n++) await producer.send({ topic, messages: [{ key: String(n), value: String(n) }] })
      })()
      members.push(await join(topic, groupId))
      await Promise.all(members.map((member) => member.untilShare(2)))
      await sending
      await mark(topic, 4, 'end')
      await untilMarked(members, 4, 'end')
      const values = members.flatMap((member) => member.values()).filter((value) => value !== 'end')
      expect(new Set(values).size).toBe(60)
      expect(values).toHaveLength(60)
    })

    test('when a member leaves, the other takes over where it has stopped', async () => {
      const topic = await bench().topic({ partitions: 4 })
      const groupId = bench().groupId()
      const leaving = await join(topic, groupId)
      const staying = await join(topic, groupId)
      await Promise.all([leaving.untilShare(2), staying.untilShare(2)])
      await mark(topic, 4, 'before')
      await untilMarked([leaving, staying], 4, 'before')
      await leaving.consumer.disconnect()
      await staying.untilShare(4)
      await mark(topic, 4, 'after')
      await untilMarked([staying], 4, 'after')
      expect(marksIn([leaving, staying], 'before')).toBe(4)
    })

    test('when a member dies without a word, the other takes over after its session time', async () => {
      const topic = await bench().topic({ partitions: 2 })
      const groupId = bench().groupId()
      const child = spawn(process.execPath, ['--disable-warning=TimeoutNegativeWarning', MEMBER_PROCESS, bench().brokers, groupId, topic], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      try {
        const shares = createInterface(child.stdout)[Symbol.asyncIterator]()
        expect(JSON.parse(String((await shares.next()).value)).sort()).toEqual([0, 1])
        const survivor = await join(topic, groupId)
        await survivor.untilShare(1)
        child.kill('SIGKILL')
        await once(child, 'exit')
        await survivor.untilShare(2)
        await mark(topic, 2, 'after')
        await untilMarked([survivor], 2, 'after')
      } finally {
        child.kill('SIGKILL')
      }
    })

    test('a member too slow for its session loses its partition, and its late commit does not count', async () => {
      const topic = await bench().topic()
      const groupId = bench().groupId()
      const producer = await bench().producer()
      await producer.send({ topic, messages: numbered(1) })
      const slow = await bench().consumer({ groupId, sessionTimeout: 6_000 })
      await slow.subscribe({ topic, fromBeginning: true })
      let goOn = () => {}
      const mayGoOn = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const isHandling = new Promise<void>((resolve) => {
        slow.run({
          eachMessage: async () => {
            resolve()
            await mayGoOn
          },
        })
      })
      await isHandling
      // The second member can only come in, and get the partition, once the first has been given up.
      const quick = await join(topic, groupId)
      await quick.untilShare(1)
      await quick.untilValue('0')
      await quick.consumer.disconnect()
      const admin = await bench().admin()
      await expect.poll(async () => (await admin.fetchOffsets({ groupId, topics: [topic] }))[0]!.partitions[0]!.offset).toBe('1')
      goOn()
      await slow.disconnect()
      expect((await admin.fetchOffsets({ groupId, topics: [topic] }))[0]!.partitions[0]!.offset).toBe('1')
    })
  })
}
