import { CircleAlert, CircleCheck, CircleX, Clock, Info, type LucideIcon, X } from 'lucide-react'
import { type PointerEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { IconButton } from '../Button.tsx'
import styles from './Toaster.module.css'
import { SWIPE_PX, TOAST_LIFE_MS, type ToastRecord, type ToastTone, toasts } from './toast-store.ts'

const ICONS: Record<ToastTone, LucideIcon> = { positive: CircleCheck, negative: CircleX, warning: Clock, info: Info }

/** The region where messages appear. F8 brings the focus to it. */
export function Toaster() {
  const current = useSyncExternalStore(toasts.subscribe, toasts.visible, () => null)
  const region = useRef<HTMLElement>(null)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'F8') return
      event.preventDefault()
      region.current?.focus()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  return (
    <section ref={region} className={styles.region} aria-label="Notifications (F8)" tabIndex={-1}>
      <div aria-live={current?.tone === 'negative' ? 'assertive' : 'polite'} aria-atomic="true">
        {current && <Toast key={current.id} toast={current} />}
      </div>
    </section>
  )
}

function Toast({ toast }: { toast: ToastRecord }) {
  const [held, setHeld] = useState(false)
  const [dragged, setDragged] = useState(0)
  const start = useRef<number | null>(null)
  const Icon = ICONS[toast.tone] ?? CircleAlert

  useEffect(() => {
    // Under the pointer or with the focus inside, it stays until it is let go.
    if (held) return
    const timer = setTimeout(() => toasts.dismiss(toast.id), TOAST_LIFE_MS)
    return () => clearTimeout(timer)
  }, [held, toast.id])

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if ((event.target as HTMLElement).closest('button')) return
    start.current = event.clientX
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (start.current !== null) setDragged(Math.max(0, event.clientX - start.current))
  }
  const onPointerUp = () => {
    if (start.current !== null && dragged > SWIPE_PX) toasts.dismiss(toast.id)
    start.current = null
    setDragged(0)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: swiping is an extra; the button inside dismisses for everybody
    <div
      className={`${styles.toast} ${styles[toast.tone]}`}
      data-tone={toast.tone}
      style={dragged > 0 ? { transform: `translateX(${dragged}px)`, transition: 'none' } : undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      <div>
        <p className={styles.title}>{toast.title}</p>
        {toast.description && <p className={styles.description}>{toast.description}</p>}
      </div>
      <IconButton aria-label={`Dismiss: ${toast.title}`} className={styles.dismiss} onClick={() => toasts.dismiss(toast.id)}>
        <X size={16} strokeWidth={2} aria-hidden="true" />
      </IconButton>
    </div>
  )
}
