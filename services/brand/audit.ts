/** The record of what administrators did, and of what they were refused. */
import { AppError } from '@passerelle/contracts/error'
import type { AuditAction, AuditRecord } from '@passerelle/contracts/http/admin'
import type { Caller } from '@passerelle/kit/auth'
import { now, randomToken } from '@passerelle/kit/runtime'
import type { AuditEntry, Store } from './store.ts'

type Audited = { action: AuditAction; subject: string; from?: string; to?: string }

/** Sorts by time, and within a millisecond by chance. */
export const timedId = (prefix: string, at: Date) => randomToken(`${prefix}${at.getTime().toString(36).padStart(9, '0')}`, 9)

export type Audit = {
  record(about: Audited, caller: Caller): Promise<void>
  /** Runs the work and records it: as done, or as refused with the error's code. */
  run<T>(about: Audited, caller: Caller, work: () => Promise<T>): Promise<T>
}

export function createAudit(store: Pick<Store, 'addAudit'>): Audit {
  const add = ({ action, subject, from = '', to = '' }: Audited, { userId, requestId }: Caller, refused: string | null) => {
    const at = now()
    return store.addAudit({ _id: timedId('aud_', at), at, actor: userId ?? 'unknown', action, subject, from, to, refused, requestId })
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
  }
}

/** Entries of an older release lack some fields. */
export function toAuditRecord({ _id, at, actor, action, subject, from, to, refused }: AuditEntry): AuditRecord {
  return { id: String(_id), at: at.toISOString(), actor, action, subject: subject ?? 'system', from, to, refused: refused ?? null }
}
