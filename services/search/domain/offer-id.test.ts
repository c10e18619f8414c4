import { expect, it } from 'vitest'
import { offerIdOf, readOfferId } from './offer-id.ts'

it('R-70: an id tells its mode and leads back to the supplier', () => {
  expect(offerIdOf('off_0000AbC9', 'test')).toBe('oft_0000AbC9')
  expect(offerIdOf('off_0000AbC9', 'live')).toBe('ofl_0000AbC9')
  expect(readOfferId('oft_0000AbC9')).toEqual({ mode: 'test', supplierId: 'off_0000AbC9' })
  expect(readOfferId('ofl_0000AbC9')).toEqual({ mode: 'live', supplierId: 'off_0000AbC9' })
})

it.each(['off_0000', 'oft_', 'oft_../orders', 'oft_a/b', 'ofx_abc', '', 'oft_a_b'])('%j is no id of ours', (id) => {
  expect(readOfferId(id)).toBeNull()
})
