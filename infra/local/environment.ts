/** The environment that each process of a local system gets. */
import type { Environment } from '@passerelle/kit/configuration'
import type { Backbone } from '@passerelle/servers/backbone'
import type { ProcessName, Secrets } from './secrets.ts'
import type { Suppliers } from './suppliers.ts'

export type ServiceName = Exclude<ProcessName, 'gateway'>
export const serviceNames: readonly ServiceName[] = ['search', 'booking', 'payment', 'identity', 'brand']

export type Addresses = Record<ServiceName, string>

/** Settings a person may give a local system; everything else is decided here. */
const PASSED_ON = [
  'LOG_LEVEL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_BSP_SCHEDULE_DELAY',
  'RATE_LIMIT_FACTOR',
  'REDIS_COMMAND_MS',
  'ANSWER_MEMORY_MB',
  'MARKUP_PERCENT',
  'ALLOW_RAW_CARDS',
  'DUFFEL_TEST_TOKEN',
  'DUFFEL_LIVE_TOKEN',
  'DUFFEL_LIVE_URL',
  'STRIPE_TEST_KEY',
  'STRIPE_LIVE_KEY',
  'STRIPE_LIVE_URL',
  'STRIPE_LIVE_PUBLISHABLE_KEY',
  'STRIPE_SCRIPT_URL',
  'DUFFEL_TEST_WEBHOOK_SECRET',
  'DUFFEL_LIVE_WEBHOOK_SECRET',
  'STRIPE_TEST_WEBHOOK_SECRET',
  'STRIPE_LIVE_WEBHOOK_SECRET',
  'SMTP_URL',
  'MAIL_FROM',
  'HOST_TARGET',
  'HOST_ADDRESSES',
  'HOST_TLS_ADDRESS',
  'MAIL_SPF_INCLUDE',
  'MAIL_DKIM_HOST',
  'DNS_SERVERS',
  'ORDER_SEND_WITHIN_MS',
  'ORDER_LONGEST_MS',
  'ANSWER_WITHIN_MS',
  'PREPARE_WITHIN_MS',
  'ACCOUNT_WITHIN_MS',
  'HOLD_SECONDS',
  'HOLD_IDLE_SECONDS',
  'CHALLENGE_SECONDS',
  'CARD_DECLINES_PER_VISITOR',
  'CARD_DECLINES_PER_NETWORK',
  'CARD_DECLINES_WINDOW_SECONDS',
  'CARD_STOP_SECONDS',
  'KAFKA_USERNAME',
  'KAFKA_PASSWORD',
  'KAFKA_SASL_MECHANISM',
  'KAFKA_TLS',
  'NAMESPACE',
  'NODE_OPTIONS',
] as const

export type LocalSystem = {
  given: Environment
  secrets: Secrets
  backbone: Pick<Backbone, 'MONGO_URL' | 'KAFKA_BROKERS' | 'REDIS_URL'>
  suppliers: Pick<Suppliers, 'environment'>
  addresses: Addresses
  publicUrl: string
}

export function environmentOf(name: ProcessName, system: LocalSystem): Environment {
  const { given, secrets, backbone, suppliers, addresses } = system
  const live = { ...given, ...suppliers.environment }
  const passedOn = Object.fromEntries(PASSED_ON.map((key) => [key, given[key]]))
  return {
    LOG_LEVEL: 'warn',
    RATE_LIMIT_FACTOR: '20',
    ...Object.fromEntries(Object.entries(passedOn).filter(([, value]) => value)),
    NODE_ENV: 'development',
    INTERNAL_KEY: JSON.stringify(secrets.keys[name]),
    INTERNAL_JWKS: JSON.stringify(secrets.jwks),
    DOCUMENT_KEY: secrets.documentKey,
    HASH_KEY: secrets.hashKey,
    FIRST_ADMIN_PASSWORD: secrets.adminPassword,
    SAMPLE_BRANDS: 'true',
    ENVIRONMENT: 'development',
    LIVE_FLIGHTS_CONFIGURED: live.DUFFEL_LIVE_TOKEN ? 'true' : 'false',
    LIVE_CARDS_CONFIGURED: live.STRIPE_LIVE_KEY && live.STRIPE_LIVE_PUBLISHABLE_KEY ? 'true' : 'false',
    PUBLIC_URL: system.publicUrl,
    MONGO_URL: backbone.MONGO_URL,
    KAFKA_BROKERS: backbone.KAFKA_BROKERS,
    REDIS_URL: backbone.REDIS_URL,
    ...Object.fromEntries(serviceNames.map((service) => [`${service.toUpperCase()}_URL`, addresses[service]])),
    ...suppliers.environment,
  }
}
