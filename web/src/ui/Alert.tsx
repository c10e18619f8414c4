import { CircleAlert, CircleCheck, Clock, Info, type LucideIcon } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import styles from './Alert.module.css'

const ICONS: Record<Tone, LucideIcon> = { info: Info, positive: CircleCheck, warning: Clock, negative: CircleAlert }

type Tone = 'info' | 'positive' | 'warning' | 'negative'
type Props = {
  tone: Tone
  /** First sentence, bold. */
  title?: ReactNode
  children?: ReactNode
  icon?: LucideIcon
  /** `alert` interrupts a screen reader, `status` waits, `note` is read in its place. */
  role?: 'alert' | 'status' | 'note'
  ref?: Ref<HTMLDivElement>
}

export function Alert({ tone, title, children, icon, role = tone === 'negative' ? 'alert' : 'note', ref }: Props) {
  const Icon = icon ?? ICONS[tone]
  return (
    <div className={`${styles.alert} ${styles[tone]}`} role={role} ref={ref} tabIndex={ref ? -1 : undefined}>
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      <div>
        {title && <strong>{title}</strong>}
        {title && children && ' '}
        {children}
      </div>
    </div>
  )
}
