/** The form's rules: the contract's schema, and what only the form asks for. */
import { Register } from '@passerelle/contracts/http/identity'
import { z } from 'zod'
import { DIFFERENT } from '../../../lib/new-password-schemas.ts'

export const RegisterForm = Register.extend({ confirmPassword: z.string() }).refine(
  ({ password, confirmPassword }) => password === confirmPassword,
  DIFFERENT,
)
export type RegisterValues = z.input<typeof RegisterForm>
export type RegisterAnswers = z.output<typeof RegisterForm>
