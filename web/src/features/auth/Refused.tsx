import { Alert } from '../../ui/Alert.tsx'
import styles from './AuthForm.module.css'

/** The server's answer on top of the form it was given to. */
export function Refused({ title, message }: { title: string; message: string }) {
  return (
    <Alert tone="negative" title={title}>
      <span className={styles.line}>{message}</span>
    </Alert>
  )
}
