/** The steps after the first: loaded while the passengers are typed in, so that the form comes sooner and they are there in time. */
import { lazy } from 'react'

const seats = () => import('./seats/SeatStep.tsx')
const payment = () => import('./payment/PaymentStep.tsx')
const confirmation = () => import('./confirmation/ConfirmationStep.tsx')

export const SeatStep = lazy(async () => ({ default: (await seats()).SeatStep }))
export const PaymentStep = lazy(async () => ({ default: (await payment()).PaymentStep }))
export const ConfirmationStep = lazy(async () => ({ default: (await confirmation()).ConfirmationStep }))

export function loadLaterSteps(): void {
  // A chunk that does not come now is asked for again when its step is shown.
  for (const load of [seats, payment, confirmation]) load().catch(() => undefined)
}
