/** The forms' rules: the contracts' schemas, and what only a form asks for. */
import { Register } from '@passerelle/contracts/http/identity'
import { z } from 'zod'
import { DIFFERENT } from '../../../lib/new-password.ts'

export const RegisterForm = Register.extend({ confirmPassword: z.string() }).refine(
  ({ password, confirmPassword }) => password === confirmPassword,
  DIFFERENT,
)
export type RegisterValues = z.input<typeof RegisterForm>

/** What is sent: the confirmation stays here, and terms are only mentioned when they were ticked. */
export function toRegistration({ confirmPassword: _, acceptedTerms, ...account }: z.output<typeof RegisterForm>): Register {
  return acceptedTerms ? { ...account, acceptedTerms } : account
}
