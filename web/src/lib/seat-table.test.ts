import { expect, it } from 'vitest'
import { booking } from '../features/booking/model/booking.fixture.ts'
import { seatTable } from './seat-table.ts'

it('has a row a passenger and a column a flight', () => {
  expect(seatTable(booking.bookingData)).toEqual({
    flights: [
      { id: 'seg_1_1', number: 'AF 006' },
      { id: 'seg_2_1', number: 'KL 642' },
      { id: 'seg_2_2', number: 'KL 1227' },
    ],
    rows: [
      { id: 'pas_1', name: 'Camille Moreau', ticket: null, note: null, seats: ['24A', null, null] },
      { id: 'pas_3', name: 'Léa Moreau', ticket: 'Lea Moreau', note: 'child', seats: [null, null, null] },
    ],
    chosen: true,
  })
})

it('of a frequent flyer number has the airline and the end', () => {
  const [camille, ...others] = booking.bookingData.passengers
  const passengers = [{ ...camille!, frequentFlyer: { airline: 'AF', ending: '765' } }, ...others]
  expect(seatTable({ ...booking.bookingData, passengers }).rows.map(({ frequentFlyer }) => frequentFlyer)).toEqual([
    'AF ending 765',
    undefined,
  ])
})
