/**
 * One booking by plain HTTP on a running system: `node infra/local/book-once.ts http://localhost:8080 [file]`. Fails unless it is
 * confirmed. With a file it notes the booking there, and first finds the one that an earlier run has noted: it must still be confirmed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Booking } from '@passerelle/contracts/http/booking'
import { party, testCard, Visitor } from './test-visitor.fixture.ts'

const [url = 'http://localhost:8080', file] = process.argv.slice(2)
const visitor = new Visitor(url)

if (file && existsSync(file)) {
  const noted = JSON.parse(readFileSync(file, 'utf8')) as { reference: string; email: string }
  const found = await new Visitor(url).post<Booking>('/api/bookings/retrieve', noted)
  console.log(`${noted.reference} of an earlier run: ${found.status} ${found.body.status}`)
  if (found.status !== 200 || found.body.status !== 'confirmed') process.exit(1)
}

const ahead = 20 + Math.floor(Math.random() * 200)
const date = new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
const offer = await visitor.offer(`origin=CDG&destination=LIS&departureDate=${date}`)
const passengers = party(offer)
const booked = await visitor.book(offer, { cardDetails: testCard }, { passengers })
const trips = await visitor.get<Booking[]>('/api/bookings')
const listed = Array.isArray(trips.body) && trips.body.some((trip) => trip.bookingReference === booked.body.bookingReference)
console.log(
  `${booked.status} ${booked.body.status} ${booked.body.bookingReference} ${booked.body.charged?.amount} ${booked.body.charged?.currency}, account ${booked.body.accountCreated}, in My Trips ${listed}`,
)
if (booked.status !== 201 || !listed) process.exit(1)
if (file) writeFileSync(file, JSON.stringify({ reference: booked.body.bookingReference, email: passengers[0]?.email }))
