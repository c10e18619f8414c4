/** From an HTTP request to an answer, in one transaction: who asks, whether it was asked before, and what came of it. */
import type { z } from 'zod'
import { disputeListSchema, listDisputes } from './disputes.ts'
import { notSimulated, StripeApiError, unauthorised } from './error.ts'
import { fingerprintOf, type IdempotencyRecord, replayOf } from './idempotency.ts'
import { type Form, readParameters } from './parameters.ts'
import {
  cancelIntent,
  captureIntent,
  confirmIntent,
  confirmSchema,
  createIntent,
  createSchema,
  expireHolds,
  listIntents,
  listSchema,
  noParameters,
  refusePaymentMethod,
  retrieveIntent,
  retrieveSchema,
} from './payment-intents.ts'
import { createRefund, listRefunds, refundListSchema, refundSchema } from './refunds.ts'
import type { World } from './world.ts'

type ApiRequest = {
  method: string
  path: string
  /** Absent when the body of a POST is not a form. */
  form: Form | undefined
  authorization: string | undefined
  idempotencyKey: string | undefined
  requestId: string
}
type ApiAnswer = { status: number; body: string; headers: Record<string, string> }
type Run = (world: World, form: Form, id: string) => unknown

const route = <S extends z.ZodType>(
  path: string,
  schema: S,
  work: (world: World, params: z.output<S>, id: string) => unknown,
): [string, Run] => [path, (world, form, id) => work(world, readParameters(schema, form), id)]

const routes = new Map([
  route('POST /v1/payment_intents', createSchema, createIntent),
  route('GET /v1/payment_intents', listSchema, listIntents),
  route('GET /v1/payment_intents/:id', retrieveSchema, (world, params, id) => retrieveIntent(world, id, params)),
  route('POST /v1/payment_intents/:id/confirm', confirmSchema, (world, params, id) => confirmIntent(world, id, params)),
  route('POST /v1/payment_intents/:id/capture', noParameters, (world, _params, id) => captureIntent(world, id)),
  route('POST /v1/payment_intents/:id/cancel', noParameters, (world, _params, id) => cancelIntent(world, id)),
  route('POST /v1/payment_methods', noParameters, refusePaymentMethod),
  route('POST /v1/refunds', refundSchema, createRefund),
  route('GET /v1/refunds', refundListSchema, listRefunds),
  route('GET /v1/disputes', disputeListSchema, listDisputes),
])

export const answer = (world: World, request: ApiRequest): ApiAnswer =>
  world.documents.transaction(() => {
    expireHolds(world)
    world.request = { requestId: request.requestId, idempotencyKey: request.idempotencyKey ?? null }
    try {
      return carryOut(world, request)
    } catch (error) {
      return failure(error)
    } finally {
      world.request = undefined
    }
  })

const carryOut = (world: World, request: ApiRequest): ApiAnswer => {
  authenticate(world, request.authorization)
  const { run, id } = findRoute(request)
  const { form } = request
  if (!form) {
    const message = 'Invalid request (check that your POST content type is application/x-www-form-urlencoded).'
    throw new StripeApiError(400, { type: 'invalid_request_error', message }, true)
  }
  const key = request.method === 'POST' ? request.idempotencyKey : undefined
  if (key === undefined) return success(run(world, form, id))

  const known = { endpoint: request.path, fingerprint: fingerprintOf(form), at: world.now() }
  const headers = { 'idempotency-key': key }
  const first = replayOf(world.documents, key, known)
  if (first) {
    const { status, body, requestId } = first
    return { status, body, headers: { ...headers, 'idempotent-replayed': 'true', 'original-request': requestId } }
  }
  let result: ApiAnswer
  try {
    if (world.storedErrors > 0) {
      world.storedErrors -= 1
      throw new StripeApiError(500, { type: 'api_error', message: 'An unknown error occurred.' })
    }
    result = success(run(world, form, id))
  } catch (error) {
    if (!(error instanceof StripeApiError) || error.unexecuted) throw error
    result = failure(error)
  }
  const record: IdempotencyRecord = { ...known, status: result.status, body: result.body, requestId: request.requestId }
  world.documents.remove('idempotency', { id: key })
  world.documents.insert('idempotency', key, record)
  return { ...result, headers }
}

const success = (object: unknown): ApiAnswer => ({ status: 200, body: JSON.stringify(object), headers: {} })

const failure = (error: unknown): ApiAnswer => {
  if (!(error instanceof StripeApiError)) throw error
  return { status: error.status, body: JSON.stringify({ error: error.body }), headers: {} }
}

const authenticate = ({ livemode }: World, authorization: string | undefined): void => {
  const key = /^Bearer (.+)$/.exec(authorization ?? '')?.[1]
  if (key === undefined) throw unauthorised('You did not provide an API key in the Authorization header, using Bearer auth.')
  if (!(livemode ? /^[sr]k_live_\S+$/ : /^[sr]k_test_\S+$/).test(key))
    throw unauthorised(`Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}`)
}

const findRoute = ({ method, path }: ApiRequest): { run: Run; id: string } => {
  const parts = path.split('/')
  const id = parts[3] ?? ''
  const run = routes.get(`${method} ${parts.with(Math.min(3, parts.length - 1), parts.length > 3 ? ':id' : parts.at(-1)!).join('/')}`)
  if (!run) throw notSimulated(method, path)
  return { run, id: decoded(id) }
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
