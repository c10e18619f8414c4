/** Errors in Duffel's shape: `{ meta: { status, request_id }, errors: [{ type, code, title, message, documentation_url, source? }] }`. */

export type ApiProblem = {
  type: string
  code: string
  title: string
  message: string
  source?: { field: string; pointer: string }
}

/** Thrown by handlers; the server writes it out. */
export class ApiError extends Error {
  status: number
  problems: ApiProblem[]
  constructor(status: number, problems: ApiProblem[]) {
    super(problems.map((problem) => problem.code).join(', '))
    this.status = status
    this.problems = problems
  }
}

const failure =
  (status: number, type: string) =>
  (code: string, title: string, message: string): ApiError =>
    new ApiError(status, [{ type, code, title, message }])

export const badRequest = failure(400, 'invalid_request_error')
export const unauthorised = failure(401, 'authentication_error')
const invalidState = failure(422, 'invalid_state_error')
const airlineError = failure(422, 'airline_error')
const airlineFailure = failure(502, 'airline_error')

export const notFound = (): ApiError =>
  failure(404, 'invalid_request_error')('not_found', 'Resource not found', 'The resource you are trying to access does not exist.')

export const notSimulated = (method: string, path: string): ApiError =>
  failure(501, 'api_error')(
    'not_simulated',
    'Not simulated',
    `${method} ${path} is not simulated; infra/simulators/duffel/README.md lists what is.`,
  )

export const offerExpired = () => invalidState('offer_expired', 'Offer expired', 'The provided offer has expired. Please search again.')
export const offerGone = () =>
  invalidState('offer_no_longer_available', 'Offer no longer available', 'The provided offer is no longer available. Please search again.')
export const priceChanged = () =>
  airlineError('price_changed', 'Price changed', 'The price of the offer has changed. Retrieve it again and retry with the new total.')
export const serviceGone = () =>
  airlineError('ancillary_service_not_available', 'Service not available', 'A requested service is no longer available.')
export const alreadyBooked = () =>
  invalidState(
    'offer_request_already_booked',
    'Offer request already booked',
    'An offer from this offer request has already been booked. Please perform another search.',
  )
export const alreadyCancelled = () => invalidState('already_cancelled', 'Order already cancelled', 'The order has already been cancelled.')
export const staleCancellation = () =>
  invalidState('order_cancellation_stale', 'Order cancellation stale', 'The order cancellation is outdated. Please create a new one.')
export const unsupportedAction = (message: string) => invalidState('unsupported_action', 'Unsupported action', message)
export const insufficientBalance = () =>
  invalidState('insufficient_balance', 'Insufficient balance', 'There is not enough balance to pay for this order.')
export const airlineUnknown = () =>
  airlineFailure('airline_unknown', 'Airline error', 'The airline has responded with an unknown error. The order may have been created.')
export const gatewayTimeout = () =>
  failure(504, 'api_error')('gateway_timeout_error', 'Gateway timeout', 'The request timed out before the airlines answered.')
export const unavailable = () =>
  failure(503, 'api_error')('service_unavailable', 'Service unavailable', 'The order was not created. Try again later.')
export const orderNotCreated = () =>
  airlineFailure('order_not_created', 'Order not created', 'The airline could not create the order. Nothing was booked.')
export const internalError = () =>
  failure(500, 'api_error')('internal_server_error', 'Internal server error', 'Something went wrong on our side.')

const titles: Record<string, string> = {
  validation_required: 'Required field',
  validation_format: 'Invalid format',
  validation_inclusion: 'Invalid value',
  validation_length: 'Invalid length',
  validation_type: 'Invalid type',
  validation_unique: 'Not unique',
}

export const problem = (code: string, pointer: string, message: string): ApiProblem => ({
  type: 'validation_error',
  code,
  title: titles[code] ?? code.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase()),
  message,
  source: { field: pointer.split('/').at(-1)!, pointer },
})

/** Gathers what is wrong with a request before refusing it. */
export const collectProblems = () => {
  const problems: ApiProblem[] = []
  return {
    add: (code: string, pointer: string, message: string) => void problems.push(problem(code, pointer, message)),
    /** @throws ApiError 422 with everything that was added. */
    refuse: () => {
      if (problems.length > 0) throw new ApiError(422, problems)
    },
  }
}
export type Problems = ReturnType<typeof collectProblems>

/** The type that an error of this status has when a test asks for the status alone. */
const typesByStatus: Record<number, [type: string, code: string, title: string]> = {
  400: ['invalid_request_error', 'bad_request', 'Bad request'],
  401: ['authentication_error', 'access_token_not_found', 'Access token not found'],
  403: ['authentication_error', 'insufficient_permissions', 'Insufficient permissions'],
  404: ['invalid_request_error', 'not_found', 'Resource not found'],
  422: ['validation_error', 'validation_required', 'Required field'],
  429: ['rate_limit_error', 'rate_limit_exceeded', 'Too many requests'],
  500: ['api_error', 'internal_server_error', 'Internal server error'],
  502: ['airline_error', 'airline_internal', 'Airline error'],
  503: ['api_error', 'service_unavailable', 'Service unavailable'],
  504: ['api_error', 'gateway_timeout_error', 'Gateway timeout'],
}

export const errorBody = (status: number, requestId: string, problems: ApiProblem[]) => ({
  meta: { status, request_id: requestId },
  errors: problems.map((problem) => ({ ...problem, documentation_url: 'https://duffel.com/docs/api/overview/errors' })),
})

export const errorBodyForStatus = (status: number, requestId: string) => {
  const [type, code, title] = typesByStatus[status] ?? ['api_error', 'unexpected_status', 'Unexpected status']
  return errorBody(status, requestId, [{ type, code, title, message: `${title}.` }])
}
