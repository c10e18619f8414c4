import { Check, Circle } from 'lucide-react'
import { useId } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { PASSWORD_RULES } from '../lib/new-password.ts'
import styles from './NewPasswordFields.module.css'
import { PasswordField } from './PasswordField.tsx'

type Problem = { message?: string | undefined } | undefined
type Props = {
  /** What stands in the first field now. */
  typed: string
  newPassword: UseFormRegisterReturn
  confirmPassword: UseFormRegisterReturn
  errors: { newPassword?: Problem; confirmPassword?: Problem }
}

/** A new password with its rules, ticked off while it is typed, and once more. */
export function NewPasswordFields({ typed, newPassword, confirmPassword, errors }: Props) {
  const rules = useId()
  const problem = errors.newPassword?.message
  return (
    <>
      <div className={styles.chosen}>
        <PasswordField
          label="New password"
          autoComplete="new-password"
          error={problem}
          {...(!problem && { 'aria-describedby': rules })}
          {...newPassword}
        />
        <ul id={rules} className={styles.rules} aria-label="The new password needs">
          {PASSWORD_RULES.map(({ words, isMet }) => (
            <Rule key={words} words={words} met={isMet(typed)} />
          ))}
        </ul>
      </div>
      <PasswordField
        label="Confirm new password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...confirmPassword}
      />
    </>
  )
}

function Rule({ words, met }: { words: string; met: boolean }) {
  const Icon = met ? Check : Circle
  return (
    <li className={met ? styles.met : undefined}>
      <Icon size={16} strokeWidth={2} aria-hidden="true" />
      <span>
        {words}
        <span className="visually-hidden">{met ? ' (met)' : ' (not yet)'}</span>
      </span>
    </li>
  )
}
