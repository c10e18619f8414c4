/** Signed delivery of events: at least once, again and again with growing pauses until the receiver answers 2xx. */
import { createHmac } from 'node:crypto'
import type { Documents } from './documents.ts'

export type Webhook = { url: string; secret: string }
type Event = { id: string }
type Delivery = { event: Event; attempts: number; state: 'pending' | 'delivered' | 'given-up' }

const ANSWER_WITHIN_MS = 10_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 60_000
const MAX_ATTEMPTS = 15
const AT_ONCE = 10

/** `t=<unix seconds>,v1=<hex>`: by the real clock, because the receiver compares it with its own. */
export const signature = (payload: string, secret: string, at = Math.floor(Date.now() / 1000)): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')}`

export class WebhookSender {
  private documents: Documents
  private webhook: Webhook
  private header: string
  private timer: NodeJS.Timeout | undefined
  private working: Promise<void> | undefined
  private stopping = new AbortController()

  /** @param header the one that the signature is in */
  constructor(documents: Documents, webhook: Webhook, header: string) {
    this.documents = documents
    this.webhook = webhook
    this.header = header
  }

  /** Keeps an event until it is received; `wake` sends it, no sooner than after `lateMs`. */
  enqueue(event: Event, lateMs = 0): void {
    const delivery: Delivery = { event, attempts: 0, state: 'pending' }
    this.documents.insert('delivery', event.id, delivery, { due: Date.now() + lateMs })
  }

  /** Something may be due. */
  wake(): void {
    if (this.working || this.stopping.signal.aborted) return
    clearTimeout(this.timer)
    this.working = this.work().finally(() => {
      this.working = undefined
      this.sleep()
    })
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    clearTimeout(this.timer)
    await this.working
  }

  private async work(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const due = this.documents.list<Delivery>('delivery', { dueUntil: Date.now(), byDue: true, limit: AT_ONCE })
      if (due.length === 0) return
      await Promise.all(due.map((delivery) => this.deliver(delivery)))
    }
  }

  private sleep(): void {
    if (this.stopping.signal.aborted) return
    const due = this.documents.earliestDue('delivery')
    if (due !== undefined) this.timer = setTimeout(() => this.wake(), Math.max(0, due - Date.now())).unref()
  }

  private async deliver({ event, attempts }: Delivery): Promise<void> {
    const received = await this.post(JSON.stringify(event))
    if (this.stopping.signal.aborted) return
    const state = received ? 'delivered' : attempts + 1 >= MAX_ATTEMPTS ? 'given-up' : 'pending'
    const due = state === 'pending' ? Date.now() + Math.min(FIRST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS) : null
    this.documents.replace('delivery', event.id, { event, attempts: attempts + 1, state } satisfies Delivery, { due })
  }

  private async post(payload: string): Promise<boolean> {
    try {
      const response = await fetch(this.webhook.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', [this.header]: signature(payload, this.webhook.secret) },
        body: payload,
        signal: AbortSignal.any([this.stopping.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
        redirect: 'manual',
      })
      await response.body?.cancel()
      return response.ok
    } catch {
      return false
    }
  }
}
