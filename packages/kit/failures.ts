/** What becomes of an error that a handler throws: an answer that may be shown, and a line in the log. */
import { AppError, type ErrorCode, failureOf } from '@passerelle/contracts/error'
import type { ErrorRequestHandler } from 'express'
import { REQUEST_ID_HEADER } from './auth.ts'
import type { Log } from './log.ts'
import { isMongoUnavailable } from './mongo.ts'
import { DeadlineError } from './resilience.ts'
import { randomId } from './runtime.ts'

/** Any thrown value as an error that may be shown. The texts of unknown errors are not. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { type, status } = error as { type?: string; status?: number }
  if (type === 'entity.parse.failed') return new AppError('MALFORMED_JSON')
  if (error instanceof URIError) return new AppError('BAD_ADDRESS', { cause: error })
  if (type === 'entity.too.large') return new AppError('BODY_TOO_LARGE')
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') return new AppError('UNSUPPORTED_MEDIA_TYPE')
  if (type === 'request.aborted' || type === 'request.size.invalid') return new AppError('REQUEST_TIMEOUT')
  if (isMongoUnavailable(error)) return new AppError('UPSTREAM_UNAVAILABLE', { cause: error, retryAfter: 2 })
  if (error instanceof DeadlineError) return new AppError('UPSTREAM_TIMEOUT', { cause: error })
  if (status !== undefined && status >= 400 && status < 500) return new AppError('VALIDATION_ERROR', { cause: error })
  return new AppError('INTERNAL_ERROR', { cause: error })
}

/** Somebody tried what is not theirs, or guessed. What the limits refuse is counted instead: a flood would fill the log. */
const REFUSALS: readonly ErrorCode[] = ['FORBIDDEN', 'CROSS_SITE', 'REAUTH_REQUIRED', 'LOGIN_SLOWED', 'CARD_ATTEMPTS_STOPPED']

/** Answers what was thrown, and logs what an operator or an auditor has to know of it. */
export function errorHandler(log: Log): ErrorRequestHandler {
  return (thrown, request, response, _next) => {
    const error = failureOf(toAppError(thrown), response.locals.failure as string | undefined)
    const requestId = (response.locals.requestId as string | undefined) ?? request.get(REQUEST_ID_HEADER) ?? randomId()
    if (error.status >= 500) log.error({ err: error.cause ?? error, code: error.code, requestId }, 'request failed')
    // The route as it is declared: an address may hold anything.
    else if (REFUSALS.includes(error.code))
      log.warn({ code: error.code, method: request.method, route: request.route?.path ?? null, requestId }, 'request refused')
    if (response.headersSent) return void response.destroy()
    if (error.retryAfter !== undefined) response.setHeader('retry-after', String(error.retryAfter))
    response.setHeader('cache-control', 'no-store')
    response.status(error.status).json(error.toBody(requestId))
  }
}
