import { isMark } from '@passerelle/contracts/rules/brand'
import styles from './BrandMark.module.css'
import { useBrand } from './BrandProvider.tsx'
import { BuiltInMark } from './BuiltInMark.tsx'

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
      <BuiltInMark />
      <span>{name}</span>
    </span>
  )
}
