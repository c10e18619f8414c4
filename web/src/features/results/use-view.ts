import { useEffect, useMemo, useRef, useState } from 'react'
import { useAddressQuery } from '../../lib/router.ts'
import { readView, type View, withView } from './model/view-address.ts'

/** A slider moves many times a second; browsers limit how often an address may change. */
const WRITE_AFTER_MS = 250

export type ViewState = {
  /** As the controls show it. */
  view: View
  /** As the address says it, a moment later: what is asked of the server. */
  asked: View
  setView: (change: Partial<View>) => void
}

/** Filters and sort order: at once on the screen, a moment later in the address. */
export function useView(): ViewState {
  const [address, changeAddress] = useAddressQuery()
  const [view, setView] = useState(() => readView(address))
  const said = withView(new URLSearchParams(), readView(address)).toString()
  const wished = withView(new URLSearchParams(), view).toString()
  const seen = useRef(said)

  // Another entry of the history: its view is taken over.
  useEffect(() => {
    if (seen.current === said) return
    seen.current = said
    setView(readView(new URLSearchParams(said)))
  }, [said])

  useEffect(() => {
    if (wished === seen.current) return
    const timer = setTimeout(() => {
      seen.current = wished
      changeAddress((now) => withView(now, readView(new URLSearchParams(wished))))
    }, WRITE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [wished, changeAddress])

  const asked = useMemo(() => readView(new URLSearchParams(said)), [said])
  return { view, asked, setView: (change) => setView((before) => ({ ...before, ...change })) }
}
