/** What the routes of payment intents take; everything else is unknown to them. */

const text = { type: 'text' } as const
const descriptor = { type: 'text', max: 22 } as const
const captureMethods = ['automatic', 'automatic_async', 'manual'] as const

const confirmation = {
  payment_method: text,
  error_on_requires_action: { type: 'boolean' },
  off_session: { type: 'boolean' },
  return_url: text,
  capture_method: { type: 'choice', of: captureMethods },
  receipt_email: text,
  allowed_payment_method_types: { type: 'list' },
  expand: { type: 'list' },
} as const

export const confirmSpec = confirmation
export const createSpec = {
  ...confirmation,
  amount: { type: 'integer', required: true },
  currency: { ...text, required: true },
  automatic_payment_methods: {
    type: 'object',
    fields: { enabled: { type: 'boolean', required: true }, allow_redirects: { type: 'choice', of: ['always', 'never'] } },
  },
  confirm: { type: 'boolean' },
  confirmation_method: { type: 'choice', of: ['automatic'] },
  description: { type: 'text', max: 1000, emptyAllowed: true },
  metadata: { type: 'metadata' },
  statement_descriptor: descriptor,
  statement_descriptor_suffix: descriptor,
} as const
export const updateSpec = {
  amount: { type: 'integer' },
  currency: text,
  description: { type: 'text', max: 1000, emptyAllowed: true },
  metadata: { type: 'metadata' },
  payment_method: text,
  receipt_email: text,
  expand: { type: 'list' },
} as const
export const captureSpec = {
  amount_to_capture: { type: 'integer' },
  final_capture: { type: 'boolean' },
  metadata: { type: 'metadata' },
  statement_descriptor: descriptor,
  statement_descriptor_suffix: descriptor,
  expand: { type: 'list' },
} as const
export const cancelSpec = {
  cancellation_reason: { type: 'choice', of: ['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'] },
  expand: { type: 'list' },
} as const
