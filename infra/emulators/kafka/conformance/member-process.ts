/** A group member in a process of its own, so that it can die without a word: `node member-process.ts BROKERS GROUP TOPIC`. */
import { Kafka, logLevel } from 'kafkajs'
import { CONSUMER_TIMES } from './bench.ts'

const [brokers, groupId, topic] = process.argv.slice(2) as [string, string, string]
const kafka = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING, retry: { initialRetryTime: 50, retries: 12 } })
const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, ...CONSUMER_TIMES, sessionTimeout: 6_000 })
consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => console.log(JSON.stringify(payload.memberAssignment[topic] ?? [])))
await consumer.connect()
await consumer.subscribe({ topic, fromBeginning: true })
await consumer.run({ eachMessage: async () => {} })
