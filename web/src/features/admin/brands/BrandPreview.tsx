import type { Brand } from '@passerelle/contracts/http/brand'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { useLayoutEffect, useRef, useState } from 'react'
import { applyBrand } from '../../../brand/apply-brand.ts'
import { BrandMark } from '../../../brand/BrandMark.tsx'
import { BrandProvider } from '../../../brand/BrandProvider.tsx'
import { HeroBanner, heroStyles } from '../../../ui/HeroBanner.tsx'
import { Segment } from '../../../ui/Segment.tsx'
import styles from './Preview.module.css'
import { PreviewOffers } from './PreviewOffers.tsx'

/** No host and no query: the brand is given, so nothing is loaded. */
const NOWHERE = { host: 'localhost', search: '' }
const VIEWS = [
  ['home', 'Home'],
  ['results', 'Results'],
  ['phone', 'Phone'],
] as const
type View = (typeof VIEWS)[number][0]

/** The brand's own look around real parts of the pages; it can be seen and not used. */
export function BrandPreview({ brand }: { brand: Brand }) {
  const [view, setView] = useState<View>('home')
  const stage = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (stage.current) applyBrand(brand, stage.current)
  }, [brand])
  return (
    <section aria-label="Live preview">
      <div className={styles.views}>
        <h2>Live preview</h2>
        <Segment name="view" label="Shown in the preview" options={VIEWS} value={view} onChange={setView} />
      </div>
      <figure className={styles.preview} data-view={view} aria-label={`Live preview of ${brand.name}`}>
        <figcaption>{brand.domain === DEFAULT_BRAND_KEY ? 'Every host without a brand' : brand.domain}</figcaption>
        <div ref={stage} className={styles.stage} inert aria-hidden="true">
          <BrandProvider key={JSON.stringify(brand)} injected={brand} location={NOWHERE}>
            <div className={styles.header}>
              <BrandMark />
              <span className={styles.current}>Flights</span>
              <span>My Trips</span>
              <span>About</span>
              <span className={styles.solid}>Sign Up</span>
            </div>
            {view === 'results' ? (
              <div className={styles.summary}>
                <p>
                  Paris <span>CDG</span> → Lisbon <span>LIS</span>
                </p>
                <span className={styles.outline}>Modify Search</span>
              </div>
            ) : (
              <HeroBanner title="See more. Pay what it says." words="Compare airline fares and pay the total you see.">
                <span className={`${styles.button} ${heroStyles.onBrand}`}>Search flights</span>
                <span className={`${styles.button} ${heroStyles.ghost}`}>E-mail us</span>
              </HeroBanner>
            )}
            <PreviewOffers all={view === 'results'} />
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
    </section>
  )
}
