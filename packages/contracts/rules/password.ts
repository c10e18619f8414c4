/** What a password chosen by its owner has to have; the forms tick these off, the schemas refuse what lacks one. */
export const MIN_NEW_PASSWORD = 12

export const PASSWORD_CLASSES = { uppercase: /[A-Z]/, lowercase: /[a-z]/, number: /\d/, special: /[^A-Za-z0-9]/ } as const

export function hasFourClasses(password: string): boolean {
  return Object.values(PASSWORD_CLASSES).every((one) => one.test(password))
}
