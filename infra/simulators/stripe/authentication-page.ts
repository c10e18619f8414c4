/** The bank's page in a 3-D Secure redirect: the cardholder completes or fails, and goes back to the shop. */
import express, { type Router } from 'express'
import { authenticate } from './cases.ts'
import type { PaymentIntent } from './resources.ts'
import type { World } from './world.ts'

export const authenticationPage = (world: World, changed: () => void): Router => {
  const router = express.Router()
  const waiting = (id: string): PaymentIntent | undefined => {
    const intent = world.store.find('payment_intent', id)
    return intent?.status === 'requires_action' ? intent : undefined
  }
  router.get('/_auth/:id', (req, res) => {
    const intent = waiting(req.params.id)
    if (!intent) return void res.status(404).type('text').send('There is nothing to authenticate here.')
    res.type('html').send(page(intent.id))
  })
  router.post('/_auth/:id/:outcome', (req, res) => {
    const intent = waiting(req.params.id)
    if (!intent) return void res.status(404).type('text').send('There is nothing to authenticate here.')
    const action = intent.next_action as { redirect_to_url?: { return_url: string } } | null
    const returnUrl = action?.redirect_to_url?.return_url
    const success = req.params.outcome === 'complete'
    world.store.transaction(() => authenticate(world, intent, success))
    changed()
    if (!returnUrl) return void res.type('text').send('Thank you. You can close this page.')
    const back = new URL(returnUrl)
    back.searchParams.set('payment_intent', intent.id)
    back.searchParams.set('payment_intent_client_secret', intent.client_secret)
    back.searchParams.set('redirect_status', success ? 'succeeded' : 'failed')
    res.redirect(303, back.href)
  })
  return router
}

const page = (id: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>3-D Secure test page</title>
<style>body{font:16px/1.5 system-ui;max-width:32rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.6rem 1rem;margin-right:.5rem}</style></head>
<body><h1>Is it really you?</h1><p>This stands for the page of the cardholder's bank.</p>
<form method="post" action="/_auth/${id}/complete" style="display:inline"><button>Complete authentication</button></form>
<form method="post" action="/_auth/${id}/fail" style="display:inline"><button>Fail authentication</button></form>
</body></html>`
