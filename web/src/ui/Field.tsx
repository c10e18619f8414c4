/** A labelled field with its hint and its error; what wraps it tells it its id, its error and its description. */
import { Field as ChakraField, Input, NativeSelect, Textarea } from '@chakra-ui/react'
import { ChevronDown, CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './Field.module.css'

type FieldProps = {
  label: ReactNode
  /** Under the field, in small words. */
  hint?: ReactNode
  /** Message of the error; the field is marked as invalid. */
  error?: string | undefined
  /** Says "(optional)" beside the label. */
  optional?: boolean
  className?: string | undefined
  children: ReactNode
}

export function Field({ label, hint, error, optional, className, children }: FieldProps) {
  // One id for both, of which one is shown: the field is then described by its error too, not only linked to it.
  const text = useId()
  return (
    <ChakraField.Root invalid={Boolean(error)} className={className} ids={{ errorText: text, helperText: text }}>
      <ChakraField.Label>
        {label}
        {optional && <span className={styles.optional}> (optional)</span>}
      </ChakraField.Label>
      {children}
      {error ? (
        <ChakraField.ErrorText>
          <CircleAlert className={styles.icon} size={16} strokeWidth={2} aria-hidden="true" />
          {error}
        </ChakraField.ErrorText>
      ) : (
        hint && <ChakraField.HelperText>{hint}</ChakraField.HelperText>
      )}
    </ChakraField.Root>
  )
}

type Common = Omit<FieldProps, 'children'>

/** `<TextField label="Email" type="email" error={...} {...register('email')} />` */
export function TextField({
  label,
  hint,
  error,
  optional,
  className,
  ...input
}: Common & Omit<ComponentProps<typeof Input>, keyof Common>) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional ?? false} className={className}>
      <Input {...input} />
    </Field>
  )
}

/** Children are `<option>` elements. */
export function SelectField({
  label,
  hint,
  error,
  optional,
  className,
  children,
  ...select
}: Common & Omit<ComponentProps<typeof NativeSelect.Field>, keyof Common>) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional ?? false} className={className}>
      <NativeSelect.Root>
        <NativeSelect.Field {...select}>{children}</NativeSelect.Field>
        <NativeSelect.Indicator>
          <ChevronDown size={16} strokeWidth={2} aria-hidden="true" />
        </NativeSelect.Indicator>
      </NativeSelect.Root>
    </Field>
  )
}

export function TextareaField({
  label,
  hint,
  error,
  optional,
  className,
  ...textarea
}: Common & Omit<ComponentProps<typeof Textarea>, keyof Common>) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional ?? false} className={className}>
      <Textarea {...textarea} />
    </Field>
  )
}
