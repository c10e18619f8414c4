import { WAITING } from './screen.ts'

/** In place of a screen whose code or data is on its way. It keeps the footer below the fold. */
export function Loading({ text = WAITING }: { text?: string | undefined }) {
  return (
    <div className="screen-loading" role="status">
      <span className="visually-hidden">{text}</span>
    </div>
  )
}
