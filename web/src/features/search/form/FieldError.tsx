import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './FieldError.module.css'

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className={styles.error} role="alert">
      <CircleAlert size={16} strokeWidth={2} aria-hidden="true" />
      {children}
    </p>
  )
}
