/** A process with tracing, as its own program: it serves and makes calls whose addresses are full of what no trace may contain. */
import { request } from 'node:http'
import { event } from '@passerelle/contracts/event'
import { deadLetterTopic } from '@passerelle/contracts/events/topics'
import { Router } from 'express'
import { Schema } from 'mongoose'
import { z } from 'zod'
import { connectBus, on } from './bus.ts'
import { createTopics, kafkaClient } from './kafka.ts'
import { createLog } from './log.ts'
import { createMetrics } from './metrics.ts'
import { createOutboxEvent } from './outbox.ts'
import { defineService, start } from './service.ts'

const noted = event('booking', 'row.noted', 1, z.object({ bookingId: z.string() }), ({ bookingId }) => bookingId)
const handled = Promise.withResolvers<void>()
const namespace = `t${process.pid}-`

const definition = defineService({
  name: 'traced',
  config: z.object({ KAFKA_BROKERS: z.string() }),
  needs: { mongo: true, redis: true },
  async setup({ config, mongo, cache }) {
    const log = createLog('traced', 'silent')
    const about = { brokers: config.KAFKA_BROKERS, clientId: 'traced', log }
    const topics = [
      { name: `${namespace}booking.events`, partitions: 1, retentionMs: 60_000 },
      { ...deadLetterTopic(`${namespace}traced`), partitions: 1 },
    ]
    await createTopics(kafkaClient(about), topics)
    const bus = await connectBus({ ...about, namespace, metrics: createMetrics('traced'), onFatal: () => process.exit(2) })
    await bus.consume({ group: 'traced', subscriptions: [on(noted, async () => handled.resolve())] }, mongo)
    const rows = mongo.model('Row', new Schema({ _id: String, email: { type: String, unique: true } }, { versionKey: false }))
    const router = Router()
    router.get('/bookings/:id', async (incoming, response) => {
      const { id } = incoming.params
      await cache.set(`session:${id}`, 'secret-value', 1000)
      await rows.findOne({ _id: id, email: 'secret-mail@example.org' }).lean()
      await rows.create({ _id: id, email: 'secret-mail@example.org' }).catch(() => undefined)
      await rows.create({ _id: `${id}-2`, email: 'secret-mail@example.org' }).catch(() => undefined)
      await bus.publish([createOutboxEvent(noted, { bookingId: id }, { sequence: 1, at: new Date() })])
      response.json({})
    })
    router.get('/fails/:id', () => {
      throw new Error('secret-message')
    })
    return { routers: [router], stop: () => bus.stop() }
  },
})
const service = await start(definition, process.env)
const headers = { 'user-agent': 'secret-agent/1.0', 'x-forwarded-for': '203.0.113.77', 'x-secret': 'secret-header' }
for (const path of ['/bookings/secret-id?email=secret-query', '/fails/secret-id', '/nothing/secret-path?token=secret-query']) {
  await (await fetch(service.url + path, { headers })).text()
  await new Promise<void>((done) => {
    request(service.url + path, { headers }, (answer) => answer.resume().once('end', done)).end()
  })
}
await handled.promise
await service.stop()
