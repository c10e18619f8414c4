/** Text that people type: trimmed, without characters that nobody can see. */
import { z } from 'zod'

/** Controls, and marks that change the direction of what follows them. */
const HIDDEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const HIDDEN_IN_PARAGRAPHS = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

const LETTERS_ONLY = 'This text has characters that cannot be shown'

/** One line of at most `most` characters; `missing` is the message for an empty one, and without it an empty one is allowed. */
export function oneLine(most: number, missing?: string) {
  return z
    .string(missing ?? 'Please enter a text')
    .trim()
    .min(missing === undefined ? 0 : 1, missing ?? '')
    .max(most, `Please enter at most ${most} characters`)
    .refine((text) => !HIDDEN.test(text), LETTERS_ONLY)
}

/** Several lines; line breaks become \n. */
export function paragraphs(most: number, missing: string) {
  return z
    .string(missing)
    .transform((text) => text.replace(/\r\n?/g, '\n').trim())
    .pipe(
      z
        .string()
        .min(1, missing)
        .max(most, `Please enter at most ${most} characters`)
        .refine((text) => !HIDDEN_IN_PARAGRAPHS.test(text), LETTERS_ONLY),
    )
}
