import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './NoteList.module.css'

/** Short sentences with a sign before each. */
export function NoteList({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <ul className={`${styles.list} ${className}`}>{children}</ul>
}

export function Note({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <li>
      <Icon size={16} strokeWidth={2} aria-hidden="true" />
      <span>{children}</span>
    </li>
  )
}
