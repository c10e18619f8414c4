/** Calls of the account screen; the first visit does without them. */
import type { accountApi } from '@passerelle/contracts/http/account'
import { endpoint } from '../../lib/api-client.ts'

type Account = (typeof accountApi)['routes']

export const listSessions = endpoint<Account['listSessions']>('GET', '/api/auth/sessions')
export const endSession = endpoint<Account['endSession']>('DELETE', '/api/auth/sessions/:id')
export const endOtherSessions = endpoint<Account['endOtherSessions']>('DELETE', '/api/auth/sessions')
export const exportAccount = endpoint<Account['exportAccount']>('GET', '/api/auth/export')
export const deleteAccount = endpoint<Account['deleteAccount']>('POST', '/api/auth/delete-account')

export const SESSIONS_KEY = ['/api/auth/sessions'] as const
