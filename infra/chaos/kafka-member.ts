/** A member of the group as a process of its own, to be killed: `node kafka-member.ts` with MONGO_URL and KAFKA_BROKERS. */
import { connectMongo } from '@passerelle/kit/mongo'
import { DATABASE, joinGroup, quiet } from './kafka-lab.ts'

const { MONGO_URL = '', KAFKA_BROKERS = '' } = process.env
const mongo = await connectMongo(MONGO_URL, DATABASE, quiet)
await joinGroup({ MONGO_URL, KAFKA_BROKERS }, mongo, () => process.exit(1))
