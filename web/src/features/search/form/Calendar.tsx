/** The calendar itself; loaded when it is first opened. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { DayPicker, type Matcher } from 'react-day-picker'
import { formatDate, today } from '../../../lib/format/dates.ts'
import { type DateRange, toDay } from '../model/date-range.ts'
import styles from './Calendar.module.css'

type Props = { range: DateRange; single: boolean; months: 1 | 2; onPick: (date: string) => void }

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

/** "Thursday, January 14, 2027, selected": with the number as it is shown, which "14th" would not be. */
function dayName(day: Date, { selected, today: now }: Record<string, boolean | undefined>): string {
  return [formatDate(today(day), 'long'), now && 'today', selected && 'selected'].filter(Boolean).join(', ')
}

export function Calendar({ range, single, months, onPick }: Props) {
  const from = toDay(range.departureDate)
  const to = toDay(range.returnDate)
  const first = toDay(today())!
  const past: Matcher = { before: first }
  const shared = {
    classNames,
    components: { Chevron },
    autoFocus: true,
    disabled: past,
    startMonth: first,
    endMonth: new Date(first.getFullYear() + 1, first.getMonth(), 1),
    defaultMonth: from ?? first,
    numberOfMonths: months,
    weekStartsOn: 1,
    labels: { labelDayButton: dayName },
    formatters: { formatWeekdayName: (day: Date) => day.toLocaleDateString('en-US', { weekday: 'short' }) },
  } as const
  if (single) return <DayPicker mode="single" {...shared} selected={from} onSelect={(_date, day) => onPick(today(day))} />
  return <DayPicker mode="range" {...shared} selected={{ from, to }} onSelect={(_range, day) => onPick(today(day))} />
}
