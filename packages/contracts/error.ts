/** The one catalogue of errors: code -> HTTP status and a message that is safe to show to a visitor. */
export const errorCatalogue = {
  // any call
  VALIDATION_ERROR: [400, 'The request is not valid.'],
  BAD_ADDRESS: [400, 'This address is not valid.'],
  MALFORMED_JSON: [400, 'The request body is not valid JSON.'],
  NOT_AUTHENTICATED: [401, 'Not authenticated'],
  FORBIDDEN: [403, 'You do not have permission to do this.'],
  CROSS_SITE: [403, 'This request did not come from this website.'],
  NOT_FOUND: [404, 'There is nothing at this address.'],
  METHOD_NOT_ALLOWED: [405, 'This address does not support that method.'],
  REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
  BODY_TOO_LARGE: [413, 'The request body is too large.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The request body must be application/json.'],
  EXPECTATION_FAILED: [417, 'This server cannot do what the Expect header asks for.'],
  IDEMPOTENCY_KEY_REUSED: [422, 'This idempotency key was already used for another request.'],
  RATE_LIMITED: [429, 'Too many requests. Please wait a moment and try again.'],
  HEADERS_TOO_LARGE: [431, 'The headers of the request are too large.'],
  INTERNAL_ERROR: [500, 'Something went wrong on our side.'],
  UPSTREAM_UNAVAILABLE: [503, 'This part of the website is not available right now. Please try again in a moment.'],
  UPSTREAM_TIMEOUT: [504, 'This part of the website did not answer in time. Please try again.'],
  // search
  SEARCH_REFUSED: [422, 'Unable to search flights. Please check your search.'],
  SEARCH_FAILED: [502, 'Unable to search flights. Please try again later.'],
  SEARCH_BUSY: [503, 'Unable to search flights. Please try again later.'],
  SEARCH_LIMITED: [429, 'Unable to search flights: too many travellers are searching right now. Please try again in a few minutes.'],
  OFFER_NOT_FOUND: [404, 'Unable to retrieve flight offer: it does not exist'],
  OFFER_EXPIRED: [410, 'This flight offer has expired. Please select another flight.'],
  OFFER_FAILED: [502, 'Unable to retrieve flight offer: the airline system did not answer'],
  SEAT_MAPS_FAILED: [502, 'Unable to retrieve seat maps: the airline system did not answer'],
  PRICE_CHANGED: [409, 'The price of this flight has changed.'],
  SEAT_UNAVAILABLE: [409, 'A seat you chose has just been taken. Please choose another seat.'],
  // payment
  CARD_DECLINED: [402, 'Your card was declined.'],
  /** `details.clientSecret` opens the question in the visitor's browser; the same request again then tells the outcome. */
  PAYMENT_ACTION_REQUIRED: [402, 'Your bank asks you to confirm this payment.'],
  CARD_ATTEMPTS_STOPPED: [429, 'Too many declined cards. Please try again in 30 minutes, or contact us.'],
  PAYMENT_AMOUNT_MISMATCH: [422, 'Payment amount does not match the price of this offer'],
  CARD_NOT_ACCEPTED: [422, 'In test mode only the published test cards are accepted.'],
  RAW_CARD_REFUSED: [422, 'Card numbers are not accepted here. Please use the secure card form.'],
  PAYMENT_UNKNOWN: [422, 'This payment is not known. Please enter your card again.'],
  PAYMENT_NOT_USABLE: [409, 'This payment can no longer be used. Please enter your card again.'],
  PAYMENT_IN_PROGRESS: [409, 'This payment is still being processed.'],
  PAYMENT_UNAVAILABLE: [503, 'The payment could not be processed right now. Your card was not charged.'],
  // booking
  BOOKING_NOT_FOUND: [404, 'Unable to retrieve booking details: this booking does not exist'],
  BOOKING_UNREADABLE: [503, 'Unable to retrieve booking details: something is wrong with this booking. Please contact us.'],
  RECEIPT_NOT_FOUND: [404, 'There is no receipt: nothing was paid for this booking.'],
  BOOKING_EXISTS: [409, 'These passengers are already booked on this flight.'],
  BOOKING_REFUSED: [422, 'Unable to create booking: the airline refused it. Your card was not charged.'],
  BOOKING_FAILED: [502, 'Unable to create booking: the airline could not complete it. Your card was not charged.'],
  PASSENGERS_MISMATCH: [422, 'The passengers do not match this offer.'],
  PASSENGER_INCOMPLETE: [422, 'The airline needs more information about a passenger.'],
  BOOKING_NOT_CANCELLABLE: [409, 'Unable to cancel booking: this ticket is non-refundable.'],
  BOOKING_STATE: [409, 'This booking can no longer be changed.'],
  CANCEL_FAILED: [502, 'Unable to cancel booking. Please try again later or contact customer support.'],
  // identity
  INVALID_CREDENTIALS: [401, 'Invalid username or password'],
  REAUTH_REQUIRED: [401, 'Please enter your password again.'],
  USERNAME_TAKEN: [409, 'This username is already taken'],
  EMAIL_TAKEN: [409, 'An account with this email already exists'],
  PASSWORD_WRONG: [400, 'Current password is incorrect'],
  LINK_INVALID: [410, 'This link has expired or was used already. Please ask for a new one.'],
  PASSWORD_RACE: [409, 'Your account was just changed somewhere else. Please try again.'],
  SESSION_NOT_FOUND: [404, 'This session has ended already.'],
  PERSON_NOT_FOUND: [404, 'This person administers nothing.'],
  OWN_RIGHTS: [409, 'You cannot change your own rights.'],
  ACCOUNT_IS_ADMIN: [409, 'This account administers the website and cannot be deleted here.'],
  LOGIN_SLOWED: [429, 'Too many failed attempts. Please wait a few minutes and try again.'],
  // brand and system
  BRAND_NOT_FOUND: [404, 'This brand does not exist.'],
  BRAND_EXISTS: [409, 'There is a brand with this host already.'],
  BRAND_RACE: [409, 'This brand was just changed by someone else. Please load it again.'],
  BRAND_STATE: [409, 'This brand cannot be changed in this way now.'],
  LOGO_NOT_FOUND: [404, 'This logo does not exist.'],
  LOGO_REFUSED: [422, 'A logo must be an SVG, PNG or WebP image of at most 200 KB.'],
  MESSAGE_NOT_FOUND: [404, 'This message does not exist.'],
  MODE_RACE: [409, 'The mode was just changed by someone else.'],
  LIVE_NOT_CONFIGURED: [409, 'Live mode needs both the flight API and the card provider to be configured.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof errorCatalogue

/** One thing wrong with one field; `path` is dotted, e.g. `passengers.0.firstName`. */
export type Issue = { path: string; message: string }

/** What goes over the wire for every answer that is not a success. */
export type ErrorBody = { error: ErrorCode; message: string; requestId: string; issues?: Issue[]; details?: Record<string, unknown> }

/** Thrown by domain, routes and stores; everything else that is thrown becomes INTERNAL_ERROR without text. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly issues: Issue[] | undefined
  /** Facts the client can act on, e.g. `{ amount, currency }` of a new price. Never personal data. */
  readonly details: Record<string, unknown> | undefined
  /** Seconds for the Retry-After header. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    more: { message?: string; issues?: Issue[]; details?: Record<string, unknown>; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(more.message ?? errorCatalogue[code][1], { cause: more.cause })
    this.name = 'AppError'
    this.code = code
    this.status = errorCatalogue[code][0]
    this.issues = more.issues
    this.details = more.details
    this.retryAfter = more.retryAfter
  }

  toBody(requestId: string): ErrorBody {
    return {
      error: this.code,
      message: this.message,
      requestId,
      ...(this.issues && { issues: this.issues }),
      ...(this.details && { details: this.details }),
    }
  }
}

/**
 * A failure of ours as that of one call: "Unable to cancel booking: this part of the website is not available right now." What the
 * visitor's own input, session or card was refused for keeps its words.
 */
export function failureOf(error: AppError, call: string | undefined): AppError {
  if (!call || (error.status < 500 && error.status !== 429) || error.message.startsWith(`${call}:`)) return error
  const [first = '', ...rest] = error.message.replace(/^Unable to [^:.]+: /, '')
  return new AppError(error.code, {
    message: `${call}: ${first.toLowerCase()}${rest.join('')}`,
    cause: error.cause,
    ...(error.issues && { issues: error.issues }),
    ...(error.details && { details: error.details }),
    ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
  })
}

/** Zod's issues as ours; the first one's message becomes the answer's message, because those texts are written for visitors. */
export function validationError(issues: readonly { path: readonly PropertyKey[]; message: string }[]): AppError {
  const ours = issues.map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }))
  return new AppError('VALIDATION_ERROR', { ...(ours[0] && { message: ours[0].message }), issues: ours })
}
