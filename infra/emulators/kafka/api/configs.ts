import { describeTopicConfigs, MAX_MESSAGE_BYTES, topicConfigProblem } from '../log/topic-config.ts'
import { ErrorCode } from '../wire/error-code.ts'
import type { Writer } from '../wire/writer.ts'
import { type Broker, type Call, NODE_ID } from './handler.ts'

const RESOURCE = { topic: 2, broker: 4 } as const
const SOURCE = { topic: 1, static: 4, standard: 5 } as const

/** What clients ask a broker for most; read only. */
const BROKER_CONFIGS: Record<string, string> = {
  'auto.create.topics.enable': 'false',
  'log.retention.ms': '604800000',
  'message.max.bytes': String(MAX_MESSAGE_BYTES),
  'num.partitions': '1',
}

type Resource = { type: number; name: string }
type Entry = { name: string; value: string; isDefault: boolean; standard: string; isReadOnly: boolean }
type Outcome<T> = T | { error: ErrorCode; message: string }

/** DescribeConfigs 0 to 2. */
export function describeConfigs(broker: Broker, { version, request, response }: Call): undefined {
  const resources = request.array((resource) => ({
    type: resource.int8(),
    name: resource.string(),
    // An empty list asks for all, as null does.
    names: resource.nullableArray((config) => config.string()) ?? [],
  }))
  const withSynonyms = version >= 1 && request.boolean()
  response.int32(0).array(resources, ({ type, name, names }) => {
    const found = configsOf(broker, { type, name })
    const failed = 'error' in found
    response
      .int16(failed ? found.error : ErrorCode.none)
      .string(failed ? found.message : null)
      .int8(type)
      .string(name)
    const entries = failed ? [] : found.filter((entry) => names.length === 0 || names.includes(entry.name))
    response.array(entries, (entry) => writeEntry(response, entry, type, version, withSynonyms))
  })
}

/** AlterConfigs 0. As the protocol has it, the settings named replace all that were set before. */
export async function alterConfigs(broker: Broker, { request, response }: Call): Promise<undefined> {
  const resources = request.array((resource) => ({
    type: resource.int8(),
    name: resource.string(),
    entries: resource.array((config) => ({ name: config.string(), value: config.nullableString() })),
  }))
  const validateOnly = request.boolean()
  const results = await broker.database.write(() =>
    resources.map(({ type, name, entries }) => {
      const topic = type === RESOURCE.topic ? broker.topics.find(name) : undefined
      if (topic === undefined) return unknownResource({ type, name })
      const problem = topicConfigProblem(entries)
      if (problem !== undefined) return { error: ErrorCode.invalidConfig, message: problem }
      if (!validateOnly) broker.topics.configure(topic, Object.fromEntries(entries.map((entry) => [entry.name, entry.value!])))
      return undefined
    }),
  )
  response.int32(0).array([...resources.keys()], (index) => {
    const problem = results[index]
    response
      .int16(problem?.error ?? ErrorCode.none)
      .string(problem?.message ?? null)
      .int8(resources[index]!.type)
      .string(resources[index]!.name)
  })
}

function configsOf(broker: Broker, { type, name }: Resource): Outcome<Entry[]> {
  if (type === RESOURCE.broker && (name === String(NODE_ID) || name === '')) {
    return Object.entries(BROKER_CONFIGS).map(([key, value]) => ({ name: key, value, isDefault: false, standard: value, isReadOnly: true }))
  }
  const topic = type === RESOURCE.topic ? broker.topics.find(name) : undefined
  if (topic === undefined) return unknownResource({ type, name })
  return describeTopicConfigs(topic.configs).map((entry) => ({ ...entry, isReadOnly: false }))
}

function unknownResource({ type, name }: Resource): { error: ErrorCode; message: string } {
  if (type === RESOURCE.topic) return { error: ErrorCode.unknownTopicOrPartition, message: `Topic '${name}' does not exist.` }
  return { error: ErrorCode.invalidRequest, message: `Resource type ${type} named '${name}' is not known here.` }
}

function writeEntry(response: Writer, entry: Entry, type: number, version: number, withSynonyms: boolean): void {
  response.string(entry.name).string(entry.value).boolean(entry.isReadOnly)
  const source = entry.isDefault ? SOURCE.standard : type === RESOURCE.topic ? SOURCE.topic : SOURCE.static
  if (version === 0) response.boolean(entry.isDefault)
  else response.int8(source)
  response.boolean(false)
  if (version === 0) return
  const synonyms = [{ value: entry.standard, source: SOURCE.standard as number }]
  if (!entry.isDefault) synonyms.unshift({ value: entry.value, source })
  response.array(withSynonyms ? synonyms : [], (synonym) => response.string(entry.name).string(synonym.value).int8(synonym.source))
}
