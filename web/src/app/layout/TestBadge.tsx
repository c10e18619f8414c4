import { useSystemMode } from '../../lib/system-mode.ts'
import styles from './TestBadge.module.css'

/** On every page in test mode; nothing in live mode. */
export function TestBadge() {
  const { mode } = useSystemMode()
  if (mode !== 'test') return null
  return (
    <span className={styles.badge}>
      <span>
        Test<span className={styles.long}> mode</span>
      </span>
    </span>
  )
}
