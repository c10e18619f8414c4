/** The API's routes: each one reads its request, calls the room that knows, and answers once. */
import express, { type Request, type RequestHandler, type Router } from 'express'
import { acceptChange, listChanges } from './airline-changes.ts'
import { noQuery, read } from './body.ts'
import { confirmCancellation, createCancellation, listCancellations } from './cancellations.ts'
import { sendProblems } from './envelope.ts'
import { getOffer } from './offer-reading.ts'
import { createOfferRequest } from './offer-requests.ts'
import { createOrder } from './order-placing.ts'
import { getOrder, listOrders } from './orders.ts'
import { listSeatMaps } from './services.ts'
import type { World } from './world.ts'

const idOf = (req: Request): string => String(req.params.id)

/** @param slow waits as long as an airline takes. */
export const duffelRoutes = (world: World, slow: { search: RequestHandler; order: RequestHandler; read: RequestHandler }): Router => {
  const router = express.Router()
  router.post('/air/offer_requests', slow.search, (req, res) => {
    res.status(201).json({ data: createOfferRequest(world, req.body, req.query) })
  })
  router.get('/air/offers/:id', slow.read, (req, res) => void res.json({ data: getOffer(world, idOf(req), req.query) }))
  router.get('/air/seat_maps', slow.read, (req, res) => void res.json({ data: listSeatMaps(world, req.query) }))

  router.post('/air/orders', slow.order, (req, res) => {
    read(noQuery, req.query)
    const answer = createOrder(world, req.body)
    if (answer.kind === 'error') sendProblems(res, answer.error.status, answer.error.problems)
    else if (answer.kind === 'created') res.status(201).json({ data: answer.resource })
    // The order may still come: nothing about it is known yet.
    else if (answer.kind === 'accepted') res.status(202).json({ data: {} })
    else if (answer.kind === 'reset') req.socket.resetAndDestroy()
  })
  router.get('/air/airline_initiated_changes', slow.read, (req, res) => void res.json(listChanges(world, req.query)))
  router.post('/air/airline_initiated_changes/:id/actions/accept', slow.order, (req, res) => {
    res.json({ data: acceptChange(world, idOf(req), req.query) })
  })
  router.get('/air/orders', slow.read, (req, res) => void res.json(listOrders(world, req.query)))
  router.get('/air/orders/:id', slow.read, (req, res) => {
    read(noQuery, req.query)
    res.json({ data: getOrder(world, idOf(req)) })
  })

  router.post('/air/order_cancellations', slow.read, (req, res) => {
    read(noQuery, req.query)
    res.status(201).json({ data: createCancellation(world, req.body) })
  })
  router.post('/air/order_cancellations/:id/actions/confirm', slow.order, (req, res) => {
    const { resource, hangs } = confirmCancellation(world, idOf(req), req.query)
    if (!hangs) res.json({ data: resource })
  })
  router.get('/air/order_cancellations', slow.read, (req, res) => void res.json(listCancellations(world, req.query)))
  return router
}
