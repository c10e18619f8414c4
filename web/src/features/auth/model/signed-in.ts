import type { User } from '@passerelle/contracts/http/identity'
import type { QueryClient } from '@tanstack/react-query'
import { USER_KEY } from '../../../lib/session.ts'

/** Reads that answer differently to another person. */
const PERSONAL = /^\/api\/(bookings|admin|auth\/sessions)(\/|$)/

/** The header knows at once, and nothing that was read for somebody else is shown. */
export function rememberUser(queryClient: QueryClient, user: User): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => PERSONAL.test(String(queryKey[0])) })
  queryClient.setQueryData(USER_KEY, user)
}

/** Carried from registration to sign-in, so that the name is typed once. */
export type SignInState = { username: string }

export function usernameIn(state: unknown): string {
  const { username } = (typeof state === 'object' && state !== null ? state : {}) as Partial<SignInState>
  return typeof username === 'string' ? username : ''
}
