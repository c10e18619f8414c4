/** The fields of a card as a visitor types them. */
import { z } from 'zod'

export const CardDetails = z.object({
  number: z.string().max(40),
  expiryMonth: z.string().max(20),
  expiryYear: z.string().max(20),
  cvv: z.string().max(20),
  holderName: z.string().max(200),
})
export type CardDetails = z.infer<typeof CardDetails>
