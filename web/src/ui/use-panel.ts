import { type RefObject, useCallback, useEffect, useState } from 'react'

export type Panel = {
  open: boolean
  show: () => void /** `'return'` gives the focus back to the trigger. */
  hide: (focus?: 'return') => void
}

/**
 * A panel anchored to its trigger: it closes on Escape, on a press outside `anchor` and when the focus leaves it.
 * A `modal` one (a sheet) closes itself and stands elsewhere in the page.
 */
export function usePanel(anchor: RefObject<HTMLElement | null>, trigger: RefObject<HTMLElement | null>, modal = false): Panel {
  const [open, setOpen] = useState(false)
  const hide = useCallback(
    (focus?: 'return') => {
      setOpen(false)
      if (focus) trigger.current?.focus()
    },
    [trigger],
  )

  useEffect(() => {
    if (!open || modal) return
    const inside = (target: EventTarget | null) => target instanceof Node && (anchor.current?.contains(target) ?? false)
    const onPointer = (event: PointerEvent) => {
      if (!inside(event.target)) hide()
    }
    const onFocus = (event: FocusEvent) => {
      if (!inside(event.target)) hide()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      hide('return')
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('keydown', onKey)
    }
  }, [open, modal, anchor, hide])

  return { open, show: useCallback(() => setOpen(true), []), hide }
}
