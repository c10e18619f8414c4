/** The mark of a brand without a logo. */
export function BuiltInMark() {
  return (
    <svg viewBox="0 0 40 28" width="37" height="26" aria-hidden="true">
      <circle cx="13" cy="14" r="10" fill="none" stroke="var(--mark-ring, var(--brand-edge))" strokeWidth="5" />
      <path d="M25 11.5h15v5H25z" fill="currentColor" />
    </svg>
  )
}
