import type { FlightOffer } from '@passerelle/contracts/http/search'
import { formatMoney } from '@passerelle/contracts/rules/money'
import { Lock, Phone, UserRound } from 'lucide-react'
import { useId } from 'react'
import { useBrand } from '../../brand/BrandProvider.tsx'
import { emissionsText } from '../../lib/emissions.ts'
import { countPassengers, passengersText, travellersText } from '../../lib/format/people.ts'
import { telephone } from '../../lib/paths.ts'
import { FROM_FLIGHT } from '../../lib/router.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Note, NoteList } from '../../ui/NoteList.tsx'
import { Price } from '../../ui/Price.tsx'
import { shownPrice } from './model/fare.ts'
import styles from './PriceSummary.module.css'

type Props = { offer: FlightOffer /** Address of the booking. */; book: string }

/** What it costs and the one button of the page; on phones the button stands in a bar of its own. */
export function PriceSummary({ offer, book }: Props) {
  const { contact } = useBrand()
  const { base, tax, total, currency } = shownPrice(offer)
  const emissions = emissionsText(offer.emissions_kg)
  const heading = useId()
  return (
    <aside className={styles.side} aria-labelledby={heading}>
      <section className={`card ${styles.card}`}>
        <h2 id={heading}>Price Summary</h2>
        <dl className={styles.lines}>
          <div>
            <dt>Base fare</dt>
            <dd>{formatMoney(base, currency)}</dd>
          </div>
          <div>
            <dt>Taxes and fees</dt>
            <dd>{formatMoney(tax, currency)}</dd>
          </div>
          <div className={styles.total}>
            <dt>Total</dt>
            <dd>
              <Price amount={total} currency={currency} />
            </dd>
          </div>
        </dl>
        <p className={styles.note}>
          The price is for all passengers: {passengersText(countPassengers(offer.passengers))}. {currency}.
        </p>
        {emissions && <p className={styles.note}>{emissions}</p>}
        <ButtonLink className="wide-only" variant="solid" size="lg" full to={book} state={FROM_FLIGHT}>
          Book This Flight
        </ButtonLink>
      </section>
      <NoteList className="wide-only">
        <Note icon={Lock}>The total shown is the amount charged.</Note>
        <Note icon={UserRound}>You can book without an account.</Note>
        <Note icon={Phone}>
          Questions? <a href={telephone(contact.phone)}>{contact.phone}</a>, 24/7
        </Note>
      </NoteList>
    </aside>
  )
}

/** Total and button, always in reach of a thumb. */
export function BookingBar({ offer, book }: Props) {
  const { total, currency } = shownPrice(offer)
  return (
    <section className={`${styles.bar} phone-only`} aria-label="Price and booking">
      <div>
        <p>
          <Price amount={total} currency={currency} size="small" />
        </p>
        <p className={styles.note}>{travellersText(countPassengers(offer.passengers))}, taxes included</p>
      </div>
      <ButtonLink className={styles.book} variant="solid" to={book} state={FROM_FLIGHT}>
        Book Now
      </ButtonLink>
    </section>
  )
}
