import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from '../../lib/router.ts'
import { tokenIn } from './model/credentials.ts'

/** The secret of a mail's single-use link, which is taken out of the address before anything else sees it; null: there is none. */
export function useLinkToken(): string | null {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState(() => tokenIn(hash))

  useEffect(() => {
    if (!hash) return
    setToken(tokenIn(hash))
    void navigate(pathname, { replace: true })
  }, [hash, pathname, navigate])

  return token
}
