/**
 * What a broker must do for this product, asked through kafkajs itself. Runs on the emulator, and unchanged on the real broker whose
 * address is in `KAFKA_BROKERS`: what holds for one must hold for the other.
 */
import { afterAll, afterEach, beforeAll } from 'vitest'
import { Bench } from './conformance/bench.ts'
import { groupCases } from './conformance/group-cases.ts'
import { messageCases } from './conformance/message-cases.ts'
import { topicCases } from './conformance/topic-cases.ts'

let running: Bench
const bench = () => running

beforeAll(async () => {
  running = await Bench.start()
})
afterEach(() => running.closeClients())
afterAll(() => running.stop())

topicCases(bench)
messageCases(bench)
groupCases(bench)
