/** What a new password needs and its confirmation, wherever one is chosen. */
import { ChangePassword, MIN_NEW_PASSWORD, PASSWORD_CLASSES } from '@passerelle/contracts/http/identity'
import { z } from 'zod'

/** For `refine`: compares the two even while other fields are wrong. */
export const DIFFERENT = { message: "Passwords don't match", path: ['confirmPassword'], when: () => true }

const NewPassword = ChangePassword.extend({ confirmPassword: z.string().min(1, 'Please confirm your new password') })
const isConfirmed = (form: { newPassword: string; confirmPassword: string }) =>
  !form.confirmPassword || form.newPassword === form.confirmPassword

export const ChangePasswordForm = NewPassword.refine(isConfirmed, DIFFERENT)
export type ChangePasswordValues = z.input<typeof ChangePasswordForm>

export const SetPasswordForm = NewPassword.omit({ currentPassword: true }).refine(isConfirmed, DIFFERENT)
export type SetPasswordValues = z.input<typeof SetPasswordForm>

/** The rules one by one, to be ticked off while somebody types. */
export const PASSWORD_RULES: readonly { words: string; isMet: (password: string) => boolean }[] = [
  { words: `At least ${MIN_NEW_PASSWORD} characters`, isMet: (password) => password.length >= MIN_NEW_PASSWORD },
  { words: 'An uppercase letter', isMet: (password) => PASSWORD_CLASSES.uppercase.test(password) },
  { words: 'A lowercase letter', isMet: (password) => PASSWORD_CLASSES.lowercase.test(password) },
  { words: 'A number', isMet: (password) => PASSWORD_CLASSES.number.test(password) },
  { words: 'A special character, such as ! ? # or -', isMet: (password) => PASSWORD_CLASSES.special.test(password) },
]
