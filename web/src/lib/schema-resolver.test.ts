import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { errorsOf, schemaResolver } from './schema-resolver.ts'

const options = { fields: {}, shouldUseNativeValidation: false } as never

describe('schemaResolver', () => {
  const schema = z.object({ passengers: z.array(z.object({ firstName: z.string().min(1, 'First name is required') })) })

  it('gives the parsed values when nothing is wrong', async () => {
    const trimming = z.object({ name: z.string().trim() })
    expect(await schemaResolver(trimming)({ name: ' Zoe ' }, undefined, options)).toEqual({ values: { name: 'Zoe' }, errors: {} })
  })

  it('nests errors by the path of their field', async () => {
    const { errors } = await schemaResolver(schema)({ passengers: [{ firstName: 'A' }, { firstName: '' }] }, undefined, options)
    expect(errors).toEqual({ passengers: { 1: { firstName: { type: 'schema', message: 'First name is required' } } } })
  })

  it('keeps the first message of a field, and puts a message without field on the form', () => {
    expect(errorsOf([{ message: 'a', path: ['x'] }, { message: 'b', path: ['x'] }, { message: 'c' }])).toEqual({
      x: { type: 'schema', message: 'a' },
      root: { type: 'schema', message: 'c' },
    })
  })
})
