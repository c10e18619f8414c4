import type { FlightOffer } from '@passerelle/contracts/http/search'
import styles from './FareRules.module.css'
import { changeRule, identityText, type Rule, refundRule, serviceLines } from './model/fare.ts'

export function FareRules({ offer }: { offer: FlightOffer }) {
  const services = serviceLines(offer.available_services)
  return (
    <>
      <dl className={styles.rules}>
        <RuleLine name="Refundable" rule={refundRule(offer.conditions)} />
        <RuleLine name="Changeable" rule={changeRule(offer.conditions)} />
      </dl>
      <h3 className={styles.head}>Available Services</h3>
      {services.length === 0 ? (
        <p className="muted">No additional services available for this flight.</p>
      ) : (
        <ul className={styles.services}>
          {services.map(({ key, name, description, price, times }) => (
            <li key={key}>
              <div>
                <p className={styles.name}>{name}</p>
                <p className="muted">
                  {description}
                  {times > 1 && <span className={styles.times}> ({times} available)</span>}
                </p>
              </div>
              <p className={`${styles.price} numerals`}>{price}</p>
            </li>
          ))}
        </ul>
      )}
      <h3 className={styles.head}>Passenger Identity Requirements</h3>
      <p className="muted">{identityText(offer)}</p>
    </>
  )
}

function RuleLine({ name, rule }: { name: string; rule: Rule }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b>{rule.answer}</b>
        <span className={styles.detail}>{rule.detail}</span>
      </dd>
    </div>
  )
}
