import { useOpenAttempts } from '../lib/open-attempts.ts'
import { lazyPart } from '../ui/lazy.tsx'

const AttemptNotices = lazyPart(async () => (await import('../features/booking/attempts/AttemptNotices.tsx')).AttemptNotices)

/** On every page: what came of payments that were left before their end was seen. Loaded only where there are some. */
export function OpenAttempts() {
  const attempts = useOpenAttempts()
  return attempts.length === 0 ? null : <AttemptNotices attempts={attempts} waiting={null} />
}
