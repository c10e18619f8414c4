/** An administrator at the back office of a test's world, without HTTP. */
import { randomUUID } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import type { AuditRecord } from '@passerelle/contracts/http/admin'
import type { OfficeBooking, OfficePage } from '@passerelle/contracts/http/back-office'
import { createAudit } from '@passerelle/kit/audit'
import type { Caller } from '@passerelle/kit/auth'
import type { Reply } from '@passerelle/kit/http'
import { createLog } from '@passerelle/kit/log'
import { mailQueue } from '@passerelle/kit/mail-queue'
import { ensureIndexes } from '@passerelle/kit/mongo'
import { testCaller } from '@passerelle/kit/testing'
import type { QueuedMail } from '../domain/mail.ts'
import type { SagaWorld } from '../saga.fixture.ts'
import { officeRoutes } from './routes.ts'

export type OfficeAnswer = { status: number; body: OfficeBooking; error?: AppError }

const log = createLog('booking', 'silent')

export async function openOffice(world: SagaWorld) {
  const audit = createAudit(world.mongo)
  const mails = mailQueue<QueuedMail>(world.mongo)
  await ensureIndexes(world.mongo)
  return {
    audit,
    mails,
    administrator(identity: Partial<Caller> = {}) {
      const caller = testCaller({ userId: 'usr_admin', isAdmin: true, ...identity })
      const handlers = officeRoutes({ ...world.worker().context, audit, mails })
      const call = { caller, header: () => undefined, log, signal: new AbortController().signal, params: undefined, query: undefined }
      const answer = async (work: () => Promise<unknown>): Promise<OfficeAnswer> => {
        try {
          return { status: 200, body: (await work()) as OfficeBooking }
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          return { status: error.status, body: {} as OfficeBooking, error }
        }
      }
      const about = (id: string, idempotencyKey: string | null = randomUUID()) => ({ ...call, params: { id }, idempotencyKey })
      const nobody = { ...call, body: undefined, idempotencyKey: null }
      return {
        list: (query: object = {}) => handlers.listOfficeBookings({ ...nobody, query: { limit: 50, ...query } }) as Promise<OfficePage>,
        /** The whole table as text, and what the browser is told of it. */
        download: async (query: object = {}) => {
          const { content, headers } = (await handlers.downloadOfficeBookings({ ...nobody, query })) as Reply<string>
          let text = ''
          if ('chunks' in content) for await (const chunk of content.chunks) text += chunk
          return { text, headers }
        },
        read: (id: string) => answer(() => handlers.getOfficeBooking({ ...about(id), body: undefined })),
        retry: (id: string, key?: string) => answer(() => handlers.retryBooking({ ...about(id, key), body: undefined })),
        refund: (id: string, refund: string, key?: string) =>
          answer(() => handlers.refundBooking({ ...about(id, key), body: { refund, reason: 'Told by phone', released: true } })),
        settle: (id: string, ending: 'stands' | 'ended', key?: string) =>
          answer(() => handlers.settleBooking({ ...about(id, key), body: { ending, reason: 'Paid at the desk' } })),
        audit: (query: object = {}) =>
          handlers.listBookingAudit({ ...nobody, query: { limit: 100, ...query } }) as Promise<{ entries: AuditRecord[] }>,
      }
    },
  }
}
