/** JSON logs with an allow-list of fields, and a scrubber over the finished line as a last resort. */

import { passesLuhn } from '@passerelle/contracts/rules/card'
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

const EMAIL = /[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}/g
const LONG_NUMBER = /(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w.-])/g
const SECRET_PAIR =
  /("?(?:password|cvv|cvc|passportNumber|frequentFlyerNumber|cardDetails|authorization|cookie|token)"?\s*[:=]\s*)("(?:[^"\\]|\\.)*"|\S+)/gi

/** Removes card numbers (13 to 19 digits that pass Luhn), e-mail addresses and named secrets from a text. */
export function scrub(text: string): string {
  return text
    .replace(EMAIL, '[email]')
    .replace(LONG_NUMBER, (digits) => (passesLuhn(digits.replace(/\D/g, '')) ? '[card]' : digits))
    .replace(SECRET_PAIR, '$1"[secret]"')
}

/** An error without custom fields: those of drivers contain documents and queries. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { name: typeof error }
  const code = (error as { code?: unknown }).code
  const cause = error.cause instanceof Error ? describeError(error.cause) : undefined
  return { name: error.name, message: error.message.slice(0, 300), code, stack: error.stack?.split('\n').slice(1, 8).join('\n'), cause }
}

export function createLog(service: string, level: string, destination?: DestinationStream): Log {
  const options = {
    name: service,
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError, error: describeError },
    hooks: { streamWrite: scrub },
  }
  return destination ? pino(options, destination) : pino(options)
}
