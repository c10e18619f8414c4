import { z } from 'zod'
import { event } from '../event.ts'

export const brandChanged = event(
  'brand',
  'brand.changed',
  1,
  z.object({ brandKey: z.string(), version: z.int() }),
  (data) => data.brandKey,
)
/** A message of the contact form was stored; who wrote what is asked of the brand service. */
export const contactReceived = event(
  'brand',
  'contact.received',
  1,
  z.object({ messageId: z.string(), brandKey: z.string() }),
  (data) => data.messageId,
)
