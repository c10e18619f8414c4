/** Calls that only administrators make. */
import type { accountApi } from '@passerelle/contracts/http/account'
import type { adminApi as settingsApi } from '@passerelle/contracts/http/admin'
import type { brandManagerApi } from '@passerelle/contracts/http/brand-manager'
import type { messagesApi } from '@passerelle/contracts/http/messages'
import { endpoint } from '../../../lib/api-client.ts'

type Settings = (typeof settingsApi)['routes']
type Brands = (typeof brandManagerApi)['routes']
type Messages = (typeof messagesApi)['routes']
type Account = (typeof accountApi)['routes']

export const adminApi = {
  listMarkups: endpoint<Settings['listMarkups']>('GET', '/api/admin/markups'),
  changeMarkup: endpoint<Settings['changeMarkup']>('PUT', '/api/admin/markups/:brandKey'),
  listAudit: endpoint<Settings['listAudit']>('GET', '/api/admin/audit'),
  listPeople: endpoint<Account['listPeople']>('GET', '/api/admin/people'),
  listBrands: endpoint<Brands['listBrands']>('GET', '/api/admin/brands'),
  createBrand: endpoint<Brands['createBrand']>('POST', '/api/admin/brands'),
  getManagedBrand: endpoint<Brands['getManagedBrand']>('GET', '/api/admin/brands/:brandKey'),
  saveDraft: endpoint<Brands['saveDraft']>('PUT', '/api/admin/brands/:brandKey/draft'),
  discardDraft: endpoint<Brands['discardDraft']>('DELETE', '/api/admin/brands/:brandKey/draft'),
  publishBrand: endpoint<Brands['publishBrand']>('POST', '/api/admin/brands/:brandKey/publish'),
  rollBackBrand: endpoint<Brands['rollBackBrand']>('POST', '/api/admin/brands/:brandKey/roll-back'),
  setBrandActive: endpoint<Brands['setBrandActive']>('PUT', '/api/admin/brands/:brandKey/active'),
  previewBrand: endpoint<Brands['previewBrand']>('POST', '/api/admin/brands/:brandKey/preview'),
  uploadLogo: endpoint<Brands['uploadLogo']>('POST', '/api/admin/brands/:brandKey/logos'),
  listMessages: endpoint<Messages['listMessages']>('GET', '/api/admin/messages'),
  getMessage: endpoint<Messages['getMessage']>('GET', '/api/admin/messages/:id'),
  setMessageState: endpoint<Messages['setMessageState']>('PUT', '/api/admin/messages/:id/state'),
  answerMessage: endpoint<Messages['answerMessage']>('POST', '/api/admin/messages/:id/answers'),
}

/** First elements of the cached reads. They begin with /api/admin, so that signing in as somebody else drops them. */
export const keys = {
  settings: '/api/admin/settings',
  markups: '/api/admin/markups',
  audit: '/api/admin/audit',
  people: '/api/admin/people',
  brands: '/api/admin/brands',
  messages: '/api/admin/messages',
} as const
