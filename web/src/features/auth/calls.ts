/** Calls of the pages that a mail leads to; the first visit does without them. */
import type { accountApi } from '@passerelle/contracts/http/account'
import type { identityApi } from '@passerelle/contracts/http/identity'
import { ApiError, endpoint } from '../../lib/api-client.ts'

type Identity = (typeof identityApi)['routes']
type Account = (typeof accountApi)['routes']

export const forgotPassword = endpoint<Account['forgotPassword']>('POST', '/api/auth/forgot-password')
export const setPassword = endpoint<Identity['setPassword']>('POST', '/api/auth/set-password')

/** The link of a mail has expired or was used before. */
export function isSpentLink(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'LINK_INVALID'
}
