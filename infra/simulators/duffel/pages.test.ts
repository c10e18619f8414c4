import { describe, expect, it } from 'vitest'
import { pageOf, readPageRequest } from './pages.ts'

const items = Array.from({ length: 12 }, (_, at) => `item-${at}`)
const page = (query: Record<string, unknown>, list = 'list') => pageOf(list, items, (item) => item, readPageRequest(query))

describe('pages', () => {
  it('following after from page to page gives every element once, and null at the end', () => {
    const seen: string[] = []
    let after: string | null = null
    do {
      const next = page(after === null ? { limit: '5' } : { limit: '5', after })
      seen.push(...next.items)
      after = next.meta.after
    } while (after !== null)
    expect(seen).toEqual(items)
  })

  it('before leads back', () => {
    const second = page({ limit: '5', after: page({ limit: '5' }).meta.after })
    expect(page({ limit: '5', before: second.meta.before }).items).toEqual(items.slice(0, 5))
    expect(page({ limit: '5' }).meta.before).toBeNull()
  })

  it('a cursor of another list, or one that was never given, is refused', () => {
    const { after } = page({ limit: '5' }).meta
    expect(() => page({ after }, 'other')).toThrow('validation_format')
    expect(() => page({ after: 'abc' })).toThrow('validation_format')
  })

  it('limits outside 1 to 200 are refused', () => {
    for (const limit of ['0', '201', '-1', 'ten', '1.5', '']) expect(() => readPageRequest({ limit })).toThrow('validation_inclusion')
    expect(readPageRequest({}).limit).toBe(50)
    expect(readPageRequest({ limit: '200' }).limit).toBe(200)
  })
})
