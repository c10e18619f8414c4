/** The record of what administrators did, and of what they were refused; every service that they change something in keeps its own. */
import { AppError } from '@passerelle/contracts/error'
import type { AuditAction, AuditRecord } from '@passerelle/contracts/http/admin'
import type { Connection } from 'mongoose'
import type { Caller } from './auth.ts'
import { createModel } from './mongo.ts'
import { now, randomToken } from './runtime.ts'

export type AuditEntry = Omit<AuditRecord, 'id' | 'at'> & { _id: string; at: Date; requestId: string }

/** `brandKey`: null for what concerns the whole system. */
type Audited = { action: AuditAction; subject: string; brandKey: string | null; from?: string; to?: string; note?: string }

type AuditQuery = {
  subject?: string | undefined
  /** Only entries of these brands; null: of all. */
  brands: readonly string[] | null
  /** Id of an entry: older ones than it. */
  before?: string | undefined
  limit: number
}

export type Audit = {
  record(about: Audited, caller: Caller): Promise<void>
  /** Runs the work and records it: as done, or as refused with the error's code. */
  run<T>(about: Audited, caller: Caller, work: () => Promise<T>): Promise<T>
  /** Newest first, with the id for `before` of the next page; null: there is none. */
  list(query: AuditQuery): Promise<{ entries: AuditRecord[]; next: string | null }>
  /** Removes what administrators wrote about a subject in their own words. */
  dropNotes(subjects: readonly string[]): Promise<void>
}

/** Sorts by time, and within a millisecond by chance. */
export const timedId = (prefix: string, at: Date) => randomToken(`${prefix}${at.getTime().toString(36).padStart(9, '0')}`, 9)

export function createAudit(connection: Connection): Audit {
  const model = createModel<AuditEntry>(connection, 'Audit', {
    collection: 'audit',
    fields: {
      _id: String,
      at: Date,
      actor: String,
      action: String,
      subject: String,
      brandKey: String,
      from: String,
      to: String,
      note: String,
      refused: String,
      requestId: String,
    },
    indexes: [[{ subject: 1, _id: -1 }], [{ brandKey: 1, _id: -1 }]],
  })
  const add = async (about: Audited, { userId, requestId }: Caller, refused: string | null) => {
    const at = now()
    const { from = '', to = '', note = null, ...rest } = about
    await model.create({ _id: timedId('aud_', at), at, actor: userId ?? 'unknown', ...rest, from, to, note, refused, requestId })
  }
  return {
    record: (about, caller) => add(about, caller, null),
    async run(about, caller, work) {
      try {
        const result = await work()
        await add(about, caller, null)
        return result
      } catch (error) {
        if (error instanceof AppError && error.status < 500) await add(about, caller, error.code)
        throw error
      }
    },
    async list({ subject, brands, before, limit }) {
      // Entries of an older release do not name their brand: where it was a brand that was changed it is the subject.
      const own = brands && { $or: [{ brandKey: { $in: [...brands] } }, { subject: { $in: [...brands] } }] }
      const filter = { ...own, ...(subject !== undefined && { subject }), ...(before !== undefined && { _id: { $lt: before } }) }
      const found = await model
        .find(filter)
        .sort({ _id: -1 })
        .limit(limit + 1)
        .lean<AuditEntry[]>()
      const entries = found.slice(0, limit).map(toAuditRecord)
      return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null }
    },
    async dropNotes(subjects) {
      await model.updateMany({ subject: { $in: [...subjects] }, note: { $ne: null } }, { $set: { note: null } })
    },
  }
}

/** Entries of an older release lack some fields. */
function toAuditRecord({ _id, at, actor, action, subject, brandKey, from, to, note, refused }: AuditEntry): AuditRecord {
  return {
    ...{ id: String(_id), at: at.toISOString(), actor, action, subject: subject ?? 'system', brandKey: brandKey ?? null },
    ...{ from, to, note: note ?? null, refused: refused ?? null },
  }
}
