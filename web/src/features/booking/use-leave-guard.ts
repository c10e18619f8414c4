import { useEffect } from 'react'
import { useBlocker, useLocation } from '../../lib/router.ts'

/** The question that stands while somebody wants to leave; null: nobody does. */
type LeaveQuestion = { stay: () => void; leave: () => void } | null

/**
 * While `active`, leaving the checkout asks first, by any link, jump of the history, reload or end of the page. A step of the checkout
 * itself is not left at all: `onStep` is told instead.
 */
export function useLeaveGuard(active: boolean, onStep: () => void): LeaveQuestion {
  const blocker = useBlocker(active)
  const { pathname, search } = useLocation()
  const stays = blocker.state === 'blocked' && blocker.location.pathname === pathname && blocker.location.search === search

  useEffect(() => {
    if (!active) return
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', onUnload)
    return () => window.removeEventListener('beforeunload', onUnload)
  }, [active])

  // biome-ignore lint/correctness/useExhaustiveDependencies: told once for each press
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    // What was asked about has ended meanwhile: there is nothing to stay for, and its result is on the screen.
    if (!active || stays) blocker.reset()
    if (active && stays) onStep()
  }, [blocker.state, stays, active])

  return blocker.state === 'blocked' && active && !stays ? { stay: blocker.reset, leave: blocker.proceed } : null
}
