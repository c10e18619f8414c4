import { formatMoney } from '@passerelle/contracts/rules/money'
import { useBrand } from '../../../brand/BrandProvider.tsx'
import { telephone } from '../../../lib/paths.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import layout from '../Booking.module.css'
import type { Hold } from '../model/checkout-state.ts'

type Props = { hold: Hold; uncertain: boolean; paying: boolean; over: boolean; onPress: () => void }

/** The card is authorised already: what is missing is the booking. Asking again never pays twice. */
export function HeldPayment({ hold, uncertain, paying, over, onPress }: Props) {
  const { phone } = useBrand().contact
  const amount = formatMoney(hold.total.amount, hold.total.currency)
  return (
    <section className={`card ${layout.pad} ${layout.stack}`} aria-label="Payment">
      <h2>Your card is authorised for {amount}</h2>
      {uncertain ? (
        <Alert tone="warning" role="alert" title="We do not know yet whether your booking went through.">
          We look every few seconds and tell you here. You can also ask again: the same booking is never made or charged twice.
          {phone && (
            <>
              {' '}
              Or call us on <a href={telephone(phone)}>{phone}</a>.
            </>
          )}
        </Alert>
      ) : (
        <p className="muted">Card ending {hold.cardLast4}. It is charged only when the airline confirms.</p>
      )}
      <Button variant="solid" size="lg" full disabled={over} busy={paying} onClick={onPress}>
        {over ? 'Offer Expired' : paying ? 'Booking...' : uncertain ? 'Ask again' : 'Complete Booking'}
      </Button>
    </section>
  )
}
