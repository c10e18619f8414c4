/** At most one message at a time: a new one replaces the one on the screen. Callers stay synchronous. */

export const TOAST_LIFE_MS = 5000
/** A dismissed toast leaves the list this much later. */
export const TOAST_REMOVAL_MS = 1_000_000
export const SWIPE_PX = 50

export type ToastTone = 'positive' | 'negative' | 'warning' | 'info'
export type ToastInput = { title: string; description?: string; tone?: ToastTone }
export type ToastRecord = { id: number; title: string; description: string | null; tone: ToastTone; open: boolean }

export function createToastStore() {
  let records: readonly ToastRecord[] = []
  let waiting: ToastInput[] = []
  let nextId = 1
  const listeners = new Set<() => void>()

  function set(next: readonly ToastRecord[]): void {
    records = next
    for (const listener of listeners) listener()
  }

  function close(id: number): void {
    set(records.map((record) => (record.id === id ? { ...record, open: false } : record)))
    setTimeout(() => set(records.filter((record) => record.id !== id)), TOAST_REMOVAL_MS)
  }

  const visible = () => records.find((record) => record.open) ?? null

  function show({ title, description, tone = 'info' }: ToastInput): number {
    const current = visible()
    if (current) close(current.id)
    const id = nextId++
    set([...records, { id, title, description: description ?? null, tone, open: true }])
    return id
  }

  return {
    show,
    /** Shown when the message on the screen has gone; at once when there is none. */
    showNext(input: ToastInput): void {
      if (visible()) waiting.push(input)
      else show(input)
    },
    dismiss(id: number): void {
      if (visible()?.id !== id) return
      close(id)
      const next = waiting.shift()
      if (next) show(next)
    },
    clear(): void {
      waiting = []
      const current = visible()
      if (current) close(current.id)
    },
    visible,
    records: () => records,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const toasts = createToastStore()

/** `toast({ title: 'Seat Selected', tone: 'positive' })` */
export function toast(input: ToastInput): number {
  return toasts.show(input)
}

/** After the one that is on the screen, instead of replacing it. */
export function toastNext(input: ToastInput): void {
  toasts.showNext(input)
}
