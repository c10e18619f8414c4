import type { Money } from '@passerelle/contracts/http/common'
import { toMinor } from '@passerelle/contracts/rules/money'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { type FromFields, listenTo, type ToFields, tell } from '../card-fields/messages.ts'
import type { BankAnswer } from '../model/bank-question.ts'

/** The page in the frame says so itself after 15 s; this is for one that does not come at all. */
const LOAD_WITHIN_MS = 20_000
/** Until the page has told. */
const FIRST_HEIGHT = 180

export type CardFrame = {
  frame: RefObject<HTMLIFrameElement | null>
  /** Changes with each load of the frame. */
  loadKey: string
  address: string
  state: 'loading' | 'ready' | 'failed'
  height: number
  /** What the fields made of the card, or why not; null when they were left. */
  makeMethod: () => Promise<Extract<FromFields, { type: 'method' | 'refused' }> | null>
  ask: (clientSecret: string) => Promise<BankAnswer>
  /** Empties the fields, and leaves a question that stands. */
  reload: () => void
}

/** The page of the card fields in its frame. `onNotLive`: it takes no cards in this mode. */
export function useCardFrame(total: Money, onNotLive: () => void): CardFrame {
  const frame = useRef<HTMLIFrameElement>(null)
  const waiting = useRef<((message: FromFields | null) => void) | null>(null)
  const notLive = useRef(onNotLive)
  const [round, setRound] = useState(0)
  const [state, setState] = useState<CardFrame['state']>('loading')
  const [height, setHeight] = useState(FIRST_HEIGHT)
  const amount = new URLSearchParams({
    amount: String(toMinor(total.amount, total.currency)),
    currency: total.currency.toLowerCase(),
  })
  const address = `${paths.cardFields}#${amount}`
  const loadKey = `${round} ${address}`

  useEffect(() => {
    notLive.current = onNotLive
  }, [onNotLive])

  const answer = useCallback((message: FromFields | null) => {
    waiting.current?.(message)
    waiting.current = null
  }, [])

  useEffect(
    () =>
      listenTo<FromFields>(
        () => frame.current?.contentWindow,
        (message) => {
          if (message.type === 'height') setHeight(message.height)
          else if (message.type === 'ready' || message.type === 'failed') setState(message.type)
          else if (message.type === 'not-live') {
            setState('failed')
            notLive.current()
          } else answer(message)
        },
      ),
    [answer],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: each load of the frame has its time
  useEffect(() => {
    setState('loading')
    const timer = setTimeout(() => setState((now) => (now === 'loading' ? 'failed' : now)), LOAD_WITHIN_MS)
    return () => {
      clearTimeout(timer)
      answer(null)
    }
  }, [loadKey, answer])

  const say = (message: ToFields) =>
    new Promise<FromFields | null>((resolve) => {
      answer(null)
      waiting.current = resolve
      tell(frame.current?.contentWindow, message)
    })

  return {
    frame,
    loadKey,
    address,
    state,
    height,
    async makeMethod() {
      const made = await say({ type: 'make-method' })
      return made?.type === 'method' || made?.type === 'refused' ? made : null
    },
    ask: async (clientSecret) => ((await say({ type: 'ask', clientSecret }))?.type === 'answered' ? 'answered' : 'left'),
    reload: useCallback(() => setRound((now) => now + 1), []),
  }
}
