import { LINK_TOKEN } from '@passerelle/contracts/rules/link-token'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from './router.ts'

/** The secret of a mail's link, which is taken out of the address before anything else sees it; null: there is none. */
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

/** The token in "#<token>", or null when there is none that could be one. */
export function tokenIn(hash: string): string | null {
  const token = hash.replace(/^#/, '')
  return token.length >= LINK_TOKEN.min && token.length <= LINK_TOKEN.max ? token : null
}
