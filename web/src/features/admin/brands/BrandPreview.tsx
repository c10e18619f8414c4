import type { Brand } from '@passerelle/contracts/http/brand'
import { useLayoutEffect, useRef } from 'react'
import { BrandMark } from '../../../brand/BrandMark.tsx'
import { applyBrand, BrandProvider } from '../../../brand/BrandProvider.tsx'
import { BridgeLine } from '../../../ui/BridgeLine.tsx'
import { HeroBanner, heroStyles } from '../../../ui/HeroBanner.tsx'
import styles from './Preview.module.css'

/** No host and no query: the brand is given, so nothing is loaded. */
const NOWHERE = { host: 'localhost', search: '' }
const LEG = [{ minutes: 185, wait: false }]

/** The brand's own look around real parts of the pages; it can be seen and not used. */
export function BrandPreview({ brand }: { brand: Brand }) {
  const stage = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (stage.current) applyBrand(brand, stage.current)
  }, [brand])
  return (
    <figure className={styles.preview} aria-label={`Live preview of ${brand.name}`}>
      <figcaption>{brand.domain === 'default' ? 'Live preview' : brand.domain}</figcaption>
      <div ref={stage} className={styles.stage} inert aria-hidden="true">
        <BrandProvider key={JSON.stringify(brand)} injected={brand} location={NOWHERE}>
          <div className={styles.header}>
            <BrandMark />
            <span className={styles.current}>Flights</span>
            <span>My Trips</span>
            <span>About</span>
            <span className={styles.solid}>Sign Up</span>
          </div>
          <HeroBanner title="See more. Pay what it says." words="Compare airline fares and pay the total you see.">
            <span className={`${styles.button} ${heroStyles.onBrand}`}>Search flights</span>
            <span className={`${styles.button} ${heroStyles.ghost}`}>E-mail us</span>
          </HeroBanner>
          <div className={styles.offer}>
            <div>
              <p className={styles.times}>
                <b>10:55</b> CDG
              </p>
              <div className={styles.line}>
                <BridgeLine parts={LEG} />
                <span className={styles.link}>Direct</span>
              </div>
              <p className={styles.times}>
                <b>13:00</b> LIS
              </p>
            </div>
            <p className={styles.price}>
              <b>€248</b>
              <span className={styles.solid}>View Details</span>
            </p>
          </div>
          <div className={styles.words}>
            <p>
              Reading text with <span className={styles.link}>a link</span>, <span className={styles.soft}>a quiet button</span> and{' '}
              <span className={styles.quiet}>secondary text</span>.
            </p>
          </div>
          <div className={styles.footer}>
            <b>{brand.name}</b>
            <span>{brand.contact.address}</span>
            <span>{brand.contact.phone}</span>
          </div>
        </BrandProvider>
      </div>
    </figure>
  )
}
