import styles from './BridgeAlone.module.css'
import { Bridge } from './shapes.tsx'

/** The bridge without an aircraft: nothing here, or something failed. */
export function BridgeAlone({ className = '' }: { className?: string | undefined }) {
  return (
    <svg className={`${styles.alone} ${className}`} viewBox="420 90 560 320" aria-hidden="true" focusable="false">
      <circle cx="560" cy="210" r="112" fill="var(--brand-soft)" />
      <path d="M420 399h560" stroke="var(--line-control)" strokeWidth="2" />
      <g stroke="var(--line-control)" strokeWidth="1.5">
        <Bridge />
      </g>
    </svg>
  )
}
