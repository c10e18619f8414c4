/** The topic settings that this broker knows, with Apache Kafka's defaults, names and rules. Which of them it acts on: see the README. */
const MAX_INT32 = 2 ** 31 - 1
const MAX_INT64 = 2n ** 63n - 1n

type Setting = { default: string; allows: (value: string) => boolean }

const integer =
  (least: number | bigint, most: number | bigint = MAX_INT64) =>
  (value: string) =>
    /^-?\d{1,19}$/.test(value) && BigInt(value) >= BigInt(least) && BigInt(value) <= BigInt(most)
const oneOf =
  (...values: string[]) =>
  (value: string) =>
    values.includes(value)
const fraction = (value: string) => /^\d(\.\d+)?$/.test(value) && Number(value) <= 1
const boolean = oneOf('true', 'false')
const listOf =
  (...values: string[]) =>
  (value: string) =>
    value.split(',').every((part) => values.includes(part.trim()))

export const MAX_MESSAGE_BYTES = 1_048_588

const SETTINGS: Record<string, Setting> = {
  'cleanup.policy': { default: 'delete', allows: listOf('delete', 'compact') },
  'compression.type': { default: 'producer', allows: oneOf('producer', 'uncompressed', 'gzip', 'snappy', 'lz4', 'zstd') },
  'delete.retention.ms': { default: '86400000', allows: integer(0) },
  'file.delete.delay.ms': { default: '60000', allows: integer(0) },
  'flush.messages': { default: String(MAX_INT64), allows: integer(1) },
  'flush.ms': { default: String(MAX_INT64), allows: integer(0) },
  'index.interval.bytes': { default: '4096', allows: integer(0, MAX_INT32) },
  'max.compaction.lag.ms': { default: String(MAX_INT64), allows: integer(1) },
  'max.message.bytes': { default: String(MAX_MESSAGE_BYTES), allows: integer(0, MAX_INT32) },
  'message.timestamp.after.max.ms': { default: '3600000', allows: integer(0) },
  'message.timestamp.before.max.ms': { default: String(MAX_INT64), allows: integer(0) },
  'message.timestamp.type': { default: 'CreateTime', allows: oneOf('CreateTime', 'LogAppendTime') },
  'min.cleanable.dirty.ratio': { default: '0.5', allows: fraction },
  'min.compaction.lag.ms': { default: '0', allows: integer(0) },
  'min.insync.replicas': { default: '1', allows: integer(1, MAX_INT32) },
  preallocate: { default: 'false', allows: boolean },
  'retention.bytes': { default: '-1', allows: integer(-1) },
  'retention.ms': { default: '604800000', allows: integer(-1) },
  'segment.bytes': { default: '1073741824', allows: integer(1_048_576, MAX_INT32) },
  'segment.index.bytes': { default: '10485760', allows: integer(4, MAX_INT32) },
  'segment.jitter.ms': { default: '0', allows: integer(0) },
  'segment.ms': { default: '604800000', allows: integer(1) },
  'unclean.leader.election.enable': { default: 'false', allows: boolean },
}

/** Only what was set for the topic; everything else has its default. */
export type TopicConfigs = Record<string, string>

/** What is wrong with the settings asked for, in words, or undefined. A null value is refused as Kafka does. */
export function topicConfigProblem(entries: readonly { name: string; value: string | null }[]): string | undefined {
  for (const { name, value } of entries) {
    const setting = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined
    if (setting === undefined) return `Unknown topic config name: ${name}`
    if (value === null) return `Null value not supported for topic configs: ${name}`
    if (!setting.allows(value)) return `Invalid value ${value} for configuration ${name}`
  }
  return undefined
}

export function topicConfig(configs: TopicConfigs, name: string): string {
  return configs[name] ?? SETTINGS[name]!.default
}

/** Every setting with its value in force, in the order of their names. */
export function describeTopicConfigs(configs: TopicConfigs): { name: string; value: string; isDefault: boolean; standard: string }[] {
  return Object.entries(SETTINGS).map(([name, setting]) => ({
    name,
    value: configs[name] ?? setting.default,
    isDefault: configs[name] === undefined,
    standard: setting.default,
  }))
}
