import styles from './BridgeReaching.module.css'

/** The bridge growing towards its ring: we are searching, or waiting for an answer. */
export function BridgeReaching({ className = '' }: { className?: string | undefined }) {
  return (
    <svg className={`${styles.reaching} ${className}`} viewBox="0 0 132 24" width="132" height="24" aria-hidden="true" focusable="false">
      <circle cx="14" cy="12" r="9" fill="none" stroke="var(--brand-edge)" strokeWidth="3" />
      <path className={styles.tube} d="M28 12h104" stroke="var(--brand-edge)" strokeWidth="3" />
    </svg>
  )
}
