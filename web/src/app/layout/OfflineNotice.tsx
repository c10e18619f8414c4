import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Alert } from '../../ui/Alert.tsx'

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Says so while the browser has no connection. */
export function OfflineNotice() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  if (online) return null
  return (
    <div className="wrap" style={{ paddingBlock: 12 }}>
      <Alert tone="warning" icon={WifiOff} role="status" title="You are offline.">
        Searching and booking work again as soon as the connection is back.
      </Alert>
    </div>
  )
}
