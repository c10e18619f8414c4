import type { AdminMessage } from '@passerelle/contracts/http/messages'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { api } from '../../../lib/api-client.ts'
import { mail, telephone } from '../../../lib/paths.ts'
import { refusalOf } from '../../../lib/refusal.ts'
import { Link } from '../../../lib/router.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { TextareaField } from '../../../ui/Field.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import { LoadFailed, LoadingLines } from '../LoadFailed.tsx'
import { keys } from '../model/keys.ts'
import { formatMoment } from '../model/moment.ts'
import { useAdminAccess } from '../model/use-admin-access.ts'
import { useNames } from '../model/use-people.ts'
import styles from './Messages.module.css'
import { sourceOf, topicOf } from './message-words.ts'

export function MessageDetail({ id, back }: { id: string; back: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [keys.messages, 'one', id],
    queryFn: ({ signal }) => api.getMessage({ params: { id } }, { signal }),
  })
  useAdminAccess(error)
  return (
    <div>
      <p className={styles.back}>
        <ArrowLeft size={16} strokeWidth={2} aria-hidden="true" />
        <Link to={back}>All messages</Link>
      </p>
      {error && <LoadFailed words="This message could not be loaded." retry={() => void refetch()} />}
      {!data && !error && <LoadingLines words="Loading the message" />}
      {data && <Letter message={data} />}
    </div>
  )
}

export function Letter({ message }: { message: AdminMessage }) {
  const { name, email, phone, preferredContact, receivedAt, acknowledged, reference, destination, state, answers } = message
  const nameOf = useNames([message.answeredBy, ...answers.map(({ by }) => by)])
  return (
    <article className="card" aria-label={topicOf(message)}>
      <div className={styles.head}>
        <h2>{topicOf(message)}</h2>
        <Badge tone={state === 'new' ? 'brand' : 'positive'}>{state === 'new' ? 'New' : 'Answered'}</Badge>
      </div>
      <dl className={styles.facts}>
        <Fact name="From">
          {name}
          <br />
          <a href={mail(email)}>{email}</a>
          {phone && (
            <>
              <br />
              <a href={telephone(phone)}>{phone}</a>
            </>
          )}
          {preferredContact === 'phone' && <small>Would like to be called</small>}
        </Fact>
        <Fact name="Came in by">
          {sourceOf(message)}
          <small>
            {formatMoment(receivedAt)}, {acknowledged ? 'acknowledged by mail' : 'not acknowledged: this address wrote often that day'}
          </small>
        </Fact>
        {reference && <Fact name="Booking">{reference}</Fact>}
        {destination && <Fact name="Destination">{destination}</Fact>}
        {state === 'answered' && (
          <Fact name="Answered">
            {nameOf(message.answeredBy)}, {formatMoment(message.answeredAt)}
          </Fact>
        )}
      </dl>
      <p className={styles.text}>{message.message}</p>
      {answers.map((answer) => (
        <section key={answer.at} className={styles.answer} aria-label={`Answer of ${formatMoment(answer.at)}`}>
          <p className={styles.by}>
            {nameOf(answer.by)}, {formatMoment(answer.at)}
          </p>
          <p className={styles.text}>{answer.text}</p>
        </section>
      ))}
      <AnswerForm message={message} />
    </article>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function AnswerForm({ message: { id, state, name } }: { message: AdminMessage }) {
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<ReturnType<typeof refusalOf> | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  useAdminAccess(failure)

  async function run(call: () => Promise<AdminMessage>, done: string): Promise<boolean> {
    setBusy(true)
    setRefusal(null)
    try {
      queryClient.setQueryData([keys.messages, 'one', id], await call())
      void queryClient.invalidateQueries({ queryKey: [keys.messages, 'list'] })
      void queryClient.invalidateQueries({ queryKey: [keys.messages, 'count'] })
      void queryClient.invalidateQueries({ queryKey: [keys.audit] })
      toast({ title: done, tone: 'positive' })
      return true
    } catch (error) {
      setRefusal(refusalOf(error, 'This could not be saved. Please try again.'))
      setFailure(error)
      return false
    } finally {
      setBusy(false)
    }
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (text.trim() === '') return setRefusal({ message: '', fields: { text: 'Please enter your answer' } })
    if (await run(() => api.answerMessage({ params: { id }, body: { text } }), 'Answer sent')) setText('')
  }

  const other = state === 'new' ? 'answered' : 'new'
  return (
    <form className={styles.form} aria-label="Answer" noValidate onSubmit={(event) => void submit(event)}>
      {refusal?.message && !refusal.fields.text && <Alert tone="negative">{refusal.message}</Alert>}
      <TextareaField
        label="Your answer"
        required
        hint={`Mailed to ${name} from the brand, with the message quoted below it.`}
        error={refusal?.fields.text}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className={styles.actions}>
        <Button type="submit" variant="solid" busy={busy}>
          Send answer
        </Button>
        <Button
          disabled={busy}
          onClick={() => void run(() => api.setMessageState({ params: { id }, body: { state: other } }), `Marked as ${other}`)}
        >
          Mark as {other}
        </Button>
        {state === 'new' && <span className="muted">For an answer given by phone</span>}
      </div>
    </form>
  )
}
