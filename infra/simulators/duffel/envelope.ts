/** What holds for every request before any route: headers, token, version, request ids and the allowance. */
import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { ApiError, badRequest, errorBody, internalError, notSimulated, unauthorised } from './errors.ts'
import { randomText } from './hash.ts'

const minute = 60_000

export const sendProblems = (res: Response, status: number, problems: Parameters<typeof errorBody>[2]): void => {
  res.status(status).json(errorBody(status, String(res.getHeader('x-request-id') ?? ''), problems))
}

const perMinute = 60_000

/** Numbers every answer; the headers are those of Duffel, the reset an HTTP date. A fault brings a 429 about. */
export const allowance: RequestHandler = (_req, res, next) => {
  res.setHeader('x-request-id', `F${randomText(19)}`)
  res.setHeader('ratelimit-limit', String(perMinute))
  res.setHeader('ratelimit-remaining', String(perMinute - 1))
  res.setHeader('ratelimit-reset', new Date(Math.ceil(Date.now() / minute) * minute).toUTCString())
  next()
}

/**
 * @param tokens how tokens begin
 * @throws ApiError 401 without such a token, 400 without version 2 or, on a write with a body, without a JSON content type.
 */
export const checkHeaders =
  (tokens: string): RequestHandler =>
  (req, _res, next) => {
    const authorisation = req.get('authorization')
    if (authorisation === undefined)
      throw unauthorised(
        'missing_authorization_header',
        'Missing authorization header',
        "The 'Authorization' header needs to be set and contain a valid API token.",
      )
    const token = /^Bearer (\S+)$/.exec(authorisation)?.[1]
    if (token === undefined)
      throw unauthorised(
        'invalid_authorization_header',
        'Invalid authorization header',
        "The 'Authorization' header has the form 'Bearer <token>'.",
      )
    if (!token.startsWith(tokens) || token === tokens)
      throw unauthorised(
        'access_token_not_found',
        'Access token not found',
        `The access token is not known here; tokens start with ${tokens}.`,
      )
    const version = req.get('duffel-version')
    if (version === undefined)
      throw badRequest('missing_version_header', 'Missing version header', "The 'Duffel-Version' header needs to be set.")
    if (!/^(v\d+|beta)$/.test(version))
      throw badRequest('invalid_version_header', 'Invalid version header', "The 'Duffel-Version' header is not a version.")
    if (version !== 'v2')
      throw badRequest('unsupported_version', 'Unsupported version', 'This version of the API is not supported; use v2.')
    const hasBody = Number(req.get('content-length') ?? 0) > 0 || req.get('transfer-encoding') !== undefined
    if (hasBody && !/^application\/json\b/.test(req.get('content-type') ?? ''))
      throw badRequest(
        'missing_content_type_header',
        'Missing content type header',
        "The 'Content-Type' header needs to be 'application/json'.",
      )
    next()
  }

export const unknownRoute: RequestHandler = (req) => {
  throw notSimulated(req.method, req.path)
}

export const writeError: ErrorRequestHandler = (error: Error & { type?: string }, _req, res, _next) => {
  if (error instanceof ApiError) return sendProblems(res, error.status, error.problems)
  const parsing = error.type?.startsWith('entity.') || error instanceof SyntaxError
  if (!parsing) console.error('duffel simulator:', error)
  const answer = parsing ? badRequest('bad_request', 'Bad request', 'The body of the request is not JSON.') : internalError()
  sendProblems(res, answer.status, answer.problems)
}
