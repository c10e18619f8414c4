/** Mistakes in the product's own code, as replacements of its text while it is loaded. Each has to be noticed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { registerHooks } from 'node:module'

type Edit = { file: string; text: string; by: string }
export type Mutant = { name: string; edits: Edit[] }

const one = (name: string, file: string, text: string, by: string): Mutant => ({ name, edits: [{ file, text, by }] })

const KIT = 'packages/kit'
const BOOKING = 'services/booking'
const PAYMENT = 'services/payment'

export const mutants: readonly Mutant[] = [
  one(
    'changes do not compare the version',
    `${KIT}/outbox.ts`,
    'findOneAndUpdate({ _id, version }, update',
    'findOneAndUpdate({ _id }, update',
  ),
  one('whoever has lost the lease goes on', `${BOOKING}/transition.ts`, 'if (!written) throw new LeaseLost()', 'if (!written) return'),
  one('a booking is claimed whoever has its lease', `${BOOKING}/store.ts`, 'open: true, leaseUntil: { $lte: now } }', 'open: true }'),
  one(
    'an order is sent again without a look',
    `${BOOKING}/saga.ts`,
    "ORDERING: (leased, context) => recordUnknown(leased, 'its worker ended', context)",
    'ORDERING: claimPayment',
  ),
  one(
    'an unknown outcome of an order is a failure',
    `${BOOKING}/order.ts`,
    'return recordUnknown(leased, outcome.reason, context)',
    "return leased.fail({ code: 'BOOKING_FAILED' })",
  ),
  one(
    'an order is absent before its last chance to appear',
    `${BOOKING}/order.ts`,
    '!(booking.settleBy && askedAt > booking.settleBy)',
    'false',
  ),
  one('an order is sent however late', `${BOOKING}/order.ts`, 'if (now() >= sendBefore) return', 'if (false) return'),
  one(
    'an order that may exist is not looked for',
    `${BOOKING}/order.ts`,
    'await leased.call(() => context.supplier(booking.mode).find(booking._id, booking.supplier.offerId))\n  if (order && !order.cancelled) return recordOrder',
    'null as null | { cancelled: boolean }\n  if (order && !order.cancelled) return recordOrder',
  ),
  one(
    'the amount is captured before there is an order',
    `${BOOKING}/order.ts`,
    '  return (await isOrdered(leased, context))',
    '  await leased.call(() => context.payment(asCaller(booking)).capture({ params: { id: booking.paymentId } }))\n  return (await isOrdered(leased, context))',
  ),
  one('a capture without an answer is a failure', `${BOOKING}/capture.ts`, "    if (!isNotUsable(error)) return 'retry'\n", ''),
  one(
    'a cancellation does not ask whether a capture was begun',
    `${BOOKING}/capture.ts`,
    "const paid = await leased.call(() => isPaid(booking, context, 'or may be'))",
    'const paid = false',
  ),
  one(
    'a cancellation without an answer was refused',
    `${BOOKING}/cancel.ts`,
    'keepsPromise(judgeRefund(quoted, charge), promised)\n    }),\n  )',
    "keepsPromise(judgeRefund(quoted, charge), promised)\n    }),\n  ).catch(() => ({ kind: 'refused' as const, reason: '' }))",
  ),
  one('an outbox loses its mark', `${KIT}/outbox.ts`, '$set: { outboxPending: true } }\n}', '$set: {} as never }\n}'),
  one(
    'events are removed before they are published',
    `${KIT}/outbox.ts`,
    '        try {\n          for (let i = 0;',
    '        await removePublished(model, documents)\n        try {\n          for (let i = 0;',
  ),
  one(
    'events that could not be published are dropped',
    `${KIT}/outbox.ts`,
    '          await release(model, lease, documents)\n          throw error',
    '          await release(model, lease, documents)',
  ),
  one(
    'an event counts as handled before it is',
    `${KIT}/bus-consumer.ts`,
    "if (await tools.inbox.has(event.id)) return { kind: 'duplicate' }",
    "if (await tools.inbox.has(event.id)) return { kind: 'duplicate' }\n    await tools.inbox.remember(event.id)",
  ),
  {
    name: 'the inbox forgets, and mails have no key of their own',
    edits: [
      { file: `${KIT}/inbox.ts`, text: 'await seen.insertOne({ _id: idOf(eventId), at: now() })', by: 'await Promise.resolve()' },
      {
        file: `${KIT}/mail-queue.ts`,
        text: 'place: place ?? null,',
        by: "place: place ?? null,\n          _id: template + ':' + subject + ':' + now().getTime(),",
      },
    ],
  },
  one(
    'a mail counts as sent before it is',
    `${KIT}/mail-queue.ts`,
    'if (written) await mailer.send(',
    "await settle(task._id, 'sent', now())\n        if (written) void (async (mail) => mailer.send(mail).catch(() => undefined))(",
  ),
  one(
    'a refund has another key each time',
    `${PAYMENT}/domain/provider-key.ts`,
    'export function refundKey(bookingId: string, round: number): string {\n',
    'let refunds = 0\nexport function refundKey(bookingId: string, round: number): string {\n  return bookingId + round + refunds++\n',
  ),
  one(
    'a refund under another key does not ask for an earlier one',
    `${PAYMENT}/payment-operations.ts`,
    'round > 1 ? await earlierRefund(payment, wanted.bookingId, provider) : undefined',
    'undefined as ProviderRefund | undefined',
  ),
  one(
    'a capture that the provider did not answer is refused',
    `${PAYMENT}/payment-operations.ts`,
    '    const outcome = await readOutcome(provider, intentId, error)\n',
    "    if (call === 'capture') throw new AppError('PAYMENT_NOT_USABLE')\n    const outcome = await readOutcome(provider, intentId, error)\n",
  ),
  one('a released hold is not voided', `${PAYMENT}/domain/next-step.ts`, "if (payment.release) return 'void'", ''),
  one(
    'a hold that no booking claims is never released',
    `${PAYMENT}/domain/next-step.ts`,
    "if (payment.bookingId === null && now >= holdEnds(payment, moment)) return 'release'",
    '',
  ),
  one('a cancelled booking is not refunded', `${PAYMENT}/events.ts`, 'return end.change', 'return null'),
  one('a refund is not recorded', `${BOOKING}/refund.ts`, "if (booking?.state !== 'ORDER_CANCELLED') return", 'if (booking) return'),
  {
    name: 'bookings have no unique keys',
    edits: ['idempotencyKey', 'paymentId', 'passengersKey'].map((key) => ({
      file: `${BOOKING}/schema.ts`,
      text: `{ ${key}: 1 }, { unique: true`,
      by: `{ ${key}: 1 }, { unique: false`,
    })),
  },
]

export const nameOf = (index: string) => mutants[Number(index)]?.name ?? ''

/** From now on the modules of the mutant load with its mistakes. @throws RangeError when a text is not there exactly once */
export function mutate(index: string | undefined): void {
  const mutant = index ? mutants[Number(index)] : undefined
  if (!mutant) return
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      const edits = mutant.edits.filter(({ file }) => url.endsWith(`/${file}`))
      if (edits.length === 0) return loaded
      return { ...loaded, source: edits.reduce(edited, String(loaded.source)) }
    },
  })
}

