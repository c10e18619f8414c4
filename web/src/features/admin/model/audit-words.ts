import { errorCatalogue } from '@passerelle/contracts/error'
import type { AccessRecord } from '@passerelle/contracts/http/account'
import type { AuditAction, AuditRecord } from '@passerelle/contracts/http/admin'
import { historyWords } from '../bookings/words.ts'

type Entry = Pick<AuditRecord, 'action' | 'subject' | 'from' | 'to' | 'refused'>
type Access = Pick<AccessRecord, 'action' | 'userId' | 'brands'>

const BRAND_ACTIONS: Partial<Record<AuditAction, string>> = {
  'brand-created': 'created',
  'brand-draft-saved': 'draft saved',
  'brand-draft-discarded': 'draft discarded',
  'brand-published': 'published',
  'brand-rolled-back': 'rolled back',
  'brand-deactivated': 'deactivated',
  'brand-activated': 'served again',
  'brand-logo': 'logo uploaded',
  'brand-sender': 'sender changed',
  'brand-sender-link': 'link sent to the sender address',
  'brand-sender-proved': 'sender address proved',
}

const BOOKING_ACTIONS: Partial<Record<AuditAction, string>> = {
  'booking-retried': 'tried again',
  'booking-cancelled': 'cancelled and refunded',
  'booking-settled': 'marked as settled',
  'booking-rebuilt': 'made again after a restore',
}

const TITLE_SAYS_ALL = new Set<AuditAction>(['message-answered', 'message-state', 'brand-draft-saved'])

const ACCESS: Record<Access['action'], (name: string) => string> = {
  'admin-granted': (name) => `${name} made an administrator`,
  'admin-revoked': (name) => `${name} no longer an administrator`,
  'admin-verified': () => 'Confirmed as an administrator',
  'admin-refused': () => 'Refused: not an administrator',
  'account-exported': (name) => `Data of ${name} exported`,
  'account-erased': (name) => `Account of ${name} erased`,
}

/** One line that says what was done, or asked for and refused, and one with the values or the reason. */
export function auditWords(entry: Entry | Access, nameOf: (id: string) => string): { title: string; detail: string } {
  if ('userId' in entry)
    return { title: ACCESS[entry.action](nameOf(entry.userId)), detail: entry.brands ? `Of ${entry.brands.join(', ')}` : '' }
  const title = titleOf(entry)
  if (entry.refused === null) return { title, detail: changeOf(entry) }
  const reason = errorCatalogue[entry.refused as keyof typeof errorCatalogue]?.[1] ?? entry.refused
  return { title: `Refused: ${title}`, detail: [changeOf(entry), reason].filter(Boolean).join('. ') }
}

function titleOf({ action, subject, to }: Entry): string {
  if (action === 'mode') return `Live mode turned ${to === 'live' ? 'on' : 'off'}`
  if (action === 'markup') return `Markup of ${subject}`
  if (action === 'message-answered') return 'Message answered'
  if (action === 'message-state') return `Message marked as ${to}`
  if (action === 'person-exported') return `A person’s data in ${subject} exported`
  if (action === 'person-erased') return `A person’s data in ${subject} erased`
  if (action === 'bookings-downloaded') return 'List of bookings downloaded'
  const done = BOOKING_ACTIONS[action]
  if (done) return `Booking ${subject} ${done}`
  return `${subject} ${BRAND_ACTIONS[action] ?? action}`
}

function changeOf({ action, from, to }: Entry): string {
  if (TITLE_SAYS_ALL.has(action)) return ''
  if (action === 'booking-retried') return to === 'NEEDS_ATTENTION' ? 'No clear answer, nothing changed' : historyWords(to)
  if (BOOKING_ACTIONS[action]) return to
  const unit = (value: string) => (action === 'markup' && /^[\d.]+$/.test(value) ? `${value}%` : value)
  return from && to ? `${unit(from)} to ${unit(to)}` : unit(to || from)
}
