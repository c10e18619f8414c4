import { useLocation, useNavigate } from '../../lib/router.ts'
import { confirmationOf, type Place, readPlace, type Step } from './model/steps.ts'

export type Steps = {
  place: Place
  /** Of the history entry: a move is asked for once an entry. */
  entry: string
  /** A step further: a new entry of the history. */
  forward: (step: Step) => void
  back: (entries?: number) => void
  /** This entry becomes the confirmation. */
  settle: (bookingId: string) => void
}

export function useSteps(): Steps {
  const { pathname, search, state, key } = useLocation()
  const navigate = useNavigate()
  const place = readPlace(state)
  return {
    place,
    entry: key,
    forward: (step) => {
      const next = { step, depth: place.depth + 1, fromFlight: place.fromFlight } satisfies Omit<Place, 'bookingId'>
      void navigate(pathname + search, { state: next })
    },
    back: (entries = 1) => void navigate(-entries),
    settle: (bookingId) => void navigate(pathname + search, { replace: true, state: confirmationOf(bookingId) }),
  }
}
