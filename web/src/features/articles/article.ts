/** An article as data: texts are rich text with the brand's facts in braces. */
export type Table = { caption: string; head: readonly [string, string]; rows: readonly (readonly [string, string])[] }

/** A string is a paragraph; `company` is the agency's name and how to reach it. */
export type Block = string | { list: readonly string[] } | { table: Table } | { company: true }

export type Section = { id: string; title: string; blocks: readonly Block[] }

export type Article = {
  title: string
  /** "In short". */
  brief: readonly string[]
  sections: readonly Section[]
}

export const LAST_UPDATED = 'January 29, 2025'

export const COMPANY: Block = { company: true }

/** Whom to write to about personal data. */
export const DATA_PROTECTION_OFFICER =
  'Our data protection officer answers at {email} (write “Data protection officer” in the subject line), or by post at {address}, marked “Data protection officer”.'

export const COMPLAINT_TO_CNIL =
  'You can also lodge a complaint with the French data protection authority, the [CNIL](https://www.cnil.fr/en/plaintes).'
