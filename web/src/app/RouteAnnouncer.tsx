import { useEffect, useRef, useState } from 'react'
import { useLocation } from '../lib/router.ts'

/** Tells a screen reader which screen has come, and brings the focus to its start. Says nothing on the first one. */
export function RouteAnnouncer() {
  const { pathname } = useLocation()
  const previous = useRef(pathname)
  const [heading, setHeading] = useState('')

  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    const main = document.getElementById('main')
    if (!main) return
    main.focus({ preventScroll: true })
    const announce = () => {
      const text = main.querySelector('h1')?.textContent?.trim()
      if (text) setHeading(text)
      return Boolean(text)
    }
    if (announce()) return
    // The screen or its data is still on its way: the first heading that appears is announced.
    const observer = new MutationObserver(() => announce() && observer.disconnect())
    observer.observe(main, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [pathname])

  return (
    <p className="visually-hidden" aria-live="polite">
      {heading}
    </p>
  )
}
