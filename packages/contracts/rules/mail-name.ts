/** Names in mails: whoever fills in a form decides what we write to whoever's address was typed into it. */

const LONGEST = 40
const MOST_WORDS = 4
/** Letters with their marks; a hyphen, an apostrophe or a space between them. No dot, digit, slash or at sign: no address and no link. */
const NAME = /^\p{L}[\p{L}\p{M}]*(?:[ '’-]\p{L}[\p{L}\p{M}]*)*$/u
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u

/** The name as a mail may say it, with single spaces; null when it could carry a link or a sentence, and the mail says "Dear traveller". */
export function mailName(text: string): string | null {
  const name = text.normalize('NFC').replace(/\s+/gu, ' ').trim()
  if (name.length > LONGEST || name.split(' ').length > MOST_WORDS) return null
  return NAME.test(name) && !INVISIBLE.test(name) ? name : null
}
