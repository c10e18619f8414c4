import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query holds now. False where there is no window. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  )
}

/** Below the product's phone limit. */
export function usePhone(): boolean {
  return useMedia('(max-width: 767px)')
}
