import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { errorsOf, validate } from './schema-resolver.ts'

describe('a form', () => {
  const schema = z.object({ passengers: z.array(z.object({ firstName: z.string().min(1, 'First name is required') })) })

  it('gives the parsed values when nothing is wrong', async () => {
    const trimming = z.object({ name: z.string().trim() })
    expect(await validate(async () => trimming, { name: ' Zoe ' })).toEqual({ values: { name: 'Zoe' }, errors: {} })
  })

  it('nests errors by the path of their field', async () => {
    const { errors } = await validate(async () => schema, { passengers: [{ firstName: 'A' }, { firstName: '' }] })
    expect(errors).toEqual({ passengers: { 1: { firstName: { type: 'schema', message: 'First name is required' } } } })
  })

  it('is refused with a message at its first field when its schema does not arrive', async () => {
    expect(await validate(() => Promise.reject(new TypeError('offline')), { username: 'a', password: 'b' })).toEqual({
      values: {},
      errors: { username: { type: 'schema', message: 'Your entries could not be checked. Please try again.' } },
    })
  })

  it('keeps the first message of a field, and puts a message without field on the form', () => {
    expect(errorsOf([{ message: 'a', path: ['x'] }, { message: 'b', path: ['x'] }, { message: 'c' }])).toEqual({
      x: { type: 'schema', message: 'a' },
      root: { type: 'schema', message: 'c' },
    })
  })
})
