import { ApiError, TransportError } from '@passerelle/contracts/client'
import type { OfferVerification } from '@passerelle/contracts/http/search'
import { describe, expect, it } from 'vitest'
import { checkOffer, EXPIRED_MESSAGE } from './verification.ts'

const answering = (answer: unknown) => async () => answer as OfferVerification
const failing = (error: unknown) => async () => {
  throw error
}
const refusal = (status: number, error: string, message: string) =>
  new ApiError(status, '', JSON.stringify({ error, message, requestId: 'r' }))
const valid = { valid: true, message: 'ok', error: null, offer_id: 'off_1', expires_at: '2026-11-21T10:30:00Z', minutes_remaining: 18 }

describe('check of an offer', () => {
  it('OFFER-01: a valid offer keeps its time of expiry', async () => {
    expect(await checkOffer('off_1', answering(valid))).toEqual({ state: 'valid', expiresAt: '2026-11-21T10:30:00Z' })
  })

  it('OFFER-02, OFFER-07: a 410 means expired, with the literal message', async () => {
    const check = await checkOffer('off_1', failing(refusal(410, 'OFFER_EXPIRED', 'gone')))
    expect(check).toEqual({ state: 'expired', gone: false, code: 'OFFER_EXPIRED', message: EXPIRED_MESSAGE })
    expect(EXPIRED_MESSAGE).toBe('This flight offer has expired. Please select another flight.')
  })

  it('OFFER-02: a 410 without a body of ours means expired too', async () => {
    expect(await checkOffer('off_1', failing(new ApiError(410, 'Gone', '')))).toMatchObject({ state: 'expired', gone: false })
  })

  it('OFFER-13, PAY-20: an offer that does not exist is over and gone', async () => {
    expect(await checkOffer('off_1', failing(refusal(404, 'OFFER_NOT_FOUND', 'it does not exist')))).toMatchObject({
      state: 'expired',
      gone: true,
    })
    expect(await checkOffer('off_1', failing(new ApiError(422, '', 'offer does not exist')))).toMatchObject({
      state: 'expired',
      gone: true,
    })
  })

  it('OFFER-13: valid false with the code OFFER_EXPIRED is an expiry', async () => {
    const check = await checkOffer('off_1', answering({ ...valid, valid: false, error: 'OFFER_EXPIRED', message: '' }))
    expect(check).toMatchObject({ state: 'expired', gone: false })
  })

  it('OFFER-04: no id is MISSING_OFFER_ID, and nothing is asked', async () => {
    expect(await checkOffer('', failing(new Error('asked')))).toMatchObject({ state: 'refused', code: 'MISSING_OFFER_ID' })
  })

  it('OFFER-05, PAX-34: a server that does not answer leaves the form usable', async () => {
    expect(await checkOffer('off_1', failing(new TransportError('no-response')))).toMatchObject({
      state: 'unverified',
      code: 'NO_RESPONSE',
    })
  })

  it('OFFER-06: a body that is not JSON is PARSE_ERROR', async () => {
    expect(await checkOffer('off_1', failing(new TransportError('not-json')))).toMatchObject({ state: 'unverified', code: 'PARSE_ERROR' })
  })

  it('OFFER-08: other statuses are API_ERROR with the status in the message', async () => {
    const check = await checkOffer('off_1', failing(refusal(502, 'OFFER_FAILED', 'no')))
    expect(check).toEqual({ state: 'unverified', code: 'API_ERROR', message: 'Error checking offer validity (502)' })
  })

  it('OFFER-09: a body without the expected fields is UNEXPECTED_RESPONSE', async () => {
    expect(await checkOffer('off_1', answering({ fine: true }))).toMatchObject({ state: 'unverified', code: 'UNEXPECTED_RESPONSE' })
    expect(await checkOffer('off_1', answering(null))).toMatchObject({ state: 'unverified', code: 'UNEXPECTED_RESPONSE' })
  })

  it('OFFER-10, PAY-21: a refused check is VALIDATION_ERROR', async () => {
    expect(await checkOffer('!', failing(refusal(400, 'VALIDATION_ERROR', 'This id is not valid')))).toEqual({
      state: 'refused',
      code: 'VALIDATION_ERROR',
      message: 'This id is not valid',
    })
    expect(await checkOffer('off_1', answering({ ...valid, valid: false, error: 'VALIDATION_ERROR', message: 'no' }))).toMatchObject({
      state: 'refused',
    })
  })

  it('OFFER-11: anything else is UNKNOWN_ERROR', async () => {
    expect(await checkOffer('off_1', failing(new TypeError('x')))).toMatchObject({ state: 'unverified', code: 'UNKNOWN_ERROR' })
  })
})
