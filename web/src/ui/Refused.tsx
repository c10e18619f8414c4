import type { Ref } from 'react'
import { Alert } from './Alert.tsx'
import styles from './Refused.module.css'

/** The server's answer on top of the form it was given to. */
export function Refused({ title, message, ref }: { title: string; message: string; ref?: Ref<HTMLDivElement> }) {
  return (
    <Alert tone="negative" title={title} {...(ref && { ref })}>
      <span className={styles.line}>{message}</span>
    </Alert>
  )
}
