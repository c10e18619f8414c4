/** The supplier's changes of a schedule, as it writes them. */
import { z } from 'zod'
import type { SupplierChange } from './domain/schedule.ts'
import { RawSegment, segmentOf } from './duffel-segments.ts'

const RawSlice = z.object({ segments: z.array(RawSegment) })
const RawChange = z.object({
  id: z.string().regex(/^[a-z]{3}_[A-Za-z0-9_]+$/),
  created_at: z.string(),
  action_taken: z.enum(['accepted', 'cancelled', 'changed']).nullish(),
  available_actions: z.array(z.string()).nullish(),
  removed: z.array(RawSlice),
  added: z.array(RawSlice),
})

/** @throws ZodError for what cannot be read: it is read again later */
export function toSupplierChange(raw: unknown): SupplierChange {
  const { id, created_at, action_taken, available_actions, removed, added } = RawChange.parse(raw)
  const slicesOf = (slices: z.output<typeof RawSlice>[]) => slices.map(({ segments }) => ({ segments: segments.map(segmentOf) }))
  return {
    id,
    detectedAt: new Date(created_at),
    action: action_taken ?? null,
    canAccept: available_actions?.includes('accept') ?? false,
    canCancel: available_actions?.includes('cancel') ?? false,
    removed: slicesOf(removed),
    added: slicesOf(added),
  }
}
