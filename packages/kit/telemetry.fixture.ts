/** A process with tracing, as its own program: it serves and makes calls whose addresses are full of what no trace may hold. */
import { request } from 'node:http'
import { Router } from 'express'
import { Schema } from 'mongoose'
import { z } from 'zod'
import { defineService, start } from './service.ts'

const definition = defineService({
  name: 'traced',
  config: z.object({}),
  needs: { mongo: true, redis: true },
  async setup({ mongo, cache }) {
    const rows = mongo.model('Row', new Schema({ _id: String, email: { type: String, unique: true } }, { versionKey: false }))
    const router = Router()
    router.get('/bookings/:id', async (incoming, response) => {
      await cache.set(`session:${incoming.params.id}`, 'secret-value', 1000)
      await rows.findOne({ _id: incoming.params.id, email: 'secret-mail@example.org' }).lean()
      await rows.create({ _id: incoming.params.id, email: 'secret-mail@example.org' }).catch(() => undefined)
      await rows.create({ _id: `${incoming.params.id}-2`, email: 'secret-mail@example.org' }).catch(() => undefined)
      response.json({})
    })
    router.get('/fails/:id', () => {
      throw new Error('secret-message')
    })
    return { routers: [router] }
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
await service.stop()
