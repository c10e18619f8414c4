/** The relay of the campaign's collection as a process of its own, to be killed: `node kafka-relay.ts` with MONGO_URL and KAFKA_BROKERS. */
import { createMetrics } from '@passerelle/kit/metrics'
import { connectMongo } from '@passerelle/kit/mongo'
import { outboxFields, outboxIndex, startRelay } from '@passerelle/kit/outbox'
import { type Connection, type Model, Schema } from 'mongoose'
import { DATABASE, publisher, quiet } from './kafka-lab.ts'

export type Walk = { _id: string; step: number; outbox?: { at: string }[]; outboxPending?: boolean }

export function walksOf(mongo: Connection): Model<Walk> {
  const schema = new Schema({ _id: String, step: Number, ...outboxFields }, { versionKey: false, collection: 'walks' })
  schema.index(...outboxIndex)
  return mongo.model('Walk', schema) as unknown as Model<Walk>
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { MONGO_URL = '', KAFKA_BROKERS = '' } = process.env
  const mongo = await connectMongo(MONGO_URL, DATABASE, quiet)
  const bus = await publisher({ MONGO_URL, KAFKA_BROKERS })
  startRelay(walksOf(mongo) as unknown as Model<never>, bus, quiet, createMetrics('relay'))
}
