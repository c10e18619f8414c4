import { paths } from '../../lib/paths.ts'
import { Link } from '../../lib/router.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './ConsentBanner.module.css'
import type { AdConsent } from './conversion-tag.ts'

/** Both answers weigh the same, and nothing is loaded before one is given. */
export function ConsentBanner({ onAnswer }: { onAnswer: (consent: AdConsent) => void }) {
  return (
    <section className={styles.banner} aria-labelledby="consent">
      <div className={`wrap ${styles.inner}`}>
        <div>
          <h2 id="consent">May we count this call?</h2>
          <p>
            An advertising service would like to know whether its advertisement led to a call. For that it sets cookies of its own. The page
            works the same without. <Link to={paths.cookies}>Cookie Policy</Link>
          </p>
        </div>
        <div className={styles.answers}>
          <Button onClick={() => onAnswer('denied')}>Refuse</Button>
          <Button onClick={() => onAnswer('granted')}>Agree</Button>
        </div>
      </div>
    </section>
  )
}
