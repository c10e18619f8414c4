/** Whether an offer can still be booked, as the browser understands the answer of the check. */
import { ApiError, TransportError } from '@passerelle/contracts/client'
import type { OfferVerification } from '@passerelle/contracts/http/search'

export const EXPIRED_MESSAGE = 'This flight offer has expired. Please select another flight.'
export const UNVERIFIED_TITLE = 'Unable to verify offer validity...'

type CheckCode =
  | 'MISSING_OFFER_ID'
  | 'NO_RESPONSE'
  | 'PARSE_ERROR'
  | 'OFFER_EXPIRED'
  | 'API_ERROR'
  | 'UNEXPECTED_RESPONSE'
  | 'VALIDATION_ERROR'
  | 'UNKNOWN_ERROR'

export type OfferCheck =
  | { state: 'valid'; expiresAt: string | null }
  /** Over: it expired, or (`gone`) it no longer exists. */
  | { state: 'expired'; gone: boolean; code: 'OFFER_EXPIRED'; message: string }
  /** The server says no for another reason. */
  | { state: 'refused'; code: CheckCode; message: string }
  /** Nobody knows; the form stays usable until the next check. */
  | { state: 'unverified'; code: CheckCode; message: string }

const expired = (gone: boolean): OfferCheck => ({ state: 'expired', gone, code: 'OFFER_EXPIRED', message: EXPIRED_MESSAGE })
const unverified = (code: CheckCode, message: string): OfferCheck => ({ state: 'unverified', code, message })

function judgeAnswer(answer: OfferVerification): OfferCheck {
  if (typeof answer !== 'object' || answer === null || typeof answer.valid !== 'boolean') {
    return unverified('UNEXPECTED_RESPONSE', 'The answer of the check could not be understood.')
  }
  if (answer.valid) return { state: 'valid', expiresAt: answer.expires_at ?? null }
  const said = `${answer.error ?? ''} ${answer.message ?? ''}`
  if (/does not exist|OFFER_NOT_FOUND/i.test(said)) return expired(true)
  if (/expired/i.test(said)) return expired(false)
  return { state: 'refused', code: 'VALIDATION_ERROR', message: answer.message || 'This offer cannot be booked.' }
}

function judgeError(error: unknown): OfferCheck {
  if (error instanceof TransportError) {
    return unverified(error.reason === 'no-response' ? 'NO_RESPONSE' : 'PARSE_ERROR', error.message)
  }
  if (!(error instanceof ApiError)) return unverified('UNKNOWN_ERROR', 'The check failed for an unknown reason.')
  const { status, code, displayMessage } = error
  if (status === 410 || code === 'OFFER_EXPIRED') return expired(false)
  if (code === 'OFFER_NOT_FOUND' || /does not exist/i.test(displayMessage)) return expired(true)
  if (code === 'VALIDATION_ERROR' || status === 400) return { state: 'refused', code: 'VALIDATION_ERROR', message: displayMessage }
  return unverified('API_ERROR', `Error checking offer validity (${status})`)
}

/** Never throws: a check that fails is an answer too. */
export async function checkOffer(
  offerId: string,
  verify: (input: { params: { id: string } }) => Promise<OfferVerification>,
): Promise<OfferCheck> {
  if (!offerId) return { state: 'refused', code: 'MISSING_OFFER_ID', message: 'No offer was given to check.' }
  try {
    return judgeAnswer(await verify({ params: { id: offerId } }))
  } catch (error) {
    return judgeError(error)
  }
}
