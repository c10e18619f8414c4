import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatMinutes } from '../../../lib/format/duration.ts'
import { countNoun } from '../../../lib/format/people.ts'
import { LinkButton } from '../../../ui/Button.tsx'
import { Check, Switch } from '../../../ui/Choice.tsx'
import { type Facets, moneyOf } from '../model/facets.ts'
import { BUCKETS, effectiveRange, type Filters, PRICE_STEP, STOPS, sliderEnd, type TimeBucket, withToggled } from '../model/filters.ts'
import styles from './Filters.module.css'
import { RangeSlider } from './RangeSlider.tsx'

type Props = { filters: Filters; facets: Facets; onChange: (change: Partial<Filters>) => void }

/** Every filter, with how many flights of the whole list each choice would show. */
export function FilterGroups({ filters, facets, onChange }: Props) {
  return (
    <>
      <Group title="Stops">
        {STOPS.map(({ value, label }) => (
          <Option
            key={value}
            label={label}
            count={facets.stops[value]}
            checked={filters.stops.includes(value)}
            onToggle={() => onChange({ stops: withToggled(filters.stops, value).sort() })}
          />
        ))}
      </Group>
      <PriceFilter filters={filters} facets={facets} onChange={onChange} />
      <AirlineFilter filters={filters} facets={facets} onChange={onChange} />
      <Group title="Departure time">
        <Buckets chosen={filters.departureTime} counts={facets.departureTime} onChange={(departureTime) => onChange({ departureTime })} />
      </Group>
      <details className={`${styles.group} ${styles.fold}`} open={filters.arrivalTime.length > 0 || undefined}>
        <summary>
          Arrival time
          <ChevronDown size={16} strokeWidth={2} aria-hidden="true" />
        </summary>
        <fieldset>
          <legend className="visually-hidden">Arrival time</legend>
          <Buckets chosen={filters.arrivalTime} counts={facets.arrivalTime} onChange={(arrivalTime) => onChange({ arrivalTime })} />
        </fieldset>
      </details>
      <DurationFilter filters={filters} facets={facets} onChange={onChange} />
      <div className={styles.group}>
        <Switch
          checked={filters.refundable}
          onChange={() => onChange({ refundable: !filters.refundable })}
          aside={<Tally count={facets.refundable} />}
        >
          Refundable
        </Switch>
        <Switch
          checked={filters.baggageIncluded}
          onChange={() => onChange({ baggageIncluded: !filters.baggageIncluded })}
          aside={<Tally count={facets.baggageIncluded} />}
        >
          Baggage included
        </Switch>
      </div>
    </>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      <div>{children}</div>
    </fieldset>
  )
}

type OptionProps = { label: string; count: number; aside?: string; checked: boolean; onToggle: () => void }

/** A count of 0 leads nowhere; what is chosen can always be taken back. */
function Option({ label, count, aside, checked, onToggle }: OptionProps) {
  const shown = aside ? (
    <>
      {aside}
      <span className="visually-hidden">, {countNoun(count, 'flight')}</span>
    </>
  ) : (
    <>
      {count}
      <span className="visually-hidden"> {count === 1 ? 'flight' : 'flights'}</span>
    </>
  )
  return (
    <Check className={styles.option} checked={checked} disabled={count === 0 && !checked} onChange={onToggle} aside={shown}>
      {label}
    </Check>
  )
}

function Tally({ count }: { count: number }) {
  return (
    <>
      {count}
      <span className="visually-hidden"> {count === 1 ? 'flight' : 'flights'}</span>
    </>
  )
}

function Buckets({
  chosen,
  counts,
  onChange,
}: {
  chosen: readonly TimeBucket[]
  counts: Readonly<Record<TimeBucket, number>>
  onChange: (chosen: TimeBucket[]) => void
}) {
  return BUCKETS.map(({ id, label, hours }) => (
    <Option
      key={id}
      label={label}
      aside={hours}
      count={counts[id]}
      checked={chosen.includes(id)}
      onToggle={() => onChange(withToggled(chosen, id))}
    />
  ))
}

function PriceFilter({ filters, facets: { scale, histogram }, onChange }: Props) {
  const [min, max] = scale.bounds
  const [low, high] = effectiveRange(filters.priceRange, scale.bounds)
  // A range over the whole scale is no filter.
  const choose = (from: number, until: number) => onChange({ priceRange: from <= min && until >= max ? null : [from, until] })
  return (
    <div className={styles.group}>
      <h3>Price, {scale.currency}</h3>
      <RangeSlider
        min={min}
        max={sliderEnd(scale.bounds)}
        step={PRICE_STEP}
        bars={histogram}
        thumbs={[
          { label: 'Lowest price', value: low, text: moneyOf(low, scale), onChange: (value) => choose(Math.min(value, high), high) },
          {
            label: 'Highest price',
            value: high >= max ? sliderEnd(scale.bounds) : high,
            text: moneyOf(high, scale),
            onChange: (value) => choose(low, Math.max(value, low)),
          },
        ]}
      />
      <p className={styles.ends}>
        <span>{moneyOf(low, scale)}</span>
        <span>{moneyOf(high, scale)}</span>
      </p>
    </div>
  )
}

const FIRST_AIRLINES = 6

function AirlineFilter({ filters, facets: { airlines }, onChange }: Props) {
  const [all, setAll] = useState(false)
  const listed = airlines.filter(({ code }, index) => all || index < FIRST_AIRLINES || filters.airlines.includes(code))
  return (
    <Group title="Airlines">
      {listed.map(({ code, name, count }) => (
        <Option
          key={code}
          label={name}
          count={count}
          checked={filters.airlines.includes(code)}
          onToggle={() => onChange({ airlines: withToggled(filters.airlines, code) })}
        />
      ))}
      {airlines.length > FIRST_AIRLINES && (
        <LinkButton aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer airlines' : `Show all ${airlines.length} airlines`}
        </LinkButton>
      )}
    </Group>
  )
}

function DurationFilter({ filters, facets: { hours }, onChange }: Props) {
  if (!hours || hours[0] === hours[1]) return null
  const [shortest, longest] = hours
  const value = filters.duration === null ? longest : Math.min(Math.max(Math.ceil(filters.duration / 60), shortest), longest)
  const text = filters.duration === null ? 'Any duration' : `Up to ${formatMinutes(filters.duration)}`
  return (
    <div className={styles.group}>
      <h3>Outbound duration</h3>
      <RangeSlider
        min={shortest}
        max={longest}
        step={1}
        thumbs={[
          {
            label: 'Longest duration in hours',
            value,
            text,
            onChange: (chosen) => onChange({ duration: chosen >= longest ? null : chosen * 60 }),
          },
        ]}
      />
      <p className={styles.ends}>
        <span className={filters.duration === null ? styles.none : undefined}>{text}</span>
      </p>
    </div>
  )
}
