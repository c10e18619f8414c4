import { BadgeCheck, Clock, Lock, Mail, MapPin, Phone } from 'lucide-react'
import { useBrand } from '../../../brand/BrandProvider.tsx'
import { mail, telephone } from '../../../lib/paths.ts'
import { AirlineTile } from '../../../ui/AirlineTile.tsx'
import { EXAMPLE_FARE, REASONS, SERVICES, TRUST } from './content.ts'
import styles from './Sections.module.css'

const TRUST_ICONS = [Lock, Phone, BadgeCheck]

export function TrustBadges() {
  return (
    <ul className={styles.trust}>
      {TRUST.map((claim, index) => {
        const Icon = TRUST_ICONS[index] ?? BadgeCheck
        return (
          <li key={claim}>
            <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
            {claim}
          </li>
        )
      })}
    </ul>
  )
}

/** One price from the list to the card, shown on an example. */
export function PriceProof() {
  const { base, tax, total } = EXAMPLE_FARE
  return (
    <section className={`wrap ${styles.section} ${styles.proof}`} aria-labelledby="one-price">
      <div className={styles.head}>
        <h2 id="one-price">One price, from the first list to the last receipt</h2>
        <p>
          Taxes and our fee are in the figure from the start, for everyone travelling. Nothing is added at the end. And if you find the same
          flight for less, we match the price: that is our best-price guarantee.
        </p>
      </div>
      <figure className={styles.receipt} aria-label="Example of a fare">
        <div className={styles.receiptHead}>
          <AirlineTile code="AF" size="large" />
          <div>
            <p className={styles.strong}>Paris to New York</p>
            <p className={styles.fine}>Air France, Economy, 3 travellers, round trip</p>
          </div>
        </div>
        <dl className={styles.lines}>
          <div>
            <dt>Base fare</dt>
            <dd>{base}</dd>
          </div>
          <div>
            <dt>Taxes and fees</dt>
            <dd>{tax}</dd>
          </div>
        </dl>
        <div className={styles.total}>
          <span>Total</span>
          <b>{total}</b>
        </div>
        <ul className={styles.echo}>
          {['In the list', 'At payment', 'On your card'].map((place) => (
            <li key={place}>
              {place}
              <b>{total}</b>
            </li>
          ))}
        </ul>
      </figure>
    </section>
  )
}

export function Reasons() {
  return (
    <section className={`wrap ${styles.section} ${styles.reasons}`} aria-labelledby="why">
      <div className={styles.head}>
        <h2 id="why">Why travellers stay with us</h2>
        <p>Six things you can hold us to.</p>
      </div>
      <dl>
        {REASONS.map(([claim, words]) => (
          <div key={claim}>
            <dt>{claim}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function Experts() {
  const { contact } = useBrand()
  return (
    <section className={`wrap ${styles.section}`} aria-labelledby="experts">
      <div className={styles.expert}>
        <div className={styles.expertTop}>
          <div>
            <h2 id="experts">Rather talk it through?</h2>
            <p>Our travel experts plan and book with you on the line.</p>
          </div>
          <a className={styles.phone} href={telephone(contact.phone)}>
            {contact.phone}
          </a>
        </div>
        <dl className={styles.services}>
          {SERVICES.map(([service, words]) => (
            <div key={service}>
              <dt>{service}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
        <div className={styles.expertEnd}>
          <a href={mail(contact.email)}>
            <Mail size={20} strokeWidth={1.75} aria-hidden="true" />
            {contact.email}
          </a>
          <span>
            <Clock size={20} strokeWidth={1.75} aria-hidden="true" />
            Open 24/7
          </span>
          <address>
            <MapPin size={20} strokeWidth={1.75} aria-hidden="true" />
            {contact.address}
          </address>
        </div>
      </div>
    </section>
  )
}
