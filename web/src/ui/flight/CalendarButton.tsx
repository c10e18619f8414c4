import { CalendarPlus } from 'lucide-react'
import { type CalendarBooking, calendarOf } from '../../lib/calendar-file.ts'
import { download } from '../../lib/download.ts'
import { Button } from '../Button.tsx'

type Props = { booking: CalendarBooking; full?: boolean; className?: string | undefined }

/** Hands out the flights of a booking as a calendar file. */
export function CalendarButton({ booking, full, className }: Props) {
  return (
    <Button
      full={full}
      className={className}
      onClick={() => download(calendarOf(booking, Date.now()), `${booking.reference}.ics`, 'text/calendar')}
    >
      <CalendarPlus size={16} strokeWidth={2} aria-hidden="true" />
      Add to calendar
    </Button>
  )
}
