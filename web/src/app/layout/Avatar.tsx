import type { User } from '@passerelle/contracts/http/identity'
import { initialOf } from '../../lib/session.ts'
import styles from './Avatar.module.css'

/** The first letter of somebody's name, for the eye alone. */
export function Avatar({ user }: { user: User }) {
  return (
    <span className={styles.avatar} aria-hidden="true">
      {initialOf(user)}
    </span>
  )
}
