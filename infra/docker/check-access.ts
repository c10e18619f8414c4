/**
 * In the network of a compose system: tries with each service's own credentials what only another one may, and ends with 1 when that
 * works, or when what is the service's own does not. `docker compose -f docker-compose.yml -f infra/docker/compose.checks.yml run --rm access`
 */
import { readFileSync } from 'node:fs'
import { allTopics } from '@passerelle/contracts/events/topics'
import { Redis } from 'ioredis'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import { type BusService, busServices } from './kafka-users.ts'
import { cachingServices } from './redis-users.ts'

const SECRETS = '/secrets'
const BROKERS = ['kafka:9092']

/** What each service is for, written down once more: the broker's own list is made from another one. */
const OWN: Record<BusService, { groups: string[]; reads: string[]; writes: string[] }> = {
  booking: {
    groups: ['booking', 'booking-mail'],
    reads: ['booking.events', 'payment.events', 'identity.events', 'brand.events'],
    writes: ['booking.events', 'booking.dlq', 'booking-mail.dlq'],
  },
  payment: { groups: ['payment'], reads: ['booking.events'], writes: ['payment.events', 'payment.dlq'] },
  identity: { groups: ['identity'], reads: ['booking.events', 'identity.events'], writes: ['identity.events', 'identity.dlq'] },
  brand: { groups: ['brand'], reads: ['brand.events'], writes: ['brand.events', 'brand.dlq'] },
}
let wrong = 0

async function must(what: string, expected: 'allowed' | RegExp, work: () => Promise<unknown>): Promise<void> {
  const outcome = await work().then(
    () => 'allowed',
    (error: unknown) => whole(error),
  )
  const right = expected === 'allowed' ? outcome === 'allowed' : expected.test(outcome)
  if (!right) wrong++
  console.log(`${right ? 'ok   ' : 'WRONG'} ${what}: ${outcome}`)
}

/** With what it was made of: clients keep the server's own words inside. */
function whole(error: unknown): string {
  const { message, cause, errors = [] } = error as { message: string; cause?: unknown; errors?: unknown[] }
  return [message, ...[cause, ...errors].filter(Boolean).map(whole)].join(': ')
}

async function withRedis(url: string, work: (redis: Redis) => Promise<void>): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, enableReadyCheck: false, retryStrategy: () => null, maxRetriesPerRequest: 0 })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    await work(redis)
  } finally {
    redis.disconnect()
  }
}

const REFUSED = /NOPERM/

async function checkRedis(): Promise<void> {
  const fromNobody = (command: (redis: Redis) => Promise<unknown>) => () =>
    withRedis('redis://redis:6379', async (redis) => void (await command(redis)))
  await must(
    'nobody reads the cache',
    /NOAUTH|closed/,
    fromNobody((redis) => redis.get('search:x')),
  )
  await must(
    'nobody looks at the keys of the cache',
    /NOAUTH|closed/,
    fromNobody((redis) => redis.keys('*')),
  )
  for (const service of cachingServices) {
    await withRedis(readFileSync(`${SECRETS}/${service}/redis-url`, 'utf8'), async (redis) => {
      await must(`${service} writes a key of its own`, 'allowed', () => redis.set(`${service}:check-access`, '1', 'PX', 1000))
      await must(`${service} reads a key of its own`, 'allowed', () => redis.get(`${service}:check-access`))
      for (const other of cachingServices.filter((one) => one !== service)) {
        await must(`${service} does not read a key of ${other}`, REFUSED, () => redis.get(`${other}:x`))
        await must(`${service} does not write a key of ${other}`, REFUSED, () => redis.set(`${other}:x`, '1'))
      }
      await must(`${service} does not list keys`, REFUSED, () => redis.keys('*'))
      await must(`${service} does not empty the cache`, REFUSED, () => redis.flushall())
      await must(`${service} does not read the configuration`, REFUSED, () => redis.config('GET', '*'))
    })
  }
}

const kafkaOf = (username: string, password: string) =>
  new Kafka({
    clientId: 'check-access',
    brokers: BROKERS,
    sasl: { mechanism: 'plain', username, password },
    logLevel: logLevel.NOTHING,
    retry: { retries: 2 },
  })

async function withAdmin(kafka: Kafka, work: (admin: Admin) => Promise<void>): Promise<void> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    await work(admin)
  } finally {
    await admin.disconnect()
  }
}

/** Of a group that is not ours even the coordinator is kept from us. */
const DENIED = /not authorized|authorization failed|failed to find group coordinator/i

async function write(kafka: Kafka, topic: string): Promise<void> {
  const producer = kafka.producer({ allowAutoTopicCreation: false })
  await producer.connect()
  try {
    await producer.send({ topic, messages: [{ value: 'nobody should ever read this' }] })
  } finally {
    await producer.disconnect()
  }
}

async function checkKafka(): Promise<void> {
  const noPassword = new Kafka({
    clientId: 'check-access',
    brokers: BROKERS,
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
    connectionTimeout: 3000,
  })
  await must('nobody connects to the bus without a password', /.+/, () =>
    withAdmin(noPassword, async (admin) => void (await admin.listTopics())),
  )
  await must('a wrong password is refused', /authentication/i, () => withAdmin(kafkaOf('payment', 'wrong'), async () => undefined))
  for (const service of busServices) {
    const kafka = kafkaOf(service, readFileSync(`${SECRETS}/${service}/kafka-password`, 'utf8'))
    const { groups, reads, writes } = OWN[service]
    await withAdmin(kafka, async (admin) => {
      for (const { name } of allTopics) {
        const known = reads.includes(name) || writes.includes(name)
        await must(`${service} and the topic ${name}`, known ? 'allowed' : DENIED, () => admin.fetchTopicOffsets(name))
      }
      for (const group of Object.values(OWN).flatMap((own) => own.groups))
        await must(`${service} and the group ${group}`, groups.includes(group) ? 'allowed' : DENIED, () =>
          admin.fetchOffsets({ groupId: group }),
        )
      await must(`${service} makes no topic`, DENIED, () => admin.createTopics({ topics: [{ topic: `${service}.more` }] }))
    })
    for (const { name } of allTopics.filter((topic) => !writes.includes(topic.name)))
      await must(`${service} writes nothing into ${name}`, DENIED, () => write(kafka, name))
  }
}

await checkRedis()
await checkKafka()
console.log(wrong === 0 ? 'every service has its own and nothing else' : `${wrong} of these are wrong`)
process.exit(wrong === 0 ? 0 : 1)
