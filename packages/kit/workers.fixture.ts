/** A service that says which process has answered. */
import { Router } from 'express'
import { z } from 'zod'
import { run } from './run.ts'
import { defineService } from './service.ts'

const definition = defineService({
  name: 'gateway',
  config: z.object({}),
  needs: {},
  async setup({ metrics }) {
    const router = Router()
    router.get('/pid', (_request, response) => {
      metrics.rejected.inc({ reason: 'asked' })
      response.json(process.pid)
    })
    return { routers: [router] }
  },
})

await run(definition)
