import type { OfficeBooking } from '@passerelle/contracts/http/back-office'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { api } from '../../../lib/api-client.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Button } from '../../../ui/Button.tsx'
import { lazyOverlay } from '../../../ui/lazy.tsx'
import admin from '../Admin.module.css'
import styles from './Case.module.css'
import { useOperation } from './use-operation.ts'
import { caseWords, exact, RETRY_WORDS, waitWords } from './words.ts'

const RefundDialog = lazyOverlay(async () => (await import('./RefundDialog.tsx')).RefundDialog)
const SettleDialog = lazyOverlay(async () => (await import('./SettleDialog.tsx')).SettleDialog)

/** Why a booking waits for a person, and what that person can do. */
export function Case({ booking }: { booking: OfficeBooking }) {
  const heading = useId()
  const now = useNow(60_000)
  const [asked, setAsked] = useState<'refund' | 'settle' | null>(null)
  const retrying = useOperation(booking.id)
  const { attention, actions, id } = booking
  if (!attention) return null
  const { title, detail } = caseWords(attention.reason, booking)
  const again = actions.retry ? RETRY_WORDS[attention.reason] : undefined
  const { refund } = actions
  return (
    <section className={`${admin.panel} ${styles.case}`} aria-labelledby={heading}>
      <div className={styles.say}>
        <TriangleAlert size={20} strokeWidth={1.75} aria-hidden="true" />
        <h2 id={heading}>{title}</h2>
        <p>
          {detail} This has waited for <b>{waitWords(attention.since, now)}</b>.
        </p>
      </div>
      <ul className={styles.acts}>
        {again && (
          <Act title={again.title} words={again.detail}>
            <Button
              variant="solid"
              busy={retrying.busy}
              onClick={() => void retrying.run((options) => api.retryBooking({ params: { id } }, options), 'It was tried again')}
            >
              {!retrying.busy && <RefreshCw size={16} strokeWidth={2} aria-hidden="true" />}
              {again.button}
            </Button>
          </Act>
        )}
        {refund && (
          <Act
            title="Cancel and refund"
            words={`When the airline has confirmed it to you by phone or in its own system. ${
              refund.suggested ? `Returns ${exact(refund.suggested)} to the card now.` : 'You say how much goes back to the card.'
            }`}
          >
            <Button variant="dangerLine" onClick={() => setAsked('refund')}>
              {refund.suggested && Number(refund.suggested.amount) > 0 ? `Refund ${exact(refund.suggested)}...` : 'Cancel and refund...'}
            </Button>
          </Act>
        )}
        {actions.settle.length > 0 && (
          <Act
            title="Mark as settled"
            words="When it was settled outside this system. Moves no money; asks for a reason, which stays in the audit."
          >
            <Button onClick={() => setAsked('settle')}>Mark as settled...</Button>
          </Act>
        )}
      </ul>
      <RefundDialog open={asked === 'refund'} booking={booking} onClose={() => setAsked(null)} />
      <SettleDialog open={asked === 'settle'} booking={booking} onClose={() => setAsked(null)} />
    </section>
  )
}

function Act({ title, words, children }: { title: string; words: string; children: ReactNode }) {
  return (
    <li>
      <div>
        <b>{title}</b>
        <p>{words}</p>
      </div>
      {children}
    </li>
  )
}
