/** The schemas of forms in which a password is chosen and confirmed. */
import { ChangePassword } from '@passerelle/contracts/http/identity'
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
