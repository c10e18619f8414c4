/** From an HTTP request to an answer, in one transaction: who asks, whether it was asked before, and what came of it. */

import { type Endpoint, endpoints } from './endpoints.ts'
import { StripeApiError, unauthorised } from './error.ts'
import { readForm } from './form.ts'
import { fingerprintOf, replayOf } from './idempotency.ts'
import { expireHolds } from './payment-intents.ts'
import { usePlan, type World } from './world.ts'

export type ApiRequest = {
  method: string
  path: string
  query: string
  body: string
  contentType: string
  authorization: string | undefined
  idempotencyKey: string | undefined
  requestId: string
}
export type ApiAnswer = { status: number; body: string; headers: Record<string, string> }

export const answer = (world: World, request: ApiRequest): ApiAnswer =>
  world.store.transaction(() => {
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
  authenticate(request.authorization)
  const { endpoint, id } = findEndpoint(request)
  if (request.method === 'POST' && request.body !== '' && !request.contentType.startsWith('application/x-www-form-urlencoded'))
    throw new StripeApiError(
      400,
      {
        type: 'invalid_request_error',
        message: 'Invalid request (check that your POST content type is application/x-www-form-urlencoded).',
      },
      true,
    )
  const form = readForm(request.method === 'POST' ? request.body : request.query)
  const key = request.method === 'POST' ? request.idempotencyKey : undefined
  if (key === undefined) return success(endpoint.run(world, form, id))

  const known = { endpoint: request.path, fingerprint: fingerprintOf(form), now: world.now() }
  const headers = { 'idempotency-key': key }
  const first = replayOf(world.store, key, known)
  if (first)
    return {
      status: first.status,
      body: first.body,
      headers: { ...headers, 'idempotent-replayed': 'true', 'original-request': first.requestId },
    }
  let result: ApiAnswer
  try {
    if (usePlan(world.plans, 'stored-error')) throw new StripeApiError(500, { type: 'api_error', message: 'An unknown error occurred.' })
    result = success(endpoint.run(world, form, id))
  } catch (error) {
    if (!(error instanceof StripeApiError) || error.unexecuted) throw error
    result = failure(error)
  }
  world.store.remember(key, { ...known, status: result.status, body: result.body, requestId: request.requestId, at: known.now })
  return { ...result, headers }
}

const success = (object: unknown): ApiAnswer => ({ status: 200, body: JSON.stringify(object), headers: {} })

const failure = (error: unknown): ApiAnswer => {
  if (!(error instanceof StripeApiError)) throw error
  return { status: error.status, body: JSON.stringify({ error: error.body }), headers: {} }
}

const authenticate = (authorization: string | undefined): void => {
  const [scheme = '', credentials = ''] = (authorization ?? '').split(' ')
  const key = scheme.toLowerCase() === 'basic' ? (Buffer.from(credentials, 'base64').toString().split(':')[0] ?? '') : credentials
  if (authorization === undefined || key === '')
    throw unauthorised(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  if (key.startsWith('pk_'))
    throw unauthorised('This API call cannot be made with a publishable API key. Please use a secret API key.', 'secret_key_required')
  if (!/^[sr]k_test_\S+$/.test(key)) throw unauthorised(`Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}`)
}

const findEndpoint = ({ method, path }: ApiRequest): { endpoint: Endpoint; id: string } => {
  const parts = path.split('/')
  for (const endpoint of endpoints) {
    const steps = endpoint.path.split('/')
    if (endpoint.method !== method || steps.length !== parts.length) continue
    if (steps.every((step, at) => step === ':id' || step === parts[at])) return { endpoint, id: decoded(parts[steps.indexOf(':id')] ?? '') }
  }
  throw new StripeApiError(
    404,
    { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs.` },
    true,
  )
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
