import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

/** In place of a screen that could not be shown. */
export function Failed() {
  return (
    <div className="wrap">
      <EmptyState
        level={1}
        role="alert"
        title="Something went wrong"
        actions={
          <Button variant="solid" onClick={() => window.location.reload()}>
            Load the page again
          </Button>
        }
      >
        This page could not be shown. Your bookings and payments are not affected.
      </EmptyState>
    </div>
  )
}
