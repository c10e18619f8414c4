/** Native check boxes, radio buttons and switches in the product's dress. */
import type { ComponentProps, ReactNode } from 'react'
import styles from './Choice.module.css'

type InputProps = Omit<ComponentProps<'input'>, 'type' | 'children'>

type CheckProps = InputProps & {
  children: ReactNode
  /** Stands at the right edge: a count, hours. */
  aside?: ReactNode
  type?: 'checkbox' | 'radio'
}

export function Check({ children, aside, type = 'checkbox', className, ...input }: CheckProps) {
  return (
    <label className={`${styles.check} ${input.disabled ? styles.off : ''} ${className ?? ''}`}>
      <input type={type} {...input} />
      <span>{children}</span>
      {aside !== undefined && <span className={styles.aside}>{aside}</span>}
    </label>
  )
}

/** `aside` stands before the switch: a count. */
export function Switch({ children, aside, ...input }: InputProps & { children: ReactNode; aside?: ReactNode }) {
  return (
    <label className={styles.switch}>
      <span>{children}</span>
      {aside !== undefined && <span className={styles.before}>{aside}</span>}
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a native check box has its checked state already */}
      <input type="checkbox" role="switch" {...input} />
    </label>
  )
}
