import { ChevronDown, ChevronUp } from 'lucide-react'
import { useId } from 'react'
import { LinkButton } from '../../../ui/Button.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import type { Facets } from '../model/facets.ts'
import type { Filters } from '../model/filters.ts'
import { FilterGroups } from './FilterGroups.tsx'
import styles from './Filters.module.css'

export function ActiveCount({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className={styles.count}>
      {count}
      <span className="visually-hidden"> active</span>
    </span>
  )
}

type Props = {
  filters: Filters
  facets: Facets
  active: number
  open: boolean
  onOpen: (open: boolean) => void
  onChange: (change: Partial<Filters>) => void
  onClear: () => void
  /** Id of what follows, for those who do not want to pass all filters. */
  past: string
}

/** Beside the list on a wide page. */
export function FilterPanel({ filters, facets, active, open, onOpen, onChange, onClear, past }: Props) {
  const id = useId()
  const Chevron = open ? ChevronUp : ChevronDown
  const clear = <LinkButton onClick={onClear}>Clear Filters</LinkButton>
  return (
    <aside className={styles.panel} aria-label="Filters">
      <a className={styles.skip} href={`#${past}`}>
        Skip the filters
      </a>
      <div className={styles.head}>
        <h2>
          <button type="button" className={styles.toggle} aria-expanded={open} aria-controls={id} onClick={() => onOpen(!open)}>
            Filters <ActiveCount count={active} />
            <Chevron size={16} strokeWidth={2} aria-hidden="true" />
          </button>
        </h2>
        {active > 0 && clear}
      </div>
      <form id={id} hidden={!open} aria-label="All filters" onSubmit={(event) => event.preventDefault()}>
        <FilterGroups filters={filters} facets={facets} onChange={onChange} />
        {active === 0 && <div className={styles.clear}>{clear}</div>}
      </form>
    </aside>
  )
}

/** The panel's room while there is nothing to filter yet. */
export function FilterSkeleton() {
  return (
    <aside className={styles.panel} aria-label="Filters">
      <div className={styles.head}>
        <h2 className={styles.toggle}>Filters</h2>
      </div>
      <div aria-hidden="true">
        {[3, 2, 5].map((rows) => (
          <div key={rows} className={styles.waiting}>
            <Skeleton width={90} height={15} />
            {Array.from({ length: rows }, (_, index) => 150 + ((index * 37) % 60)).map((width) => (
              <Skeleton key={width} width={width} height={14} />
            ))}
          </div>
        ))}
      </div>
    </aside>
  )
}
