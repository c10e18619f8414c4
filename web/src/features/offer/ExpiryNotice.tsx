import { useEffect } from 'react'
import { useNow } from '../../lib/use-now.ts'
import { Alert } from '../../ui/Alert.tsx'
import { expiryText, hasPassed } from './model/expiry.ts'

const RENEW_MS = 15_000

/** `sure`: the server has just told this time. `onPassed` is called once, when the visitor's clock says that the offer is over; the server decides. */
export function ExpiryNotice({ expiresAt, sure, onPassed }: { expiresAt: string; sure: boolean; onPassed: () => void }) {
  const now = useNow(RENEW_MS)
  const passed = hasPassed(expiresAt, now)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once when it passes, whatever function is given
  useEffect(() => {
    if (passed) onPassed()
  }, [passed])
  return (
    <Alert tone="warning" title="Offers typically expire after 30 minutes.">
      {sure && expiryText(expiresAt, now)}
    </Alert>
  )
}
