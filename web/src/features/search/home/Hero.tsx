import { Mail } from 'lucide-react'
import type { MouseEvent } from 'react'
import { useBrand } from '../../../brand/BrandProvider.tsx'
import { mail } from '../../../lib/paths.ts'
import { ButtonAnchor } from '../../../ui/Button.tsx'
import { BridgeDocked } from '../../../ui/illustration/BridgeDocked.tsx'
import styles from './Hero.module.css'

function scrollToSearch(event: MouseEvent): void {
  const form = document.getElementById('search')
  if (!form) return
  event.preventDefault()
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  form.scrollIntoView({ behavior: still ? 'instant' : 'smooth', block: 'start' })
  form.querySelector<HTMLElement>('input[role="combobox"]')?.focus({ preventScroll: true })
}

export function Hero() {
  const { contact } = useBrand()
  return (
    <section className={styles.hero} aria-labelledby="hero">
      <span className={styles.ground} />
      <BridgeDocked className={styles.art} horizon />
      <div className={`wrap ${styles.inner}`}>
        <h1 id="hero">Good flights, plainly priced.</h1>
        <p className={styles.sub}>Search the airlines’ own fares, pay the total you see, and reach a person in Paris at any hour.</p>
        <div className={styles.actions}>
          <ButtonAnchor className={styles.onBrand} href="#search" onClick={scrollToSearch}>
            Search flights
          </ButtonAnchor>
          <ButtonAnchor className={styles.ghost} href={mail(contact.email)}>
            <Mail size={20} strokeWidth={1.75} aria-hidden="true" />
            E-mail us
          </ButtonAnchor>
        </div>
      </div>
    </section>
  )
}
