/** Where the page stands after a navigation: at the top of a new screen, where it was on the way back. */
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

const KEPT = 40
const positions = new Map<string, number>()

function remember(key: string, y: number): void {
  positions.delete(key)
  positions.set(key, y)
  const oldest = positions.keys().next().value
  if (positions.size > KEPT && oldest !== undefined) positions.delete(oldest)
}

/** Goes to `y` as soon as the page is tall enough, unless the visitor scrolls first. Gives what stops it. */
function returnTo(y: number): () => void {
  const observer = new ResizeObserver(() => attempt())
  const stop = () => {
    observer.disconnect()
    for (const event of ['wheel', 'touchstart', 'keydown'] as const) window.removeEventListener(event, stop)
  }
  function attempt() {
    if (document.documentElement.scrollHeight - window.innerHeight < y) return
    window.scrollTo({ top: y, behavior: 'instant' })
    stop()
  }
  for (const event of ['wheel', 'touchstart', 'keydown'] as const) window.addEventListener(event, stop, { passive: true })
  observer.observe(document.documentElement)
  attempt()
  return stop
}

export function useScrollRestoration(): void {
  const { key, pathname, hash } = useLocation()
  const how = useNavigationType()
  const shown = useRef({ key, pathname })

  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    const onScroll = () => remember(shown.current.key, window.scrollY)
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => window.removeEventListener('scroll', onScroll)
  }, [])

  useLayoutEffect(() => {
    const before = shown.current
    shown.current = { key, pathname }
    if (hash) return
    if (how === 'POP' && before.key !== key) return returnTo(positions.get(key) ?? 0)
    if (before.pathname !== pathname) window.scrollTo({ top: 0, behavior: 'instant' })
    return
  }, [key, pathname, hash, how])
}
