import type { Register } from '@passerelle/contracts/http/identity'
import type { RegisterAnswers } from './register-form.ts'

/** What is sent: the confirmation stays here, and terms are only mentioned when they were ticked. */
export function toRegistration({ confirmPassword: _, acceptedTerms, ...account }: RegisterAnswers): Register {
  return acceptedTerms ? { ...account, acceptedTerms } : account
}
