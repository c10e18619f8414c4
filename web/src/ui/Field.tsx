/** A labelled field with its hint and its error; the control inside takes its id, its error and its description from here. */
import { ChevronDown, CircleAlert } from 'lucide-react'
import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react'
import styles from './Field.module.css'

type FieldProps = {
  label: ReactNode
  /** Under the field, in small words. */
  hint?: ReactNode
  /** Message of the error; the field is marked as invalid. */
  error?: string | undefined
  /** Says "(optional)" beside the label. */
  optional?: boolean | undefined
  className?: string | undefined
  children: ReactNode
}

type Inside = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }

const FieldContext = createContext<Inside | null>(null)

export function Field({ label, hint, error, optional, className = '', children }: FieldProps) {
  const id = useId()
  const described = Boolean(error || hint)
  return (
    <div className={`${styles.field} ${className}`}>
      <label className={styles.label} htmlFor={id}>
        {label}
        {optional && <span className={styles.optional}> (optional)</span>}
      </label>
      <FieldContext value={{ id, ...(error && { 'aria-invalid': true }), ...(described && { 'aria-describedby': `${id}-about` }) }}>
        {children}
      </FieldContext>
      {error ? (
        <p id={`${id}-about`} className={styles.error} aria-live="polite">
          <CircleAlert size={16} strokeWidth={2} aria-hidden="true" />
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-about`} className={styles.hint}>
            {hint}
          </p>
        )
      )}
    </div>
  )
}

export function Input({ className = '', ...input }: ComponentProps<'input'>) {
  return <input {...use(FieldContext)} {...input} className={`${styles.control} ${className}`} />
}

type Common = Omit<FieldProps, 'children'>

/** `<TextField label="Email" type="email" error={...} {...register('email')} />` */
export function TextField({ label, hint, error, optional, className, ...input }: Common & Omit<ComponentProps<'input'>, keyof Common>) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} className={className}>
      <Input {...input} />
    </Field>
  )
}

function Select(props: ComponentProps<'select'>) {
  return (
    <span className={styles.select}>
      <select {...use(FieldContext)} {...props} className={styles.control} />
      <ChevronDown size={16} strokeWidth={2} aria-hidden="true" />
    </span>
  )
}

/** Children are `<option>` elements. */
export function SelectField({ label, hint, error, optional, className, ...select }: Common & Omit<ComponentProps<'select'>, keyof Common>) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} className={className}>
      <Select {...select} />
    </Field>
  )
}

function Textarea(props: ComponentProps<'textarea'>) {
  return <textarea {...use(FieldContext)} {...props} className={`${styles.control} ${styles.text}`} />
}

export function TextareaField({
  label,
  hint,
  error,
  optional,
  className,
  ...textarea
}: Common & Omit<ComponentProps<'textarea'>, keyof Common>) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} className={className}>
      <Textarea {...textarea} />
    </Field>
  )
}
