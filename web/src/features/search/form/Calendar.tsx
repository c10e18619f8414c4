/** The calendar itself; loaded when it is first opened. */
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ComponentProps, createContext, useContext, useState } from 'react'
import { DayButton, DayPicker, type Matcher } from 'react-day-picker'
import { type DayPrice, type DayPrices, dayPricesQuery, type Trip } from '../../../lib/day-prices.ts'
import { daysBetween, formatDate, today } from '../../../lib/format/dates.ts'
import { type DateRange, toDay } from '../model/date-range.ts'
import styles from './Calendar.module.css'

type Props = {
  range: DateRange
  single: boolean
  months: 1 | 2
  /** Whose lowest prices stand under the days; null while it is not known. */
  trip: Trip | null
  /** A day of departure is being chosen: prices are by departure. */
  priced: boolean
  onPick: (date: string) => void
}

const NO_PRICES: DayPrices = new Map()
const Prices = createContext(NO_PRICES)

function Chevron({ orientation }: { orientation?: 'up' | 'down' | 'left' | 'right' }) {
  const Icon = orientation === 'left' ? ChevronLeft : ChevronRight
  return <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
}

const classNames = {
  root: styles.root ?? '',
  months: styles.months ?? '',
  month: styles.month ?? '',
  month_caption: styles.caption ?? '',
  nav: styles.nav ?? '',
  button_previous: styles.arrow ?? '',
  button_next: styles.arrow ?? '',
  month_grid: styles.grid ?? '',
  weekday: styles.weekday ?? '',
  day: styles.day ?? '',
  day_button: styles.button ?? '',
  today: styles.today ?? '',
  disabled: styles.disabled ?? '',
  selected: styles.selected ?? '',
  range_start: styles.from ?? '',
  range_middle: styles.between ?? '',
  range_end: styles.till ?? '',
  hidden: styles.hidden ?? '',
}

/** "Thursday, January 14, 2027, selected, $128": with the number as it is shown, which "14th" would not be. */
function dayName(day: Date, { selected, today: now }: Record<string, boolean | undefined>, price: DayPrice | undefined): string {
  const marks = [now && 'today', selected && 'selected', price?.full, price?.isLowest && 'lowest price']
  return [formatDate(today(day), 'long'), ...marks].filter(Boolean).join(', ')
}

/** The day's price stands under its number by style: as text it would not fit the name of the button, which has it in full. */
function PricedDay(day: ComponentProps<typeof DayButton>) {
  const price = useContext(Prices).get(today(day.day.date))
  if (!price || day.modifiers.disabled) return <DayButton {...day} />
  return <DayButton {...day} data-price={price.short} data-lowest={price.isLowest || undefined} />
}

/** The prices of the days of so many months from this one on. */
function usePrices(trip: Trip | null, month: Date, months: number): DayPrices {
  const from = today(month)
  const days = daysBetween(from, today(new Date(month.getFullYear(), month.getMonth() + months, 1)))
  // Without a trip nothing is asked for.
  const { data } = useQuery({ ...dayPricesQuery(trip ?? ({} as Trip), from, days), enabled: trip !== null })
  return (trip && data) || NO_PRICES
}

const monthOf = (day: Date) => new Date(day.getFullYear(), day.getMonth(), 1)

export function Calendar({ range, single, months, trip, priced, onPick }: Props) {
  const from = toDay(range.departureDate)
  const to = toDay(range.returnDate)
  const first = toDay(today())!
  const past: Matcher = { before: first }
  const [month, setMonth] = useState(() => monthOf(from ?? first))
  const prices = usePrices(priced ? trip : null, month, months)
  const shared = {
    classNames,
    components: { Chevron, DayButton: PricedDay },
    autoFocus: true,
    disabled: past,
    startMonth: first,
    endMonth: new Date(first.getFullYear() + 1, first.getMonth(), 1),
    month,
    onMonthChange: setMonth,
    numberOfMonths: months,
    weekStartsOn: 1,
    labels: {
      labelDayButton: (day: Date, modifiers: Record<string, boolean | undefined>) =>
        dayName(day, modifiers, modifiers.disabled ? undefined : prices.get(today(day))),
    },
    formatters: { formatWeekdayName: (day: Date) => day.toLocaleDateString('en-US', { weekday: 'short' }) },
  } as const
  return (
    <Prices value={prices}>
      <div className={trip ? styles.priced : undefined}>
        {single ? (
          <DayPicker mode="single" {...shared} selected={from} onSelect={(_date, day) => onPick(today(day))} />
        ) : (
          <DayPicker mode="range" {...shared} selected={{ from, to }} onSelect={(_range, day) => onPick(today(day))} />
        )}
      </div>
    </Prices>
  )
}
