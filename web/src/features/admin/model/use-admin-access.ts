import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../../../lib/api-client.ts'
import { forgetUserOn401, refreshUser } from '../../../lib/session.ts'

/** The session or its rights ended elsewhere: the screen's gate then says "Access Denied" and leads home. */
export function useAdminAccess(error: unknown): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (forgetUserOn401(queryClient, error)) return
    if (error instanceof ApiError && error.status === 403) void refreshUser(queryClient)
  }, [queryClient, error])
}
