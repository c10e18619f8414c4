import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'

/** Shows what the server said of a form's own fields, and puts the cursor into the first of them. */
export function showFieldErrors<Values extends FieldValues>(
  setError: UseFormSetError<Values>,
  values: object,
  fields: Readonly<Record<string, string>>,
): void {
  const wrong = Object.entries(fields).filter(([name]) => name in values)
  for (const [index, [name, message]] of wrong.entries()) setError(name as Path<Values>, { message }, { shouldFocus: index === 0 })
}
