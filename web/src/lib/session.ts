/** Who is signed in, as far as this browser knows. */
import type { User } from '@passerelle/contracts/http/identity'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { ApiError, api } from './api-client.ts'
import { userQuery } from './queries.ts'

export const USER_KEY = userQuery.queryKey

/** `undefined` while it is not known yet, `null` when nobody is signed in. */
export function useUser(): User | null | undefined {
  const { data, isError } = useQuery(userQuery)
  return isError ? null : data
}

/** After signing in, or when a booking has made an account: the header changes without a reload. */
export async function refreshUser(queryClient: QueryClient): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: USER_KEY })
}

/** The session ended elsewhere: a call that needs one answered 401. Gives true when `error` says so. */
export function forgetUserOn401(queryClient: QueryClient, error: unknown): boolean {
  const ended = error instanceof ApiError && error.status === 401 && error.code === 'NOT_AUTHENTICATED'
  if (ended) queryClient.setQueryData(USER_KEY, null)
  return ended
}

/** Ends the session and loads the home page afresh, even when the call fails. */
export async function logOut(load: (path: string) => void = (path) => window.location.assign(path)): Promise<void> {
  try {
    await api.logout()
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: a failing log-out is logged only
    console.error('Log out failed', error)
  }
  load('/')
}

/** First letter of the first name, else of the username, else "U". */
export function initialOf(user: Pick<User, 'firstName' | 'username'>): string {
  return (user.firstName.trim()[0] ?? user.username.trim()[0] ?? 'U').toUpperCase()
}
