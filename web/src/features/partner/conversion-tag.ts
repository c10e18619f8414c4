/**
 * The advertiser's conversion tag: tells whether an advertisement led to a call. It comes from the advertiser's server, so it is loaded
 * only for a brand that has an id, after the visitor has agreed. Dialling never depends on it.
 */
import { readText, writeText } from '../../lib/storage.ts'

export type AdConsent = 'granted' | 'denied'
const CONSENT = 'adConsent'

/** How long a report may hold up the call. */
export const LONGEST_REPORT_MS = 500

export type ConversionTag = { report: (done: () => void) => void }

/** null: the visitor was not asked yet. */
export function readConsent(): AdConsent | null {
  const kept = readText('local', CONSENT)
  return kept === 'granted' || kept === 'denied' ? kept : null
}

export function keepConsent(consent: AdConsent): void {
  writeText('local', CONSENT, consent)
}

type Page = Pick<Document, 'createElement' | 'head'>
type Queue = { dataLayer?: unknown[] }

/** Fails when the script is blocked or does not come. `id` is the account, a slash and the conversion's label. */
export function loadConversionTag(id: string, page: Page = document, queue: Queue = window as Queue): Promise<ConversionTag> {
  queue.dataLayer ??= []
  const layer = queue.dataLayer
  function gtag(..._command: unknown[]): void {
    // biome-ignore lint/complexity/noArguments: the tag reads commands from arguments objects only
    layer.push(arguments)
  }
  const [account = id] = id.split('/')
  gtag('js', new Date())
  gtag('config', account)
  return new Promise((resolve, reject) => {
    const script = page.createElement('script')
    script.async = true
    script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(account)}`
    script.onload = () => resolve({ report: (done) => gtag('event', 'conversion', { send_to: id, event_callback: done }) })
    script.onerror = () => reject(new Error('The conversion tag did not load'))
    page.head.append(script)
  })
}

type Click = { preventDefault(): void }
type Timer = (run: () => void, ms: number) => unknown

/** Of a phone link that was pressed: reports first and dials when that is done, or a moment later at most. Without a tag the link just dials. */
export function reportThenDial(
  event: Click,
  address: string,
  tag: ConversionTag | null,
  dial: (address: string) => void = (to) => window.location.assign(to),
  after: Timer = setTimeout,
): void {
  if (!tag) return
  event.preventDefault()
  let dialled = false
  const once = () => {
    if (dialled) return
    dialled = true
    dial(address)
  }
  after(once, LONGEST_REPORT_MS)
  try {
    tag.report(once)
  } catch {
    once()
  }
}
