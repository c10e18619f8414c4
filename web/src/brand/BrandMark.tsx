import { isMark } from '@passerelle/contracts/rules/brand'
import styles from './BrandMark.module.css'
import { useBrand } from './BrandProvider.tsx'

/** The brand's logo; its mark, or the built-in one, beside its name. */
export function BrandMark() {
  const { name, logo } = useBrand()
  if (isMark(logo)) {
    return (
      <span className={styles.mark}>
        <img className={styles.sign} src={logo} alt="" width={34} height={28} />
        <span>{name}</span>
      </span>
    )
  }
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
