/**
 * Whether services of two releases understand each other's events while both are running: what the new one tells must suit the frozen
 * reader, and what the frozen one told must suit the new reader. Judged by trying, on variants of a sample.
 */
import { z } from 'zod'

export type JsonSchema = {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  anyOf?: JsonSchema[]
  items?: JsonSchema
  enum?: unknown[]
  const?: unknown
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

/** What a reader of this schema accepts. Fields that it does not know it passes over. */
export function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' })
  return json as JsonSchema
}

/** Sentences on what would break; empty when nothing does. `sample` must suit both. */
export function breaks(frozen: JsonSchema, current: JsonSchema, sample: unknown): string[] {
  const oldReader = z.fromJSONSchema(frozen as Parameters<typeof z.fromJSONSchema>[0])
  const newReader = z.fromJSONSchema(current as Parameters<typeof z.fromJSONSchema>[0])
  const refused = (reader: z.ZodType, told: unknown[], what: string) =>
    told.flatMap((one) => {
      const { error } = reader.safeParse(one)
      return error ? error.issues.map((issue) => `${what} ${issue.path.join('.') || 'event'}: ${issue.message}`) : []
    })
  return [
    ...new Set([
      ...refused(oldReader, variants(current, sample), 'services of the last release would refuse the new'),
      ...refused(newReader, variants(frozen, sample), 'new services would refuse the last release’s'),
    ]),
  ]
}

/**
 * Events that a schema allows, made from one: each choice taken, each optional field left out, each bound touched. Fields that the
 * schema does not know are left out.
 */
export function variants(schema: JsonSchema, sample: unknown): unknown[] {
  if (schema.anyOf) return schema.anyOf.flatMap((one) => variants(one, sample))
  if (Array.isArray(schema.type)) return schema.type.flatMap((type) => variants({ ...schema, type }, sample))
  if (schema.enum) return schema.enum
  if ('const' in schema) return [schema.const]
  switch (schema.type) {
    case 'null':
      return [null]
    case 'boolean':
      return [true, false]
    case 'object':
      return objects(schema, (sample ?? {}) as Record<string, unknown>)
    case 'array':
      return [[], ...variants(schema.items ?? {}, (sample as unknown[] | undefined)?.[0]).map((item) => [item])]
    case 'integer':
      return numbers(schema, [-1, 0, 1])
    case 'number':
      return numbers(schema, [-1, 0, 0.5, 1])
    case 'string':
      return strings(schema, sample)
    default:
      return [sample]
  }
}

/** The whole object in every variant of one field at a time, and without each field that may be left out. */
function objects({ properties = {}, required = [] }: JsonSchema, sample: Record<string, unknown>): unknown[] {
  const choices = Object.entries(properties).map(([name, inner]) => ({ name, values: variants(inner, sample[name]) }))
  const whole = Object.fromEntries(choices.map(({ name, values }) => [name, sample[name] ?? values[0]]))
  const varied = choices.flatMap(({ name, values }) => values.map((value) => ({ ...whole, [name]: value })))
  const shortened = choices
    .filter(({ name }) => !required.includes(name))
    .map(({ name }) => Object.fromEntries(Object.entries(whole).filter(([other]) => other !== name)))
  return [whole, ...varied, ...shortened]
}

function numbers({ minimum = -Infinity, maximum = Infinity }: JsonSchema, tried: number[]): number[] {
  const bounds = [minimum, maximum].filter((bound) => Number.isSafeInteger(bound))
  return [...new Set([...tried, ...bounds])].filter((value) => value >= minimum && value <= maximum)
}

function strings({ pattern, minLength = 0, maxLength = 40 }: JsonSchema, sample: unknown): unknown[] {
  // Texts of a pattern cannot be made up: the sample stands for them.
  if (pattern !== undefined) return [sample ?? '']
  return [...new Set([typeof sample === 'string' ? sample : 'x'.repeat(minLength), 'x'.repeat(minLength), 'x'.repeat(maxLength)])]
}
