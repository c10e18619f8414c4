/** What a partition remembers of one idempotent producer, so that a batch sent twice is stored once. */
import { ErrorCode } from '../wire/error-code.ts'
import type { RecordBatch } from '../wire/record-batch.ts'

/** As many batches as a client may have in flight. */
const BATCHES_KEPT = 5
const SEQUENCES = 2 ** 31

type StoredBatch = { firstSequence: number; lastSequence: number; baseOffset: number }
export type ProducerState = { epoch: number; batches: StoredBatch[] }

export type SequenceCheck = { verdict: 'append' } | { verdict: 'duplicate'; baseOffset: number } | { verdict: 'refuse'; error: ErrorCode }

function lastSequence(batch: RecordBatch): number {
  return (batch.baseSequence + batch.lastOffsetDelta) % SEQUENCES
}

/** Apache Kafka's rules: a known batch is a duplicate, a gap is out of order, a producer not (or no longer) known may start anywhere. */
export function checkSequence(state: ProducerState | undefined, batch: RecordBatch): SequenceCheck {
  if (state === undefined) return { verdict: 'append' }
  if (batch.producerEpoch < state.epoch) return { verdict: 'refuse', error: ErrorCode.invalidProducerEpoch }
  if (batch.producerEpoch > state.epoch) {
    return batch.baseSequence === 0 ? { verdict: 'append' } : { verdict: 'refuse', error: ErrorCode.outOfOrderSequenceNumber }
  }
  const last = lastSequence(batch)
  const known = state.batches.find((stored) => stored.firstSequence === batch.baseSequence && stored.lastSequence === last)
  if (known !== undefined) return { verdict: 'duplicate', baseOffset: known.baseOffset }
  const expected = (state.batches.at(-1)!.lastSequence + 1) % SEQUENCES
  return batch.baseSequence === expected ? { verdict: 'append' } : { verdict: 'refuse', error: ErrorCode.outOfOrderSequenceNumber }
}

export function withBatch(state: ProducerState | undefined, batch: RecordBatch, baseOffset: number): ProducerState {
  const earlier = state?.epoch === batch.producerEpoch ? state.batches : []
  const stored = { firstSequence: batch.baseSequence, lastSequence: lastSequence(batch), baseOffset }
  return { epoch: batch.producerEpoch, batches: [...earlier, stored].slice(-BATCHES_KEPT) }
}
