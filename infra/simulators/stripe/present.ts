/** What leaves the simulator: lists in pages, and ids replaced by their objects where `expand` asks for it. */
import { invalidParameter, missingResource } from './error.ts'
import type { Parameters } from './parameters.ts'
import type { Kind } from './resources.ts'
import type { World } from './world.ts'

const EXPANDABLE: Record<string, Record<string, Kind>> = {
  payment_intent: { latest_charge: 'charge', payment_method: 'payment_method' },
  charge: { payment_intent: 'payment_intent', payment_method: 'payment_method' },
  refund: { charge: 'charge', payment_intent: 'payment_intent' },
}

export const listSpec = {
  created: { type: 'range' },
  ending_before: { type: 'text' },
  limit: { type: 'integer' },
  starting_after: { type: 'text' },
  expand: { type: 'list' },
} as const

/** Newest first. `parent` narrows to what belongs to one intent. */
export const listPage = (world: World, kind: Kind, path: string, params: Parameters<typeof listSpec>, parent?: string) => {
  const limit = params.limit ?? 10
  if (limit < 1 || limit > 100)
    throw invalidParameter(`This value must be between 1 and 100. You passed ${limit}.`, 'limit', 'parameter_invalid_integer')
  for (const name of ['starting_after', 'ending_before'] as const) {
    const id = params[name]
    if (id !== undefined && !world.store.find(kind, id)) throw missingResource(kind, id, name)
  }
  const found = world.store.list(kind, {
    ...(params.created ? { created: params.created } : {}),
    ...(params.starting_after === undefined ? {} : { before: params.starting_after }),
    ...(params.ending_before === undefined ? {} : { after: params.ending_before }),
    ...(parent === undefined ? {} : { parent }),
    limit: limit + 1,
  })
  const more = found.length > limit
  const data = params.ending_before === undefined ? found.slice(0, limit) : found.slice(more ? 1 : 0)
  return { object: 'list', data, has_more: more, url: path }
}

/** Refused before anything is carried out, like any other bad parameter. */
export const checkExpansions = (kind: Kind, isList: boolean, paths: readonly string[] = []): void => {
  for (const path of paths) {
    const steps = path.split('.')
    if (isList && steps.shift() !== 'data') throw notExpandable(path)
    let at: Kind | undefined = kind
    for (const step of steps) {
      at = at && EXPANDABLE[at]?.[step]
      if (!at) throw notExpandable(path)
    }
    if (steps.length === 0 || steps.length > 4) throw notExpandable(path)
  }
}

const notExpandable = (path: string) => invalidParameter(`This property cannot be expanded (${path}).`, 'expand')

export const expand = (world: World, object: unknown, paths: readonly string[] = []): unknown =>
  paths.reduce((current, path) => expandPath(world, current, path.split('.')), object)

const expandPath = (world: World, object: unknown, [step, ...rest]: string[]): unknown => {
  if (step === undefined || typeof object !== 'object' || object === null) return object
  const holder = object as Record<string, unknown>
  if (step === 'data') {
    return { ...holder, data: (holder.data as unknown[]).map((item) => expandPath(world, item, rest)) }
  }
  const value = holder[step]
  const kind = EXPANDABLE[String(holder.object)]?.[step]
  const full = typeof value === 'string' && kind ? world.store.find(kind, value) : value
  return { ...holder, [step]: expandPath(world, full, rest) }
}
