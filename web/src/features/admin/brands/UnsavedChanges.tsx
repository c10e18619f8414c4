import { useEffect, useRef } from 'react'
import { useBlocker } from '../../../lib/router.ts'
import { lazyOverlay } from '../../../ui/lazy.tsx'

const ConfirmDialog = lazyOverlay(async () => (await import('./ConfirmDialog.tsx')).ConfirmDialog)

/** Asks before what was typed is lost by leaving the editor. */
export function UnsavedChanges({ unsaved }: { unsaved: boolean }) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname)
  const leaving = useRef(false)
  useEffect(() => {
    if (!unsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onClose={() => !leaving.current && blocker.reset?.()}
      title="Leave without saving?"
      description="What you have changed since the last save is lost."
      confirm="Leave"
      danger
      onConfirm={async () => {
        leaving.current = true
        blocker.proceed?.()
      }}
    />
  )
}
