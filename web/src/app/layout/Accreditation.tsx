import styles from './Accreditation.module.css'

/** The seal of an accredited travel agency. */
export function Accreditation() {
  return (
    <span className={styles.accreditation}>
      <svg viewBox="0 0 32 32" width="32" height="32" role="img" aria-label="Accreditation logo">
        <path
          d="M16 2.5l3.3 2.4 4.1-.2 1.1 3.9 3.4 2.2-1.4 3.8 1.4 3.8-3.4 2.2-1.1 3.9-4.1-.2-3.3 2.4-3.3-2.4-4.1.2-1.1-3.9-3.4-2.2 1.4-3.8-1.4-3.8 3.4-2.2 1.1-3.9 4.1.2z"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinejoin="round"
        />
        <path
          d="M10.5 14.800l3.700 3.700 7.300-7.300"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.25"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      Accredited travel agency
    </span>
  )
}
