/** The card provider's own fields, in a frame of the payment step: card numbers never reach a document of the booking. */
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { StripeElementsOptions } from '@stripe/stripe-js'
import { useEffect, useRef, useState } from 'react'
import styles from './CardFieldsPage.module.css'
import { listenTo, type ToFields, tell } from './messages.ts'
import { cardFieldsOf, loadProvider } from './provider.ts'

export function CardFieldsPage() {
  const [fields] = useState(() => cardFieldsOf(document))
  const [provider] = useState(() => fields && loadProvider(fields))
  const [options] = useState(optionsOf)

  useEffect(() => {
    if (!provider) return tell(window.parent, { type: 'not-live' })
    void provider.then((stripe) => stripe === null && tell(window.parent, { type: 'failed' }))
  }, [provider])

  if (!provider) return null
  return (
    <div className={styles.page}>
      <Elements stripe={provider} options={options}>
        <Fields />
      </Elements>
    </div>
  )
}

function Fields() {
  const stripe = useStripe()
  const elements = useElements()
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const shown = box.current
    if (!shown) return
    const observer = new ResizeObserver(() => tell(window.parent, { type: 'height', height: shown.offsetHeight }))
    observer.observe(shown)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    if (!stripe || !elements) return
    async function makeMethod(): Promise<void> {
      const checked = await elements?.submit()
      const made = checked?.error ? checked : await stripe?.createPaymentMethod({ elements: elements as NonNullable<typeof elements> })
      if (made && 'paymentMethod' in made && made.paymentMethod) {
        const { id, card } = made.paymentMethod
        return tell(window.parent, { type: 'method', paymentMethodId: id, cardLast4: card?.last4 ?? '' })
      }
      tell(window.parent, { type: 'refused', message: made?.error?.message ?? REFUSED })
    }
    return listenTo<ToFields>(
      () => window.parent,
      (message) => {
        if (message.type === 'make-method') makeMethod().catch(() => tell(window.parent, { type: 'refused', message: REFUSED }))
        if (message.type !== 'ask') return
        // Whatever it says: the server asks the provider.
        const over = () => tell(window.parent, { type: 'answered' })
        stripe.handleNextAction({ clientSecret: message.clientSecret }).then(over, over)
      },
    )
  }, [stripe, elements])

  return (
    <div ref={box} className={styles.fields}>
      <PaymentElement
        options={{ layout: 'tabs', wallets: { applePay: 'never', googlePay: 'never', link: 'never' }, terms: { card: 'never' } }}
        onReady={() => tell(window.parent, { type: 'ready' })}
        onLoadError={() => tell(window.parent, { type: 'failed' })}
      />
    </div>
  )
}

const REFUSED = 'Your card could not be read. Please try again.'

/** The amount comes in the fragment of the address, in minor units; the look is the brand's. */
function optionsOf(): StripeElementsOptions {
  const asked = new URLSearchParams(window.location.hash.slice(1))
  const look = getComputedStyle(document.documentElement)
  const token = (name: string) => look.getPropertyValue(name).trim()
  return {
    mode: 'payment',
    amount: Number(asked.get('amount')),
    currency: asked.get('currency') ?? '',
    captureMethod: 'manual',
    paymentMethodCreation: 'manual',
    allowedPaymentMethodTypes: ['card'],
    locale: 'en',
    appearance: {
      variables: {
        fontFamily: token('--font'),
        fontSizeBase: '16px',
        borderRadius: '8px',
        colorPrimary: token('--brand-edge'),
        colorBackground: token('--surface'),
        colorText: token('--ink'),
        colorDanger: token('--negative'),
      },
    },
  }
}
