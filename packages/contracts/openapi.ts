/** The OpenAPI 3.1 document of the public calls, derived from the contracts. */
import { z } from 'zod'
import { type ErrorCode, errorCatalogue } from './error.ts'
import type { Contract, Route } from './route.ts'

type Json = Record<string, unknown>

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return json
}

function parameters(route: Route): Json[] {
  const list: Json[] = []
  for (const [where, schema] of [
    ['path', route.params],
    ['query', route.query],
  ] as const) {
    if (!schema) continue
    for (const part of flatten(jsonSchema(schema, 'input'))) {
      const required = new Set((part.required as string[] | undefined) ?? [])
      for (const [name, property] of Object.entries((part.properties as Json | undefined) ?? {})) {
        list.push({ name, in: where, required: where === 'path' || required.has(name), schema: property })
      }
    }
  }
  return list
}

/** An intersection's parts, so that `a.and(b)` in a query becomes one list of parameters. */
function flatten(schema: Json): Json[] {
  return Array.isArray(schema.allOf) ? (schema.allOf as Json[]).flatMap(flatten) : [schema]
}

function errorResponses(codes: readonly ErrorCode[]): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const [status] = errorCatalogue[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      { description: list.join(', '), content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
    ]),
  )
}

const BINARY = { type: 'string', format: 'binary' }

function successContent(route: Route): Json {
  if (route.file) return Object.fromEntries(route.file.map((type) => [type, { schema: BINARY }]))
  return { 'application/json': { schema: jsonSchema(route.response, 'output') } }
}

function operation(service: string, name: string, route: Route): Json {
  return {
    operationId: name,
    tags: [service],
    summary: route.summary,
    'x-access': route.access,
    ...(route.params || route.query ? { parameters: parameters(route) } : {}),
    ...(route.body && !route.rawBody
      ? { requestBody: { content: { 'application/json': { schema: jsonSchema(route.body, 'input') } } } }
      : {}),
    ...(route.rawBody ? { requestBody: { content: { 'application/octet-stream': { schema: BINARY } } } } : {}),
    responses: {
      [route.status ?? 200]: { description: 'Success', content: successContent(route) },
      ...errorResponses(route.errors ?? []),
    },
  }
}

export function openApi(contracts: readonly Contract[]): Json {
  const paths: Record<string, Json> = {}
  for (const { service, routes } of contracts) {
    for (const [name, route] of Object.entries(routes)) {
      if (route.access === 'internal') continue
      const path = route.path.replace(/:([A-Za-z]+)/g, '{$1}')
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(service, name, route) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Passerelle',
      version: '1',
      description: 'Flight search and booking. Amounts are decimal strings; flight times are airport-local.',
    },
    paths,
    components: {
      schemas: {
        Error: jsonSchema(
          z.object({
            error: z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]),
            message: z.string(),
            requestId: z.string(),
            issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
            details: z.record(z.string(), z.unknown()).optional(),
          }),
          'output',
        ),
      },
    },
  }
}
