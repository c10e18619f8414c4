import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api-client.ts'

/** Where the account is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['/api/auth/sessions'],
  queryFn: ({ signal }) => api.listSessions(undefined, { signal }),
})
