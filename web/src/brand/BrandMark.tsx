import styles from './BrandMark.module.css'
import { useBrand } from './BrandProvider.tsx'

/** The brand's logo, or the built-in mark, beside its name. */
export function BrandMark() {
  const { name, logo } = useBrand()
  if (logo) return <img className={styles.image} src={logo} alt={name} height={40} />
  return (
    <span className={styles.mark}>
      <svg viewBox="0 0 40 28" width="37" height="26" aria-hidden="true">
        <circle cx="13" cy="14" r="10" fill="none" stroke="var(--mark-ring, var(--brand-edge))" strokeWidth="5" />
        <path d="M25 11.5h15v5H25z" fill="currentColor" />
      </svg>
      <span>{name}</span>
    </span>
  )
}
