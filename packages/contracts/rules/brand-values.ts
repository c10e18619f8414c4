/** A brand as it was stored, read so that it can be shown: what is missing or not allowed any more falls back to the default brand's value. */
import { z } from 'zod'
import { Brand } from '../http/brand.ts'
import { defaultBrand } from './default-brand.ts'

/** `replaced` names the fields whose stored value could not be used, e.g. `theme.primary`. */
export function readBrand(stored: unknown, key: string): { brand: Brand; replaced: string[] } {
  const replaced: string[] = []
  const brand = readFields(Brand, stored, { ...defaultBrand, domain: key }, '', replaced)
  return { brand, replaced }
}

function readFields<S extends z.ZodObject>(
  schema: S,
  stored: unknown,
  fallback: z.output<S>,
  path: string,
  replaced: string[],
): z.output<S> {
  const given = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  const values = fallback as Record<string, unknown>
  const fields = Object.entries(schema.shape).map(([name, field]) => {
    const at = path ? `${path}.${name}` : name
    if (field instanceof z.ZodObject) return [name, readFields(field, given[name], values[name] as never, at, replaced)]
    const parsed = z.safeParse(field, given[name])
    if (parsed.success) return [name, parsed.data]
    replaced.push(at)
    return [name, values[name]]
  })
  return Object.fromEntries(fields) as z.output<S>
}
