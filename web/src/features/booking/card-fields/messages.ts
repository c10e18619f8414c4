/** What the payment step and the page of the card fields in its frame say to each other. Both are ours and on one origin. */

export type ToFields =
  /** Make a payment method of what is entered. */
  | { type: 'make-method' }
  /** Show the bank's question. */
  | { type: 'ask'; clientSecret: string }

export type FromFields =
  | { type: 'ready' }
  /** The provider's script or fields did not come. */
  | { type: 'failed' }
  /** This page takes no cards: the mode was switched. */
  | { type: 'not-live' }
  /** Of what is shown, in pixels. */
  | { type: 'height'; height: number }
  | { type: 'method'; paymentMethodId: string; cardLast4: string }
  | { type: 'refused'; message: string }
  /** The question is over. What came of it only the server knows. */
  | { type: 'answered' }

export function tell(target: Window | null | undefined, message: ToFields | FromFields): void {
  target?.postMessage(message, window.location.origin)
}

/** Hears messages of one window of ours until the returned function is called. */
export function listenTo<M extends ToFields | FromFields>(
  source: () => Window | null | undefined,
  heard: (message: M) => void,
): () => void {
  const onMessage = ({ origin, source: from, data }: MessageEvent) => {
    if (origin === window.location.origin && from !== null && from === source()) heard(data as M)
  }
  window.addEventListener('message', onMessage)
  return () => window.removeEventListener('message', onMessage)
}
