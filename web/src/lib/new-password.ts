import { MIN_NEW_PASSWORD, PASSWORD_CLASSES } from '@passerelle/contracts/rules/password'

/** What a new password needs, rule by rule, to be ticked off while somebody types. */
export const PASSWORD_RULES: readonly { words: string; isMet: (password: string) => boolean }[] = [
  { words: `At least ${MIN_NEW_PASSWORD} characters`, isMet: (password) => password.length >= MIN_NEW_PASSWORD },
  { words: 'An uppercase letter', isMet: (password) => PASSWORD_CLASSES.uppercase.test(password) },
  { words: 'A lowercase letter', isMet: (password) => PASSWORD_CLASSES.lowercase.test(password) },
  { words: 'A number', isMet: (password) => PASSWORD_CLASSES.number.test(password) },
  { words: 'A special character, such as ! ? # or -', isMet: (password) => PASSWORD_CLASSES.special.test(password) },
]
