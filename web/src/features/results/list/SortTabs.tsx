import type { Facets } from '@passerelle/contracts/http/offer-view'
import { formatMoney } from '@passerelle/contracts/rules/money'
import { formatMinutes } from '../../../lib/format/duration.ts'
import type { Sort } from '../model/sorting.ts'
import styles from './SortTabs.module.css'

const TABS = [
  { sort: 'best', name: 'Best', champion: 'best' },
  { sort: 'price-asc', name: 'Cheapest', champion: 'cheapest' },
  { sort: 'duration-asc', name: 'Fastest', champion: 'fastest' },
] as const satisfies readonly { sort: Sort; name: string; champion: keyof Facets }[]

/** Three orders, each with the flight that would stand first. Nothing to choose between fewer than two flights. */
export function SortTabs({ counts, sort, onChange }: { counts: Facets; sort: Sort; onChange: (sort: Sort) => void }) {
  const tabs = TABS.flatMap((tab) => {
    const first = counts[tab.champion]
    return first ? [{ ...tab, first }] : []
  })
  if (tabs.length < TABS.length || counts.total < 2) return null
  return (
    <>
      <fieldset className={styles.tabs}>
        <legend className="visually-hidden">Sort the flights</legend>
        {tabs.map(({ sort: order, name, first }) => (
          <button key={order} type="button" aria-pressed={sort === order} onClick={() => onChange(order)}>
            {name}
            <span>
              <b>{formatMoney(first.price.total, first.price.currency)}</b> {first.duration !== null && formatMinutes(first.duration)}
            </span>
          </button>
        ))}
      </fieldset>
      <p className={styles.note}>Times are for the outbound flight. Best weighs price and travel time.</p>
    </>
  )
}
