/** The reference a traveller reads out on the phone: 8 characters of Crockford's base 32, which has no I, L, O or U. */

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export const REFERENCE_LENGTH = 8

/** Our provider booking id: 20 characters, of which the first 8 are the reference. `bytes` holds 20 random bytes. */
export function providerBookingId(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, 20), (byte) => ALPHABET[byte & 31]).join('')
}

/** bookingReference when the answer has one, else the first 8 characters of the provider booking id, upper case. */
export function bookingReference(booking: { bookingReference?: string | null; duffelBookingId?: string | null }): string {
  return (booking.bookingReference || booking.duffelBookingId || '').slice(0, REFERENCE_LENGTH).toUpperCase()
}
