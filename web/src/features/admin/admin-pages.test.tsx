import type { AdminSettings } from '@passerelle/contracts/http/admin'
import type { ListedBrand, ManagedBrand } from '@passerelle/contracts/http/brand-manager'
import type { AdminMessage } from '@passerelle/contracts/http/messages'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/api-client.ts'
import { createQueryClient } from '../../lib/query-client.ts'
import { render } from '../../lib/render.fixture.tsx'
import { BrandEditor } from './brands/BrandEditor.tsx'
import { BrandTable } from './brands/BrandsPage.tsx'
import { EditedPreview } from './brands/EditedPreview.tsx'
import { Letter } from './messages/MessageDetail.tsx'
import { MessagesPage } from './messages/MessagesPage.tsx'
import { fieldsOf } from './model/brand-form.ts'
import { SettingsPage } from './settings/SettingsPage.tsx'

const settings: AdminSettings = { enableLiveMode: false, duffelApiConfigured: true, stripeConfigured: false, environment: 'production' }

function settingsPage(changes: Partial<AdminSettings> = {}) {
  const queryClient = createQueryClient()
  queryClient.setQueryData(['/api/admin/settings'], { ...settings, ...changes })
  return render(<SettingsPage />, { queryClient })
}

const switchOf = (html: string) => /<input[^>]*role="switch"[^>]*>/.exec(html)?.[0] ?? ''

describe('admin settings', () => {
  it('ADM-01: show the switch, the environment and what is configured', () => {
    const { html, text } = settingsPage()
    expect(text).toContain('Flight API Configured')
    expect(text).toContain('Card payment provider Not configured')
    expect(html).toMatch(/data-highlighted="true"[^>]*>production</)
    expect(settingsPage({ environment: 'development' }).html).not.toContain('data-highlighted')
    expect(switchOf(html)).not.toContain('checked')
    expect(switchOf(settingsPage({ enableLiveMode: true }).html)).toContain('checked')
  })

  it('ADM-02: "Back to Account" goes to /account-settings', () => {
    expect(settingsPage().linkTo('Back to Account')).toBe('/account-settings')
  })

  it('ADM-05: the switch is disabled, with the reason, when the flight API is not configured', () => {
    const { html, text } = settingsPage({ duffelApiConfigured: false })
    expect(switchOf(html)).toContain('disabled')
    expect(text).toContain('the flight API is not configured')
    expect(switchOf(settingsPage().html)).not.toContain('disabled')
  })
})

describe('admin settings that cannot be read', () => {
  it('ADM-04: say so, and can be tried again', () => {
    const queryClient = createQueryClient()
    queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryOnMount: false } })
    const error = new ApiError(503, 'Service Unavailable', '')
    queryClient
      .getQueryCache()
      .build(queryClient, { queryKey: ['/api/admin/settings'] })
      .setState({ status: 'error', error, fetchStatus: 'idle' })
    const { text, html } = render(<SettingsPage />, { queryClient })
    expect(text).toContain('Failed to load admin settings. Please try again later.')
    expect(text).toContain('Try again')
    expect(switchOf(html)).toBe('')
  })
})

const summary: ListedBrand = {
  ...{ key: 'atlas.example', name: 'Atlas <b>', status: 'live', published: 7, publishedAt: '2026-11-20T15:40:00.000Z' },
  ...{ publishedBy: null, changes: ['theme.primary', 'name'], draftAt: '2026-11-20T15:40:00.000Z', draftBy: null },
  ...{
    logo: '/marks/atlas.svg',
    host: { looked: true, proved: true, toMend: 2, certificate: { state: 'valid', endsAt: '2027-02-09T10:00:00.000Z' } },
  },
  sender: { address: 'voyages@atlas.example', proved: true },
}

describe('the brand manager', () => {
  it('BMGR-02, R-72: lists brands with mark, state, host, sender, version and who, each with a way to edit it', () => {
    const { html, text, linkTo } = render(<BrandTable brands={[summary]} />)
    for (const words of ['Live', 'Draft with 2 changes', 'atlas.example', 'Version 7', 'Nov 20, 16:40', 'Installation'])
      expect(text).toContain(words)
    expect(text).toMatch(/2 records to mend ?Certificate to Feb 9/)
    expect(text).toMatch(/voyages@atlas\.example Proved/)
    expect(html).toContain('src="/marks/atlas.svg"')
    expect(linkTo('Edit')).toBe('/admin/brands/atlas.example')
    expect(html).not.toContain('Atlas <b>')
  })

  const brand = { ...defaultBrand, domain: 'atlas.example', name: 'Atlas' }
  const managed: ManagedBrand = { ...summary, name: 'Atlas', version: 3, brand, versions: [] }
  const editor = (at = '/admin/brands/atlas.example') => render(<BrandEditor managed={managed} reload={() => undefined} />, { at })

  it('BMGR-02: shows the fields of a brand with a live preview and the legibility of its colours', () => {
    const { html, text } = editor()
    for (const name of ['name', 'logo', 'theme.primary', 'contact.email', 'social.twitter']) expect(html).toContain(`name="${name}"`)
    expect(render(<EditedPreview brandKey="atlas.example" values={fieldsOf(brand, [])} />).html).toMatch(
      /<figure[^>]*aria-label="Live preview of Atlas"/,
    )
    expect(text).toContain('Text on primary')
    expect(text).toContain('Publish')
    expect(text).toContain('Deactivate')
  })

  it('R-77, R-78: switches the content of a brand, and has its texts', () => {
    const { html, text } = editor('/admin/brands/atlas.example?tab=texts')
    expect(html.match(/role="switch"/g)).toHaveLength(4)
    for (const label of ['Wait time on /expedia', 'Promotions on /expedia', 'The page /expedia', 'Newsletter in the footer', 'Refund time'])
      expect(text).toContain(label)
  })
})

const message: AdminMessage = {
  ...{ id: 'msg_1', from: 'contact', brandKey: 'default', receivedAt: '2026-11-20T15:40:00.000Z', name: 'Inès Moreau' },
  ...{ email: 'ines@example.org', phone: null, preferredContact: 'email', inquiryType: 'group', destination: 'Lisbon' },
  ...{ reference: null, subject: null, message: 'We are <b>twelve</b>.', state: 'new', acknowledged: true, answers: [] },
  ...{ answeredBy: null, answeredAt: null },
}

describe('messages', () => {
  it('R-62: are listed with their state and counted', () => {
    const queryClient = createQueryClient()
    const page = { messages: [message], next: null, counts: { new: 1, answered: 4 } }
    queryClient.setQueryData(['/api/admin/messages', 'list', null], { pages: [page], pageParams: [null] })
    const { text, linkTo } = render(<MessagesPage />, { queryClient, at: '/admin/messages' })
    expect(text).toContain('New 1 Answered 4 All 5')
    expect(text).toContain('Group travel')
    expect(linkTo('Inès Moreau')).toBe('/admin/messages?id=msg_1')
    expect(linkTo('Answered')).toBe('/admin/messages?state=answered')
  })

  it('R-62: show who wrote what, escaped, and can be answered', () => {
    const { html, text, linkTo } = render(<Letter message={message} />)
    expect(linkTo('ines@example.org')).toBe('mailto:ines@example.org')
    expect(html).toContain('We are &lt;b&gt;twelve&lt;/b&gt;.')
    for (const words of ['Contact page, default brand', 'Lisbon', 'Send answer', 'Mark as answered']) expect(text).toContain(words)
  })
})
