/** The relay of the campaign's collection as a process of its own, to be killed: `node kafka-relay.ts` with MONGO_URL and KAFKA_BROKERS. */
import { createMetrics } from '@passerelle/kit/metrics'
import { connectMongo } from '@passerelle/kit/mongo'
import { createOutboxModel, startRelay } from '@passerelle/kit/outbox'
import type { Connection, Model } from 'mongoose'
import { DATABASE, publisher, quiet } from './kafka-lab.ts'

export type Walk = { _id: string; step: number; outbox?: { at: string }[]; outboxPending?: boolean }

export function walksOf(mongo: Connection): Model<Walk> {
  return createOutboxModel<Walk>(mongo, 'Walk', { collection: 'walks', fields: { _id: String, step: Number } })
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { MONGO_URL = '', KAFKA_BROKERS = '' } = process.env
  const mongo = await connectMongo(MONGO_URL, DATABASE, quiet)
  const bus = await publisher({ MONGO_URL, KAFKA_BROKERS })
  startRelay(walksOf(mongo) as unknown as Model<never>, bus, quiet, createMetrics('relay'))
}
