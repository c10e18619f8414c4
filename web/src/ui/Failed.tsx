import { Button } from './Button.tsx'
import { Message } from './Message.tsx'

/** In place of a screen that could not be shown. Without a picture: it stands in the entry, because more code may be what does not come. */
export function Failed() {
  return (
    <div className="wrap">
      <Message
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
      </Message>
    </div>
  )
}
