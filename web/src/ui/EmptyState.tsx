import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'
import { BridgeAlone } from './illustration/BridgeAlone.tsx'

type Props = {
  title: ReactNode
  /** One helpful sentence. */
  children?: ReactNode
  /** One solid button, perhaps a phone link beside it. */
  actions?: ReactNode
  level?: 1 | 2
  role?: 'alert' | 'status'
}

/** Nothing here, or something failed: the bridge stands alone. */
export function EmptyState({ title, children, actions, level = 2, role }: Props) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <section className={styles.empty} role={role}>
      <BridgeAlone className={styles.picture} />
      <Heading className={styles.title}>{title}</Heading>
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  )
}
