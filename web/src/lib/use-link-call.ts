import { useEffect, useRef, useState } from 'react'

/**
 * The call of a page that a mail's link opens: sent once when the page opens, as a link works once, and again on `send`.
 * `call` turns its own errors into an outcome; null: the answer is awaited.
 */
export function useLinkCall<Outcome>(call: () => Promise<Outcome>): { outcome: Outcome | null; send: () => void } {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const sent = useRef(false)

  function send(): void {
    setOutcome(null)
    void call().then(setOutcome)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first render sends
  useEffect(() => {
    if (sent.current) return
    sent.current = true
    send()
  }, [])

  return { outcome, send }
}
