/** The API's routes: each one reads its request, calls the room that knows, and answers once. */
import express, { type Request, type RequestHandler, type Router } from 'express'
import { type Aircraft, aircraftTypes, publicAircraft } from './aircraft.ts'
import { airlineResources } from './airlines.ts'
import { confirmCancellation, createCancellation, findCancellation, listCancellations } from './cancellations.ts'
import { sendProblems } from './envelope.ts'
import { collectProblems, notFound } from './errors.ts'
import { type Fields, onlyKnownQuery, readData } from './fields.ts'
import { createOfferRequest, getOfferRequest, listOffers } from './offer-requests.ts'
import { getOffer, priceOffer } from './offers.ts'
import { createOrder } from './order-placing.ts'
import { getOrder, listOrders, payOrder, updateOrder } from './orders.ts'
import { pageOf, readPageRequest } from './pages.ts'
import { airports, placesNear, suggestPlaces } from './places.ts'
import { listSeatMaps } from './services.ts'
import type { World } from './world.ts'

const param = (req: Request, name = 'id'): string => String(req.params[name])
const queryOf = (req: Request): Fields => req.query as Fields
const noQuery = (req: Request): void => onlyKnownQuery(queryOf(req), [])

/** @param slow waits as long as an airline takes; absent in tests. */
export const duffelRoutes = (world: World, slow: { search: RequestHandler; order: RequestHandler; read: RequestHandler }): Router => {
  const router = express.Router()

  router.post('/air/offer_requests', slow.search, (req, res) => {
    res.status(201).json({ data: createOfferRequest(world, readData(req.body), queryOf(req)) })
  })
  router.get('/air/offer_requests/:id', slow.read, (req, res) => {
    noQuery(req)
    res.json({ data: getOfferRequest(world, param(req)) })
  })
  router.get('/air/offers', slow.read, (req, res) => void res.json(listOffers(world, queryOf(req))))
  router.get('/air/offers/:id', slow.read, (req, res) => void res.json({ data: getOffer(world, param(req), queryOf(req)) }))
  router.post('/air/offers/:id/actions/price', slow.read, (req, res) => {
    noQuery(req)
    res.json({ data: priceOffer(world, param(req), readData(req.body)) })
  })
  router.get('/air/seat_maps', slow.read, (req, res) => void res.json({ data: listSeatMaps(world, queryOf(req)) }))

  router.post('/air/orders', slow.order, (req, res) => {
    noQuery(req)
    const answer = createOrder(world, readData(req.body))
    if (answer.kind === 'error') sendProblems(res, answer.error.status, answer.error.problems)
    else if (answer.kind === 'created') res.status(201).json({ data: answer.resource })
    // The order may still come: nothing about it is known yet.
    else if (answer.kind === 'accepted') res.status(202).json({ data: {} })
    else if (answer.kind === 'reset') req.socket.resetAndDestroy()
  })
  router.get('/air/orders', slow.read, (req, res) => void res.json(listOrders(world, queryOf(req))))
  router.get('/air/orders/:id', slow.read, (req, res) => {
    noQuery(req)
    res.json({ data: getOrder(world, param(req)) })
  })
  router.patch('/air/orders/:id', slow.read, (req, res) => {
    noQuery(req)
    res.json({ data: updateOrder(world, param(req), readData(req.body)) })
  })
  router.post('/air/payments', slow.order, (req, res) => {
    noQuery(req)
    res.status(201).json({ data: payOrder(world, readData(req.body)) })
  })

  router.post('/air/order_cancellations', slow.read, (req, res) => {
    noQuery(req)
    res.status(201).json({ data: createCancellation(world, readData(req.body)) })
  })
  router.post('/air/order_cancellations/:id/actions/confirm', slow.order, (req, res) => {
    noQuery(req)
    const { resource, hangs } = confirmCancellation(world, param(req))
    if (!hangs) res.json({ data: resource })
  })
  router.get('/air/order_cancellations/:id', slow.read, (req, res) => {
    noQuery(req)
    res.json({ data: findCancellation(world, param(req)).resource })
  })
  router.get('/air/order_cancellations', slow.read, (req, res) => void res.json(listCancellations(world, queryOf(req))))

  catalogue(router, '/air/airlines', airlineResources, ['iata_code'])
  catalogue(router, '/air/airports', airports, ['iata_code', 'iata_country_code'])
  catalogue(router, '/air/aircraft', aircraftTypes.map(publicAircraft) satisfies Aircraft[], ['iata_code'])

  router.get('/places/suggestions', (req, res) => {
    onlyKnownQuery(queryOf(req), ['query', 'name', 'lat', 'lng', 'rad'])
    res.json({ data: placesFor(queryOf(req)) })
  })
  return router
}

/** A list that never changes, with its single elements; parts named in `filters` can be asked for. */
const catalogue = <Item extends { id: string }>(router: Router, path: string, items: Item[], filters: string[]): void => {
  const sorted = items.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  router.get(path, (req, res) => {
    const query = queryOf(req)
    onlyKnownQuery(query, ['limit', 'after', 'before', ...filters])
    const wanted = sorted.filter((item) => filters.every((name) => query[name] === undefined || (item as Fields)[name] === query[name]))
    const page = pageOf(`${path}/${filters.map((name) => query[name] ?? '').join('/')}`, wanted, (item) => item.id, readPageRequest(query))
    res.json({ data: page.items, meta: page.meta })
  })
  router.get(`${path}/:id`, (req, res) => {
    const item = sorted.find(({ id }) => id === req.params.id)
    if (!item) throw notFound()
    res.json({ data: item })
  })
}

const placesFor = (query: Fields) => {
  const text = query.query ?? query.name
  if (typeof text === 'string' && text.trim() !== '') return suggestPlaces(text)
  const [latitude, longitude, radius] = [query.lat, query.lng, query.rad].map((value) => (value === undefined ? Number.NaN : Number(value)))
  if (![latitude, longitude, radius].some(Number.isNaN)) return placesNear(latitude!, longitude!, radius!)
  const problems = collectProblems()
  problems.add('validation_required', '/query', "Field 'query' can't be blank, unless 'lat', 'lng' and 'rad' are given")
  problems.refuse()
}
