/** Ids of everything that belongs to an offer request; each can be derived again from the request's nonce. */
import { derivedId } from './hash.ts'

export const offerRequestId = (nonce: string): string => derivedId('orq', nonce, 'request')
export const passengerId = (nonce: string, position: number): string => derivedId('pas', nonce, String(position))
export const offerId = (nonce: string, index: number): string => derivedId('off', nonce, String(index))
export const sliceId = (nonce: string, index: number, slice: number): string => derivedId('sli', nonce, `${index}/${slice}`)
export const segmentId = (nonce: string, index: number, slice: number, position: number): string =>
  derivedId('seg', nonce, `${index}/${slice}/${position}`)
export const seatMapId = (nonce: string, index: number, segment: number): string => derivedId('sea', nonce, `${index}/${segment}`)
export const serviceId = (nonce: string, index: number, what: string): string => derivedId('ase', nonce, `${index}/${what}`)
