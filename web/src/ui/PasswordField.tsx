import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { IconButton } from './Button.tsx'
import { Field, Input } from './Field.tsx'
import styles from './PasswordField.module.css'

type Props = Omit<ComponentProps<typeof Input>, 'type'> & {
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** Stands at the right of the label: a link. */
  beside?: ReactNode
}

/** A password that can be shown. */
export function PasswordField({ label, hint, error, beside, ...input }: Props) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <div className={styles.field}>
      <Field label={label} hint={hint} error={error}>
        <div className={styles.control}>
          <Input required {...input} className={styles.input} type={shown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} />
          <IconButton
            className={styles.show}
            aria-label={shown ? `Hide ${label.toLowerCase()}` : `Show ${label.toLowerCase()}`}
            onClick={() => setShown(!shown)}
          >
            <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </div>
      </Field>
      {beside && <span className={styles.beside}>{beside}</span>}
    </div>
  )
}
