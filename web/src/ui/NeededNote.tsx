/** Above a form in which some fields may stay empty. */
export function NeededNote() {
  return <p className="muted">All fields are needed, unless they say optional.</p>
}
