/** Configuration is read once, against a schema; every problem is reported at once. No other file reads the environment. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

export type Environment = Record<string, string | undefined>

/** "true" and "1" are true; absent is false. */
export const Flag = z
  .enum(['true', 'false', '1', '0', ''])
  .default('false')
  .transform((text) => text === 'true' || text === '1')

/** What every process needs. Addresses of other services and provider keys are added by each service's own schema. */
export const BaseConfig = z.object({
  NODE_ENV: z.string().default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  ADMIN_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  /** How long an idle connection is kept for its client; longer than any proxy in front keeps it. */
  KEEP_ALIVE_MS: z.coerce.number().int().positive().default(5000),
  /** Connections of all clients together; more are refused. */
  MAX_CONNECTIONS: z.coerce.number().int().positive().default(4096),
  /** Processes that serve together on this port, one for each core of the machine. */
  WORKERS: z.coerce.number().int().min(1).max(64).default(1),
  /**
   * After SIGTERM this process serves on for so long while it reports that it is not ready, so that load balancers stop using it: longer
   * than the interval of readiness checks, and than other services keep idle connections.
   */
  DRAIN_MS: z.coerce.number().int().nonnegative().default(0),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  /** Prefix of databases, topics, groups and keys where several systems share the servers; else empty. */
  NAMESPACE: z
    .string()
    .regex(/^[a-z0-9-]{0,20}$/)
    .default(''),
  /** This process's private Ed25519 key as JWK, and everybody's public keys as a JWK set. */
  INTERNAL_KEY: z.string().min(1),
  INTERNAL_JWKS: z.string().min(1),
})
export type BaseConfig = z.output<typeof BaseConfig>

export const MongoConfig = z.object({ MONGO_URL: z.string().startsWith('mongodb') })
export const KafkaConfig = z.object({
  KAFKA_BROKERS: z.string().min(1),
  KAFKA_USERNAME: z.string().optional(),
  KAFKA_PASSWORD: z.string().optional(),
  /** `plain` only over a connection that nobody else can read. */
  KAFKA_SASL_MECHANISM: z.enum(['scram-sha-512', 'plain']).default('scram-sha-512'),
  /** The brokers speak TLS. A certificate authority of one's own is named by Node's NODE_EXTRA_CA_CERTS. */
  KAFKA_TLS: Flag,
})
export const RedisConfig = z.object({
  REDIS_URL: z.string().startsWith('redis'),
  /** A slower read of the cache is a miss. */
  REDIS_COMMAND_MS: z.coerce.number().int().positive().default(50),
})
export const MailConfig = z.object({
  SMTP_URL: z.string().startsWith('smtp'),
  MAIL_FROM: z.string().default('no-reply@passerelle.example'),
})

export class ConfigurationError extends Error {
  readonly problems: string[]
  constructor(service: string, problems: string[]) {
    super(`${service}: the configuration has ${problems.length} problem(s):\n  ${problems.join('\n  ')}`)
    this.name = 'ConfigurationError'
    this.problems = problems
  }
}

/** A secret may come as a file: `DOCUMENT_KEY_FILE=/run/secrets/key` stands for `DOCUMENT_KEY`. Empty strings count as absent. */
export function readConfiguration<S extends z.ZodType>(service: string, schema: S, environment: Environment): z.output<S> {
  const known = new Set(schema instanceof z.ZodObject ? Object.keys(schema.shape) : [])
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    if (!value) continue
    const secret = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : undefined
    if (secret === undefined) given[name] = value
    // Other programs have variables with that suffix too.
    else if (known.has(secret)) given[secret] ??= readSecret(service, name, value)
  }
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new ConfigurationError(
    service,
    parsed.error.issues.map((issue) => `${issue.path.join('.') || '(environment)'}: ${issue.message}`),
  )
}

function readSecret(service: string, name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new ConfigurationError(service, [`${name}: ${file} cannot be read`])
  }
}
