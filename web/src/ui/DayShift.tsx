/** Beside an arrival: how many days after (or, across the date line, before) its departure a flight lands. Nothing on the same day. */
export function DayShift({ days }: { days: number }) {
  if (days === 0) return null
  const signed = days > 0 ? `+${days}` : `−${-days}`
  return (
    <>
      <sup aria-hidden="true">{signed}</sup>
      <span className="visually-hidden">
        {' '}
        arrives {signed} {Math.abs(days) === 1 ? 'day' : 'days'}
      </span>
    </>
  )
}
