/** The errors that Stripe answers, with its statuses, types, codes and words. */

export type ErrorBody = {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  doc_url?: string
  charge?: string
  payment_intent?: unknown
  payment_method?: unknown
}

/** Answered as `{ error }` with its status. */
export class StripeApiError extends Error {
  status: number
  body: ErrorBody
  /** The request was refused before anything was carried out: its idempotency key stays free. */
  unexecuted: boolean

  constructor(status: number, body: ErrorBody, unexecuted = false) {
    super(body.message)
    this.status = status
    this.body = body.code ? { ...body, doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll('_', '-')}` } : body
    this.unexecuted = unexecuted
  }
}

export const invalidParameter = (message: string, param: string, code?: string) =>
  new StripeApiError(400, { type: 'invalid_request_error', message, param, ...(code ? { code } : {}) }, true)

/** In a path a missing object is 404; named by a parameter it is a bad request. */
export const missingResource = (kind: string, id: string, param?: string) =>
  new StripeApiError(param ? 400 : 404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param: param ?? (kind === 'payment_intent' ? 'intent' : 'id'),
  })

export const refusedOperation = (message: string, more: Partial<ErrorBody> = {}) =>
  new StripeApiError(400, { type: 'invalid_request_error', message, ...more })

export const unauthorised = (message: string) => new StripeApiError(401, { type: 'invalid_request_error', message }, true)

export const notSimulated = (method: string, path: string) =>
  new StripeApiError(
    501,
    { type: 'invalid_request_error', message: `${method} ${path} is not simulated; infra/simulators/stripe/README.md lists what is.` },
    true,
  )

/** What a bare status stands for when a fault asks for it without a body. */
export const errorBodyOf = (status: number): { error: ErrorBody } => {
  const error: ErrorBody =
    status === 429
      ? { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded.' }
      : status === 409
        ? {
            type: 'invalid_request_error',
            code: 'lock_timeout',
            message: 'This object cannot be accessed right now because another API request or Stripe process is currently accessing it.',
          }
        : { type: 'api_error', message: 'An unknown error occurred.' }
  return { error }
}
