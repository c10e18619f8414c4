/** One booking by plain HTTP on a running system: `node infra/local/book-once.ts http://localhost:8080`. Fails unless it is confirmed. */
import type { Booking } from '@passerelle/contracts/http/booking'
import { party, testCard, Visitor } from './test-visitor.fixture.ts'

const url = process.argv[2] ?? 'http://localhost:8080'
const ahead = 20 + Math.floor(Math.random() * 200)
const date = new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
const visitor = new Visitor(url)

const offer = await visitor.offer(`origin=CDG&destination=LIS&departureDate=${date}`)
const booked = await visitor.book(offer, { cardDetails: testCard }, { passengers: party(offer) })
const trips = await visitor.get<Booking[]>('/api/bookings')
const listed = Array.isArray(trips.body) && trips.body.some((trip) => trip.bookingReference === booked.body.bookingReference)
console.log(
  `${booked.status} ${booked.body.status} ${booked.body.bookingReference} ${booked.body.charged?.amount} ${booked.body.charged?.currency}, account ${booked.body.accountCreated}, in My Trips ${listed}`,
)
if (booked.status !== 201 || !listed) process.exit(1)
