import { formatMoney } from '@passerelle/contracts/rules/money'
import { useBrand } from '../../../brand/BrandProvider.tsx'
import { telephone } from '../../../lib/paths.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import layout from '../Booking.module.css'
import type { Held } from './use-payment.ts'

/** The card is authorised already: what is missing is the booking. Asking again never pays twice. */
export function HeldPayment({ held, paying, over, onPress }: { held: Held; paying: boolean; over: boolean; onPress: () => void }) {
  const { phone } = useBrand().contact
  const amount = formatMoney(held.total.amount, held.total.currency)
  return (
    <section className={`card ${layout.pad} ${layout.stack}`} aria-label="Payment">
      <h2>Your card is authorised for {amount}</h2>
      {held.uncertain ? (
        <Alert tone="warning" role="alert" title="We do not know yet whether your booking went through.">
          Ask again: the same booking is never made or charged twice.
          {phone && (
            <>
              {' '}
              You can also call us on <a href={telephone(phone)}>{phone}</a>.
            </>
          )}
        </Alert>
      ) : (
        <p className="muted">Card ending {held.cardLast4}. It is charged only when the airline confirms.</p>
      )}
      <Button variant="solid" size="lg" full disabled={over} busy={paying} onClick={onPress}>
        {over ? 'Offer Expired' : paying ? 'Booking...' : held.uncertain ? 'Ask again' : 'Complete Booking'}
      </Button>
    </section>
  )
}
