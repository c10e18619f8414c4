import { useEffect } from 'react'
import { useLocation } from './router.ts'

/** Brings what the address names after # into view and the focus to it: the browser does not, when a screen is drawn later than its address. */
export function useHashTarget(): void {
  const { hash, key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link pressed again has another key and scrolls again
  useEffect(() => {
    const target = hash && document.getElementById(decodeURIComponent(hash.slice(1)))
    if (!target) return
    target.scrollIntoView({ behavior: 'instant' })
    target.focus({ preventScroll: true })
  }, [hash, key])
}
