import { expect, test } from 'vitest'
import { bookingRecord } from './booking.fixture.ts'
import { seatFailure, seatsNamed } from './lost-seats.ts'

const seat = (seatId: string, passengerId = 'pas_1', segmentId = 'seg_1_1') => ({ seatId, passengerId, segmentId })

test('ABOOK-12: every seat that was lost is named with its flight and passenger', () => {
  const failure = seatFailure([seat('12A'), seat('7C', 'pas_3', 'seg_2_1')], bookingRecord())
  expect(failure).toEqual({
    code: 'SEAT_UNAVAILABLE',
    message:
      'Seats 12A on TP439 from Paris to Lisbon (passenger 1), 7C on TP439 from Lisbon to Paris (passenger 2) have just been taken. Please choose other seats.',
    details: {
      seats: [
        { ...seat('12A'), flight: 'TP439 from Paris to Lisbon', passenger: 1 },
        { ...seat('7C', 'pas_3', 'seg_2_1'), flight: 'TP439 from Lisbon to Paris', passenger: 2 },
      ],
    },
  })
})

test('what is not known of a seat is left out, and without any seat none is named', () => {
  expect(seatFailure([seat('12A')]).message).toBe('Seat 12A has just been taken. Please choose another seat.')
  expect(seatFailure([seat('12A', 'pas_9', 'seg_9')], bookingRecord()).message).toBe(
    'Seat 12A has just been taken. Please choose another seat.',
  )
  expect(seatFailure([], bookingRecord())).toEqual({ code: 'SEAT_UNAVAILABLE' })
})

test('seats are read from another service’s refusal as far as it names them', () => {
  expect(seatsNamed({ seats: [seat('12A'), { seatId: '1B' }, null, 'x'] })).toEqual([seat('12A')])
  for (const details of [undefined, {}, { seats: 'many' }]) expect(seatsNamed(details)).toEqual([])
})
