import { countNoun } from '../../../lib/format/people.ts'
import { Button } from '../../../ui/Button.tsx'
import { Sheet } from '../../../ui/Sheet.tsx'
import type { Facets } from '../model/facets.ts'
import type { Filters } from '../model/filters.ts'
import { FilterGroups } from './FilterGroups.tsx'
import { ActiveCount } from './FilterPanel.tsx'
import styles from './Filters.module.css'

type Props = {
  open: boolean
  onClose: () => void
  filters: Filters
  facets: Facets
  active: number
  shown: number
  onChange: (change: Partial<Filters>) => void
  onClear: () => void
}

/** From the bottom edge on a narrow page. */
export function FilterSheet({ open, onClose, filters, facets, active, shown, onChange, onClear }: Props) {
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title="Filters"
      heading={
        <h2 className={styles.sheetHead}>
          Filters <ActiveCount count={active} />
        </h2>
      }
      footer={
        <>
          <Button variant="line" onClick={onClear}>
            Clear Filters
          </Button>
          <Button variant="solid" onClick={onClose}>
            Show {countNoun(shown, 'flight')}
          </Button>
        </>
      }
    >
      <form className={styles.sheet} aria-label="All filters" onSubmit={(event) => event.preventDefault()}>
        <FilterGroups filters={filters} facets={facets} onChange={onChange} />
      </form>
    </Sheet>
  )
}
