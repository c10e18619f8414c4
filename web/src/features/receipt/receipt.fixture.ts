import { booking } from '../booking/model/booking.fixture.ts'
import type { ReceiptPage } from './receipt-text.ts'

export const receipt: ReceiptPage = {
  number: '000042',
  paidAt: '2026-11-21T12:00:00Z',
  paidBy: 'Camille Moreau',
  seller: { name: 'Passerelle', address: 'Quai de la Loire, 75019 Paris', email: 'hello@passerelle.example', phone: '+33 1 99 00 42 19' },
  lines: [
    { item: 'base', amount: '1412.00' },
    { item: 'tax', amount: '572.00' },
    { item: 'seats', amount: '93.00' },
  ],
  booking,
}
