import type { Doc } from '../values/bson.ts'

/** A stored document: its bytes exactly as they were sent, and the plain form that filters and indexes read. Neither is ever changed in place. */
export type Entry = {
  /** Order of insertion over all collections; the row's key on disk. */
  readonly seq: number
  readonly idKey: string
  raw: Buffer
  doc: Doc
}
