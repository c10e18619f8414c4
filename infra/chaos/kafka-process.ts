/** `node kafka-process.ts member|relay` with MONGO_URL and KAFKA_BROKERS: a member of the group, or the relay of the campaign's outbox. */
import { createMetrics } from '@passerelle/kit/metrics'
import { startRelay } from '@passerelle/kit/outbox'
import { connectLabBus, connectLabMongo, joinGroup, quiet, walksOf } from './kafka-lab.ts'

const { MONGO_URL = '', KAFKA_BROKERS = '' } = process.env
const addresses = { MONGO_URL, KAFKA_BROKERS }
const mongo = await connectLabMongo(MONGO_URL)
const end = () => process.exit(1)
if (process.argv[2] === 'member') await joinGroup({ ...addresses, mongo }, undefined, end)
else startRelay(walksOf(mongo) as never, await connectLabBus(addresses, end), quiet, createMetrics('relay'))
