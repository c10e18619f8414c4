/** What is due, in order of time, and whose it is. */

/** One life of a replica: a restart is another one. */
export type Process = {
  name: string
  service: string
  replica: number
  alive: boolean
  skewMs: number
  frozenUntil: number
  onDeath: (() => void)[]
}

export type Due = { at: number; run: () => void; owner: Process | null; cancelled: boolean; unref(): Due }

/** A binary heap; events of one instant leave in the order in which they came. */
export class Events {
  readonly #heap: (Due & { order: number })[] = []
  #count = 0

  add(due: Due): Due {
    const entry = Object.assign(due, { order: this.#count++ })
    const heap = this.#heap
    let place = heap.push(entry) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (isBefore(heap[parent]!, entry)) break
      heap[place] = heap[parent]!
      place = parent
    }
    heap[place] = entry
    return entry
  }

  next(): Due | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (!first || !last || heap.length === 0) return first
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1
      if (isBefore(last, heap[child]!)) break
      heap[place] = heap[child]!
      place = child
    }
    heap[place] = last
    return first
  }
}

const isBefore = (one: Due & { order: number }, other: Due & { order: number }) =>
  one.at < other.at || (one.at === other.at && one.order < other.order)
