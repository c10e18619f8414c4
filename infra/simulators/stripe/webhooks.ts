/** Signed delivery of events: at least once, again and again with growing pauses until the receiver answers 2xx. */
import { createHmac } from 'node:crypto'
import type { Delivery, Store } from './store.ts'

export type Webhook = { url: string; secret: string }

const ANSWER_WITHIN_MS = 10_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 60_000
const MAX_ATTEMPTS = 15
const AT_ONCE = 10

/** `t=<unix seconds>,v1=<hex>`: by the real clock, because the receiver compares it with its own. */
export const signature = (payload: string, secret: string, at = Math.floor(Date.now() / 1000)): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')}`

export class WebhookSender {
  private store: Store
  private webhook: Webhook
  private timer: NodeJS.Timeout | undefined
  private working: Promise<void> | undefined
  private stopping = new AbortController()

  constructor(store: Store, webhook: Webhook) {
    this.store = store
    this.webhook = webhook
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
      const due = this.store.dueDeliveries(AT_ONCE).filter((delivery) => delivery.due <= Date.now())
      if (due.length === 0) return
      await Promise.all(due.map((delivery) => this.deliver(delivery)))
    }
  }

  private sleep(): void {
    if (this.stopping.signal.aborted) return
    const [next] = this.store.dueDeliveries(1)
    if (next) this.timer = setTimeout(() => this.wake(), Math.max(0, next.due - Date.now())).unref()
  }

  private async deliver({ eventId, attempts, copies }: Delivery): Promise<void> {
    const event = this.store.find('event', eventId)
    const received = event !== undefined && (await this.post(JSON.stringify(event)))
    if (this.stopping.signal.aborted) return
    if (received) return this.store.updateDelivery(eventId, attempts + 1, Date.now(), copies - 1, copies > 1 ? 'pending' : 'delivered')
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS)
    this.store.updateDelivery(eventId, attempts + 1, Date.now() + pause, copies, attempts + 1 >= MAX_ATTEMPTS ? 'given-up' : 'pending')
  }

  private async post(payload: string): Promise<boolean> {
    try {
      const response = await fetch(this.webhook.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature(payload, this.webhook.secret) },
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
