import { Clock, Phone } from 'lucide-react'
import type { ComponentType } from 'react'
import { useBrand } from '../../brand/BrandProvider.tsx'
import { CallBox } from '../../brand/CallBox.tsx'
import { useFacts } from '../../brand/facts.ts'
import { Prose } from '../../brand/Prose.tsx'
import { telephone } from '../../lib/paths.ts'
import { AirlineTile } from '../../ui/AirlineTile.tsx'
import { ButtonAnchor } from '../../ui/Button.tsx'
import { Cells } from '../../ui/Cells.tsx'
import { HeroBanner, HeroSearch, heroStyles } from '../../ui/HeroBanner.tsx'
import { Reasons } from '../../ui/Reasons.tsx'
import { Section } from '../../ui/Section.tsx'
import { scrollToSearch } from '../../ui/scroll-to-search.ts'
import { ConsentBanner } from './ConsentBanner.tsx'
import { AIRLINES, PROMOTIONS, REASONS } from './content.ts'
import styles from './PartnerPage.module.css'
import { useConversion } from './use-conversion.ts'

type OnCall = (event: { preventDefault(): void }) => void

/** `Search` is the widget, which belongs to the search. */
export function PartnerPage({ Search }: { Search: ComponentType<{ onCall?: OnCall }> }) {
  const { name, contact, content } = useBrand()
  const { asks, answer, onCall } = useConversion()
  return (
    <>
      {content.waitTime && <WaitTime />}
      <HeroBanner title="Book your flight by phone." words="Tell a travel expert where and when. You hear the total before you say yes.">
        <ButtonAnchor size="lg" className={`${heroStyles.onBrand} ${styles.phone}`} href={telephone(contact.phone)} onClick={onCall}>
          <Phone size={20} strokeWidth={1.75} aria-hidden="true" />
          {contact.phone}
        </ButtonAnchor>
        <ButtonAnchor size="lg" className={`${heroStyles.ghost} wide-only`} href="#search" onClick={scrollToSearch}>
          Search flights
        </ButtonAnchor>
      </HeroBanner>
      <HeroSearch>
        <Search onCall={onCall} />
      </HeroSearch>
      {content.promotions && <Promotions />}
      <Section title="Airlines we book">
        <ul className={styles.airlines}>
          {AIRLINES.map(([code, airline]) => (
            <li key={code}>
              <AirlineTile code={code} size="large" />
              <b>{airline}</b>
            </li>
          ))}
        </ul>
      </Section>
      <Reasons title="Why Fly With Us" words="Six things you can hold us to." reasons={REASONS} />
      <div className={`wrap ${styles.contact}`}>
        <CallBox title="Contact" words={`${name}, ${contact.address}`} withAddress={false} onCall={onCall} />
      </div>
      {asks && <ConsentBanner onAnswer={answer} />}
    </>
  )
}

function WaitTime() {
  const { waitTime } = useFacts()
  return (
    <p className={styles.wait}>
      <Clock size={16} strokeWidth={2} aria-hidden="true" />
      <span>
        Current Wait Time: <b>{waitTime}</b>
      </span>
    </p>
  )
}

function Promotions() {
  return (
    <Section title="Ask for these when you call">
      <Cells columns={3}>
        {PROMOTIONS.map(([id, title, words]) => (
          <section key={id} className={styles.promotion}>
            <h3>{title}</h3>
            <Prose name={id}>{[words]}</Prose>
          </section>
        ))}
      </Cells>
    </Section>
  )
}
