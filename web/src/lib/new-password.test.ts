import { describe, expect, it } from 'vitest'
import { PASSWORD_RULES } from './new-password.ts'
import { ChangePasswordForm, SetPasswordForm } from './new-password-schemas.ts'
import { errorsOf } from './schema-resolver.ts'

const GOOD = 'Bordeaux-2026'
const filled = { currentPassword: 'old', newPassword: GOOD, confirmPassword: GOOD }
type Messages = Record<string, { message: string } | undefined>
const wrong = (values: object) => errorsOf(ChangePasswordForm.safeParse({ ...filled, ...values }).error?.issues ?? []) as Messages
const CLASSES = 'Password must contain at least one uppercase letter, one lowercase letter, one number, and one special character'

describe('changing the password', () => {
  it.each([
    ['ACCT-06', 'currentPassword', '', 'Current password is required'],
    ['ACCT-07', 'newPassword', 'Short-1', 'New password must be at least 12 characters'],
    ['ACCT-08', 'newPassword', 'bordeaux-2026', CLASSES],
    ['ACCT-08', 'newPassword', 'BORDEAUX-2026', CLASSES],
    ['ACCT-08', 'newPassword', 'Bordeaux-Bordeaux', CLASSES],
    ['ACCT-08', 'newPassword', 'Bordeaux20262026', CLASSES],
    ['ACCT-09', 'confirmPassword', '', 'Please confirm your new password'],
    ['ACCT-10', 'confirmPassword', 'Bordeaux-2062', "Passwords don't match"],
  ])('%s: %s %j is refused with its message', (_id, field, value, message) => {
    expect(wrong({ [field]: value })[field]?.message).toBe(message)
  })

  it('ACCT-15: has a message of its own for every field that is empty, and none for a good form', () => {
    expect(wrong({})).toEqual({})
    const empty = wrong({ currentPassword: '', newPassword: '', confirmPassword: '' })
    expect(Object.values(empty).map((error) => error?.message)).toEqual([
      'Current password is required',
      'New password must be at least 12 characters',
      'Please confirm your new password',
    ])
  })
})

describe('choosing a password with the link of a mail', () => {
  const problems = (newPassword: string, confirmPassword: string) =>
    errorsOf(SetPasswordForm.safeParse({ newPassword, confirmPassword }).error?.issues ?? []) as Messages

  it('has the same rules without the current one', () => {
    expect(problems(GOOD, GOOD)).toEqual({})
    expect(problems('Aa1!', 'Aa1!').newPassword?.message).toBe('New password must be at least 12 characters')
    expect(problems('aaaaaaaaaaaa', 'aaaaaaaaaaaa').newPassword?.message).toBe(CLASSES)
    expect(problems(GOOD, '').confirmPassword?.message).toBe('Please confirm your new password')
    expect(problems('Aa1!', 'other').confirmPassword?.message).toBe("Passwords don't match")
  })
})

it.each([GOOD, 'short', '', 'bordeaux-2026', 'BORDEAUX-2026', 'Bordeaux20262026', 'Bordeaux-Bordeaux', 'Àbordeaux-2026', 'Aa1!Aa1!Aa1'])(
  'ACCT-07, ACCT-08: the list of rules and the form agree on %j',
  (password) => {
    const accepted = SetPasswordForm.safeParse({ newPassword: password, confirmPassword: password || 'x' }).success
    expect(PASSWORD_RULES.every(({ isMet }) => isMet(password))).toBe(accepted)
  },
)
