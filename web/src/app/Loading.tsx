import { WAITING } from './screen.ts'

/** In place of a screen whose code or data is on its way; only words of its own are seen. It keeps the footer below the fold. */
export function Loading({ text }: { text?: string | undefined }) {
  return (
    <div className="screen-loading" role="status">
      {text ? <span>{text}</span> : <span className="visually-hidden">{WAITING}</span>}
    </div>
  )
}