/** @throws RangeError */
export function edited(source: string, { file, text, by }: Edit): string {
  const parts = source.split(text)
  if (parts.length !== 2) throw new RangeError(`${file} has ${parts.length - 1} places with: ${text}`)
  return parts.join(by)
}

/** Prints which seed caught which; answers the exit code. */
export async function tryMutants(first: number, runs: number, print: (line: string) => void): Promise<number> {
  let missed = 0
  for (const [index, { name }] of mutants.entries()) {
    const env = { ...process.env, MUTANTS: '', MUTANT: String(index), SEED: String(first), RUNS: String(runs) }
    const child = spawn(process.execPath, [new URL('main.ts', import.meta.url).pathname], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    const stop = () => child.kill()
    process.once('SIGTERM', stop)
    child.stdout.on('data', (chunk) => (output += chunk))
    const [code] = await once(child, 'close')
    process.off('SIGTERM', stop)
    if (child.signalCode) return 1
    if (code !== 0 && !output.trim()) throw new Error(`the mutant "${name}" does not run`)
    const caught = output.trim() ? (JSON.parse(output) as { seed: number; problem: string }) : null
    if (!caught) missed += 1
    print(
      `${name.padEnd(64)} ${caught ? `caught by seed ${caught.seed}: ${caught.problem.split(' (')[0]}` : `NOT CAUGHT in ${runs} seeds`}`,
    )
  }
  print(`${mutants.length - missed} of ${mutants.length} mutants caught`)
  return missed === 0 ? 0 : 1
}
