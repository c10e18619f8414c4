import type { ReactNode } from 'react'
import styles from './Message.module.css'

export type MessageProps = {
  title: ReactNode
  /** One helpful sentence. */
  children?: ReactNode
  /** One solid button, perhaps a phone link beside it. */
  actions?: ReactNode
  level?: 1 | 2
  role?: 'alert' | 'status'
  picture?: ReactNode
}

/** Some words in the middle of the page, and what to do now. */
export function Message({ title, children, actions, level = 2, role, picture }: MessageProps) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <section className={styles.message} role={role}>
      {picture}
      <Heading className={styles.title}>{title}</Heading>
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  )
}
