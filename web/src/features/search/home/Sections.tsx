import { BadgeCheck, Lock, Phone } from 'lucide-react'
import { useMemo } from 'react'
import { useBrand } from '../../../brand/BrandProvider.tsx'
import { CallBox } from '../../../brand/CallBox.tsx'
import { AirlineTile } from '../../../ui/AirlineTile.tsx'
import { Reasons } from '../../../ui/Reasons.tsx'
import { Section } from '../../../ui/Section.tsx'
import { exampleFare, REASONS, SERVICES, TRUST } from './content.ts'
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
  const { texts } = useBrand().content
  const { route, airline, code, base, taxes, total } = useMemo(() => exampleFare(texts), [texts])
  return (
    <Section
      className={styles.proof}
      title="One price, from the first list to the last receipt"
      words="Taxes and our fee are in the figure from the start, for everyone travelling. Nothing is added at the end. And if you find the same flight for less, we match the price: that is our best-price guarantee."
    >
      <figure className={styles.receipt} aria-label="Example of a fare">
        <div className={styles.receiptHead}>
          <AirlineTile code={code} size="large" />
          <div>
            <p className={styles.strong}>{route}</p>
            <p className={styles.fine}>{airline}, Economy, 3 travellers, round trip</p>
          </div>
        </div>
        <dl className={styles.lines}>
          <div>
            <dt>Base fare</dt>
            <dd>{base}</dd>
          </div>
          <div>
            <dt>Taxes and fees</dt>
            <dd>{taxes}</dd>
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
    </Section>
  )
}

/** What travellers can hold the agency to. */
export function HomeReasons() {
  return <Reasons title="Why travellers stay with us" words="Six things you can hold us to." reasons={REASONS} />
}

export function Experts() {
  return (
    <div className={`wrap ${styles.experts}`}>
      <CallBox title="Rather talk it through?" words="Our travel experts plan and book with you on the line.">
        <dl className={styles.services}>
          {SERVICES.map(([service, words]) => (
            <div key={service}>
              <dt>{service}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      </CallBox>
    </div>
  )
}
