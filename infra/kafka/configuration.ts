/** What the step that makes the topics reads from its environment. */
import { Flag, KafkaConfig } from '@passerelle/kit/configuration'
import { z } from 'zod'

export const topicsConfig = z.object({
  ...KafkaConfig.shape,
  NAMESPACE: z.string().default(''),
  /** Copies of each partition; 3 in production. */
  KAFKA_REPLICATION: z.coerce.number().int().min(1).default(1),
  /** The broker asks who is there: each service gets its rights, and nobody has others. */
  KAFKA_RIGHTS: Flag,
})
