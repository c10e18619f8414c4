import { useBrand } from '../brand/BrandProvider.tsx'
import { countNoun } from '../lib/format/people.ts'
import { telephone } from '../lib/paths.ts'
import { Alert } from './Alert.tsx'
import type { MessageRefusal } from './use-message-form.ts'

/** On top of a form that was not sent: why, and the phone as another way. */
export function MessageRefused({ refusal }: { refusal: MessageRefusal }) {
  const { contact } = useBrand()
  const { message, waitSeconds } = refusal
  const call = <a href={telephone(contact.phone)}>{contact.phone}</a>
  if (waitSeconds === null) {
    return (
      <Alert tone="negative" title="Message not sent.">
        {message} Or call {call}.
      </Alert>
    )
  }
  return (
    <Alert tone="warning" role="alert" title="You have sent several messages.">
      Another one can be sent in {countNoun(Math.max(1, Math.ceil(waitSeconds / 60)), 'minute')}. If it cannot wait, call {call}.
    </Alert>
  )
}
