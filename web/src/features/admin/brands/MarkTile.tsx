import type { ListedBrand } from '@passerelle/contracts/http/brand-manager'
import { BuiltInMark } from '../../../brand/BuiltInMark.tsx'
import styles from './Brands.module.css'

/** The logo of a brand in the list, beside its name. A picture of another host is not loaded here: its page alone lets that host in. */
export function MarkTile({ brand: { name, logo, status } }: { brand: Pick<ListedBrand, 'name' | 'logo' | 'status'> }) {
  return (
    <span className={styles.tile} data-draft={status === 'draft' || undefined} aria-hidden="true">
      {logo.startsWith('/') ? <img src={logo} alt="" width={32} height={26} /> : logo ? name.slice(0, 1) : <BuiltInMark />}
    </span>
  )
}
