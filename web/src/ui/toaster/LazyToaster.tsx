import { type ComponentType, useEffect, useState } from 'react'
import { toasts } from './toast-store.ts'

const LATEST_MS = 3000

/** The region of messages. Its code comes when the page is shown and quiet, or with the first message; the store keeps that one meanwhile. */
export function LazyToaster() {
  const [Toaster, setToaster] = useState<ComponentType | null>(null)

  useEffect(() => {
    let left = false
    const load = () => {
      import('./Toaster.tsx').then(
        (module) => !left && setToaster(() => module.Toaster),
        // The next message asks again.
        () => undefined,
      )
    }
    if (toasts.visible()) load()
    const stop = toasts.subscribe(load)
    // Safari has no idle callbacks.
    const soon = globalThis.requestIdleCallback?.(load, { timeout: LATEST_MS })
    return () => {
      left = true
      stop()
      if (soon !== undefined) cancelIdleCallback(soon)
    }
  }, [])

  return Toaster && <Toaster />
}
