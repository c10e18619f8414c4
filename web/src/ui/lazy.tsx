/** Parts of a page whose code comes when they are first shown. A part that does not come or breaks leaves the page standing. */
import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react'
import { Alert } from './Alert.tsx'
import { LinkButton } from './Button.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { toast } from './toaster/toast-store.ts'

type State = 'waiting' | 'ready' | 'failed'

/** The code of a part, kept once it is here. What failed is asked for again by `retry`. */
function chunkOf<Props>(load: () => Promise<ComponentType<Props>>) {
  let Loaded: ComponentType<Props> | null = null
  function useChunk(wanted: boolean): { Part: ComponentType<Props> | null; state: State; fail: () => void; retry: () => void } {
    const [state, setState] = useState<State>(Loaded ? 'ready' : 'waiting')
    useEffect(() => {
      if (!wanted || state !== 'waiting') return
      let left = false
      load().then(
        (part) => {
          Loaded = part
          if (!left) setState('ready')
        },
        () => !left && setState('failed'),
      )
      return () => {
        left = true
      }
    }, [wanted, state])
    return {
      Part: Loaded,
      state,
      fail: useCallback(() => setState('failed'), []),
      retry: useCallback(() => setState(Loaded ? 'ready' : 'waiting'), []),
    }
  }
  return useChunk
}

type Overlay = { open: boolean; onClose: () => void }

/** A dialog, a sheet or a menu. When it fails a message says so, and the next press tries again. */
export function lazyOverlay<Props extends Overlay>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const useChunk = chunkOf(load)
  return function LazyOverlay(props: Props) {
    const { open, onClose } = props
    const { Part, state, fail, retry } = useChunk(open)
    useEffect(() => {
      if (state !== 'failed') return
      toast({ title: 'This could not be opened', description: 'Please check your connection and try again.', tone: 'negative' })
      retry()
      onClose()
    }, [state, retry, onClose])
    if (state !== 'ready' || !Part) return null
    return (
      <ErrorBoundary fallback={null} onError={fail}>
        <Part {...props} />
      </ErrorBoundary>
    )
  }
}

/** A part of the page itself: `waiting` stands in its place until it is here. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props & { waiting: ReactNode }> {
  const useChunk = chunkOf(load)
  return function LazyPart({ waiting, ...props }: Props & { waiting: ReactNode }) {
    const { Part, state, fail, retry } = useChunk(true)
    if (state === 'failed') {
      return (
        <Alert tone="negative" title="This part of the page could not be loaded">
          Please check your connection. <LinkButton onClick={retry}>Try again</LinkButton>
        </Alert>
      )
    }
    if (state === 'waiting' || !Part) return waiting
    return (
      <ErrorBoundary fallback={null} onError={fail}>
        <Part {...(props as unknown as Props)} />
      </ErrorBoundary>
    )
  }
}
