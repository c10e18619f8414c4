/** The rule that no send follows a failed one on the same producer, with producers that fail on demand. */
import type { Kafka, TopicMessages } from 'kafkajs'
import { expect, test } from 'vitest'
import { createProducer } from './bus-producer.ts'
import { createLog } from './log.ts'

const log = createLog('test', 'silent')
const message = (value: string): TopicMessages[] => [{ topic: 't', messages: [{ value }] }]

type Sent = { producer: number; value: string }

/** Producers numbered from 1; `answer` decides what becomes of a send. */
function fakeKafka(answer: (sent: Sent) => Promise<void>) {
  const sent: Sent[] = []
  const ended: number[] = []
  let made = 0
  let underWay = 0
  let mostUnderWay = 0
  const kafka = {
    producer() {
      made += 1
      const producer = made
      return {
        connect: async () => undefined,
        disconnect: async () => void ended.push(producer),
        async sendBatch({ topicMessages }: { topicMessages: TopicMessages[] }) {
          const one = { producer, value: String(topicMessages[0]?.messages[0]?.value) }
          sent.push(one)
          underWay += 1
          mostUnderWay = Math.max(mostUnderWay, underWay)
          try {
            await answer(one)
          } finally {
            underWay -= 1
          }
        },
      }
    },
  } as unknown as Kafka
  return { kafka, sent, ended, mostUnderWay: () => mostUnderWay }
}

test('sends go one after another, in the order they were asked for', async () => {
  const { kafka, sent, mostUnderWay } = fakeKafka(() => new Promise((resolve) => setImmediate(resolve)))
  const producer = createProducer(kafka, log, 1000)
  await Promise.all(['a', 'b', 'c'].map((value) => producer.send(message(value))))
  expect(sent.map(({ value }) => value)).toEqual(['a', 'b', 'c'])
  expect(mostUnderWay()).toBe(1)
  await producer.stop()
})

test('after a failed send the waiting sends use a new producer', async () => {
  const { kafka, sent, ended } = fakeKafka(async ({ value }) => {
    if (value === 'bad') throw new Error('the answer got lost')
  })
  const producer = createProducer(kafka, log, 1000)
  const results = await Promise.allSettled(['good', 'bad', 'next', 'last'].map((value) => producer.send(message(value))))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(sent.map(({ producer, value }) => `${value} by ${producer}`)).toEqual(['good by 1', 'bad by 1', 'next by 2', 'last by 2'])
  expect(ended).toEqual([1, 1])
  await producer.stop()
  expect(ended).toEqual([1, 1, 2])
})

test('a send that hangs is refused at its limit, and the next one goes by a new producer', async () => {
  const { kafka, sent } = fakeKafka(({ value }) => (value === 'hangs' ? new Promise(() => undefined) : Promise.resolve()))
  const producer = createProducer(kafka, log, 50)
  await expect(producer.send(message('hangs'))).rejects.toThrow('publishing took longer than 50 ms')
  await producer.send(message('next'))
  expect(sent).toEqual([
    { producer: 1, value: 'hangs' },
    { producer: 2, value: 'next' },
  ])
  await producer.stop()
})

test('a send that timed out while it waited for its turn is never sent', async () => {
  const { kafka, sent } = fakeKafka(({ value }) => (value === 'hangs' ? new Promise(() => undefined) : Promise.resolve()))
  const producer = createProducer(kafka, log, 50)
  const results = await Promise.allSettled([producer.send(message('hangs')), producer.send(message('late'))])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await producer.send(message('next'))
  expect(sent.map(({ value }) => value)).toEqual(['hangs', 'next'])
  await producer.stop()
})

test('after a stop every send is refused', async () => {
  const { kafka, sent } = fakeKafka(() => Promise.resolve())
  const producer = createProducer(kafka, log, 50)
  await producer.send(message('good'))
  await producer.stop()
  await expect(producer.send(message('too late'))).rejects.toThrow('the bus was stopped')
  expect(sent.map(({ value }) => value)).toEqual(['good'])
})
