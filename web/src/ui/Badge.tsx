import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './Badge.module.css'

type Props = {
  children: ReactNode
  tone?: 'neutral' | 'brand' | 'positive' | 'warning' | 'negative' | 'info'
  icon?: LucideIcon | undefined
}

export function Badge({ children, tone = 'neutral', icon: Icon }: Props) {
  return (
    <span className={`${styles.badge} ${styles[tone]}`}>
      {Icon && <Icon size={14} strokeWidth={2.2} aria-hidden="true" />}
      {children}
    </span>
  )
}
