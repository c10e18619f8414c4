import { type FormEvent, useId, useState } from 'react'
import { api, messageOf } from '../../lib/api-client.ts'
import { toast } from '../../ui/toaster/toast-store.ts'
import styles from './Newsletter.module.css'

/** The e-mail sign-up of the footer. */
export function Newsletter() {
  const heading = useId()
  const [sending, setSending] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    setSending(true)
    try {
      const { message } = await api.subscribe({ body: { email: String(new FormData(form).get('email')) } })
      form.reset()
      toast({ title: 'You are signed up', description: message, tone: 'positive' })
    } catch (error) {
      toast({ title: 'Sign-up failed', description: messageOf(error, 'Please try again later.'), tone: 'negative' })
    } finally {
      setSending(false)
    }
  }

  return (
    <form aria-labelledby={heading} onSubmit={(event) => void submit(event)}>
      <h2 id={heading}>Fares by e-mail</h2>
      <p className={styles.note}>Leave at any time, with one click.</p>
      <div className={styles.row}>
        <input
          type="email"
          name="email"
          required
          maxLength={254}
          aria-label="Your e-mail"
          placeholder="you@example.com"
          autoComplete="email"
        />
        <button type="submit" disabled={sending}>
          {sending ? 'Sending' : 'Sign up'}
        </button>
      </div>
    </form>
  )
}
