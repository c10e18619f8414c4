/** One key, one execution: what was answered first is answered again. */
import { createHash } from 'node:crypto'
import type { NextFunction, Request, Response } from 'express'
import type { Fault } from '../control.ts'
import type { Documents } from '../documents.ts'
import { StripeApiError } from './error.ts'
import type { Form } from './parameters.ts'

export type IdempotencyRecord = { endpoint: string; fingerprint: string; status: number; body: string; requestId: string; at: number }

const KEPT_SECONDS = 24 * 60 * 60

export const fingerprintOf = (form: Form): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(form)))
    .digest('hex')

const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => [name, sorted(part)]),
  )
}

/** The first answer to this key, if any. @throws StripeApiError when the key was used for something else. */
export const replayOf = (
  documents: Documents,
  key: string,
  request: { endpoint: string; fingerprint: string; at: number },
): IdempotencyRecord | undefined => {
  if (key.length > 255)
    throw new StripeApiError(
      400,
      { type: 'invalid_request_error', message: 'Idempotency keys may have up to 255 characters.', param: 'Idempotency-Key' },
      true,
    )
  const record = documents.find<IdempotencyRecord>('idempotency', key)
  if (!record || request.at - record.at >= KEPT_SECONDS) return undefined
  if (record.endpoint !== request.endpoint)
    throw conflict(
      400,
      `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${request.endpoint}' vs '${record.endpoint}'). Try using a key other than '${key}' if you meant to execute a different request.`,
    )
  if (record.fingerprint !== request.fingerprint)
    throw conflict(
      400,
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    )
  return record
}

const conflict = (status: number, message: string, code?: string) =>
  new StripeApiError(status, { type: 'idempotency_error', message, ...(code ? { code } : {}) }, true)

/** Refuses a key whose first request is still under way. A request that a fault swallowed frees its key when its client leaves. */
export const createInProgressGuard = () => {
  const inProgress = new Set<string>()
  const guard = (req: Request, res: Response, next: NextFunction): void => {
    const key = req.method === 'POST' ? req.get('idempotency-key') : undefined
    if (key === undefined) {
      next()
      return
    }
    if (inProgress.has(key)) {
      const { status, body } = conflict(
        409,
        `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
        'idempotency_key_in_use',
      )
      res.status(status).json({ error: body })
      return
    }
    inProgress.add(key)
    res.once('close', () => {
      const fault = res.locals.fault as Fault | undefined
      // After a delay the request is still carried out, whether its client has waited or not.
      if (fault?.effect !== 'delay' || fault.afterCommit) inProgress.delete(key)
    })
    next()
  }
  return { guard, done: (key: string) => void inProgress.delete(key) }
}
