import { ApiError } from '@passerelle/contracts/client'
import { describe, expect, it, vi } from 'vitest'
import { type BankAnswer, instrumentOf, last4Of, type PaysWith, QuestionLeft, throughQuestion } from './bank-question.ts'
import { classifyPaymentError } from './classify.ts'

const asks = () =>
  new ApiError(
    402,
    'Payment Required',
    JSON.stringify({ error: 'PAYMENT_ACTION_REQUIRED', message: 'x', details: { clientSecret: 'pi_1_secret_2' } }),
  )
const declined = () => new ApiError(402, 'Payment Required', JSON.stringify({ error: 'CARD_DECLINED', message: 'No.' }))
const method = (answer: BankAnswer = 'answered') => {
  const ask = vi.fn(async () => answer)
  return { ask, pays: { kind: 'method', paymentMethodId: 'pm_1', cardLast4: '3184', ask } satisfies PaysWith }
}
const card: PaysWith = {
  kind: 'card',
  card: { number: '4242 4242 4242 4242', expiryMonth: '12', expiryYear: '34', cvv: '123', holderName: ' Ines Moreau ' },
}

/** Sends with these answers, one after the other; `said` is what the state was told, in its order. */
async function sending(pays: PaysWith, ...answers: (Error | string)[]) {
  const said: string[] = []
  const send = vi.fn(async () => {
    const next = answers.shift()
    if (next instanceof Error) throw next
    return next
  })
  const on = { asked: () => void said.push('asked'), answered: () => void said.push('answered') }
  const result = await throughQuestion(pays, send, on).catch((error: unknown) => error)
  return { result, said, sent: send.mock.calls.length }
}

describe('R-22: the question of a bank', () => {
  it('is not there for a card that is simply held', async () => {
    const { pays, ask } = method()
    expect(await sending(pays, 'held')).toEqual({ result: 'held', said: [], sent: 1 })
    expect(ask).not.toHaveBeenCalled()
  })

  it('is shown with its secret, and the same request then tells the outcome', async () => {
    const { pays, ask } = method()
    expect(await sending(pays, asks(), 'held')).toEqual({ result: 'held', said: ['asked', 'answered'], sent: 2 })
    expect(ask).toHaveBeenCalledWith('pi_1_secret_2')
  })

  it('that was answered badly is a decline, as the server says', async () => {
    const { result } = await sending(method().pays, asks(), declined())
    expect(classifyPaymentError(result)).toMatchObject({ kind: 'payment', declined: true, message: 'No.' })
  })

  it('that is left ends the attempt, and nothing more is sent', async () => {
    const { result, sent } = await sending(method('left').pays, asks(), 'held')
    expect([result, sent]).toEqual([expect.any(QuestionLeft), 1])
    expect(classifyPaymentError(result)).toMatchObject({ kind: 'payment', answered: true, declined: false })
  })

  it('that still stands after its answer ends the attempt: it is not shown for ever', async () => {
    const { result, sent } = await sending(method().pays, asks(), asks(), 'held')
    expect(sent).toBe(2)
    expect(classifyPaymentError(result)).toMatchObject({ kind: 'payment', answered: true, declined: false })
  })

  it('cannot be shown for a card that was typed here', async () => {
    expect(await sending(card, asks(), 'held')).toMatchObject({ result: expect.any(ApiError), said: [], sent: 1 })
  })
})

describe('what is sent of a card', () => {
  it('R-22: in live mode the id of a payment method alone', () => {
    expect([instrumentOf(method().pays), last4Of(method().pays)]).toEqual([{ paymentMethodId: 'pm_1' }, '3184'])
  })

  it('in test mode the digits of the number, and the name without spaces around it', () => {
    expect(instrumentOf(card)).toMatchObject({ cardDetails: { number: '4242424242424242', holderName: 'Ines Moreau' } })
    expect(last4Of(card)).toBe('4242')
  })
})
