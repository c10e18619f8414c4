import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import styles from './Tooltip.module.css'

const TOOLTIP_DELAY_MS = 700

/**
 * Words beside a control whose icon stands alone. They come after a moment under the pointer or with the focus, stay while the
 * pointer is on them and go with Escape. The control has its own name: the words are not read twice.
 */
export function Tooltip({ words, children, className = '' }: { words: string; children: ReactNode; className?: string | undefined }) {
  const [open, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()

  const come = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(true), TOOLTIP_DELAY_MS)
  }
  const go = () => {
    clearTimeout(timer.current)
    setOpen(false)
  }

  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!open) return
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [open])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches the control inside
    <span className={`${styles.host} ${className}`} onPointerEnter={come} onPointerLeave={go} onFocus={come} onBlur={go} onPointerDown={go}>
      {children}
      {open && (
        <span id={id} className={styles.tip} role="tooltip" aria-hidden="true">
          {words}
        </span>
      )}
    </span>
  )
}
