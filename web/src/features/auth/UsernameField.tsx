import type { ComponentProps } from 'react'
import { TextField } from '../../ui/Field.tsx'

/** A name that a phone's keyboard neither capitalises nor corrects. */
export function UsernameField(props: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return <TextField label="Username" required autoComplete="username" autoCapitalize="none" spellCheck={false} {...props} />
}
