/** What came of a change of the password, for the form. */
import type { Done } from '@passerelle/contracts/http/common'
import { type Refusal, refusalOf } from '../../../lib/refusal.ts'

/** Null: the password was changed. */
export function refusalIn({ success, message }: Done): Refusal | null {
  return success ? null : { message: message || 'Failed to update password', fields: {} }
}

export function refusalFor(error: unknown): Refusal {
  return refusalOf(error, 'An unknown error occurred', { PASSWORD_WRONG: 'currentPassword' })
}
