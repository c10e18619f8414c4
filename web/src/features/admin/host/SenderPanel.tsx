import type { BrandSender, HostAndSender, SenderInput } from '@passerelle/contracts/http/brand-host'
import { Mail } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { api } from '../../../lib/api-client.ts'
import { refusalOf } from '../../../lib/refusal.ts'
import { useSchemaResolver } from '../../../lib/schema-resolver.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { formatMoment } from '../model/moment.ts'
import { Panel } from '../Panel.tsx'
import styles from './Host.module.css'
import { RecordList } from './RecordList.tsx'

const schema = async () => (await import('@passerelle/contracts/http/brand-host')).SenderInput
const NAMES = ['fromName', 'fromAddress', 'replyTo'] as const

type Props = {
  brandKey: string
  name: string
  sender: BrandSender
  busy: boolean
  check: () => void
  /** Sends a call and shows what came of it; throws what it was refused for. */
  run: (call: () => Promise<HostAndSender>, done: string) => Promise<void>
}

export function SenderPanel({ brandKey, name, sender, busy, check, run }: Props) {
  const { fromName, fromAddress, replyTo, proved, records } = sender
  const { register, handleSubmit, setError, formState, reset } = useForm<SenderInput>({
    resolver: useSchemaResolver(schema),
    defaultValues: { fromName, fromAddress, replyTo },
  })
  const { errors, isSubmitting, isDirty } = formState
  const params = { brandKey }

  async function save(body: SenderInput): Promise<void> {
    const done = body.fromAddress && body.fromAddress !== fromAddress ? 'Sender saved, link sent' : 'Sender saved'
    try {
      await run(() => api.saveSender({ params, body }), done)
      reset(body)
    } catch (error) {
      const { message, fields } = refusalOf(error, 'The sender could not be saved.')
      const named = NAMES.filter((field) => fields[field])
      for (const field of named) setError(field, { message: fields[field] ?? message }, { shouldFocus: true })
      if (named.length === 0) setError('root', { message })
    }
  }

  async function sendAgain(): Promise<void> {
    try {
      await run(() => api.sendSenderLink({ params, body: {} }), 'Link sent')
    } catch (error) {
      setError('root', { message: refusalOf(error, 'The link could not be sent.').message })
    }
  }

  return (
    <Panel title="Sender of mails" aside={<SenderBadge sender={sender} />}>
      <form className={styles.sender} aria-label="Sender of mails" noValidate onSubmit={(event) => void handleSubmit(save)(event)}>
        {errors.root && <Alert tone="negative">{errors.root.message}</Alert>}
        <div className={styles.pair}>
          <TextField label="From name" required error={errors.fromName?.message} {...register('fromName')} />
          <TextField
            label="From address"
            optional
            type="email"
            placeholder={sender.usedAddress}
            error={errors.fromAddress?.message}
            {...register('fromAddress')}
          />
          <TextField
            label="Reply-To"
            optional
            type="email"
            placeholder={fromAddress || sender.usedAddress}
            error={errors.replyTo?.message}
            {...register('replyTo')}
          />
        </div>
        {fromAddress !== '' && !proved && <Unproved name={name} sender={sender} />}
        <div className={styles.buttons}>
          <Button type="submit" variant={isDirty ? 'solid' : 'line'} busy={isSubmitting} disabled={!isDirty}>
            Save sender
          </Button>
          {fromAddress !== '' && !proved && (
            <Button busy={busy} onClick={() => void sendAgain()}>
              Send the link again
            </Button>
          )}
        </div>
      </form>
      {records.length > 0 && (
        <>
          <p className={styles.about}>
            Set these records where {fromAddress.split('@')[1]} is managed, so that mails from {fromAddress} are not taken for spam.
          </p>
          <RecordList label="Records of the sender" records={records} lookedAt={sender.lookedAt} busy={busy} check={check} />
        </>
      )}
    </Panel>
  )
}

function SenderBadge({ sender: { fromAddress, proved } }: { sender: BrandSender }) {
  if (fromAddress === '') return <Badge>No address of its own</Badge>
  return proved ? <Badge tone="positive">Proved</Badge> : <Badge tone="warning">Not proved</Badge>
}

/** What somebody has to do, and whom mails come from until then. */
function Unproved({ name, sender: { fromName, fromAddress, link, usedAddress } }: { name: string; sender: BrandSender }) {
  return (
    <Alert
      tone="warning"
      icon={Mail}
      role="status"
      title={link ? `Open the link we sent to ${fromAddress}.` : `A link has to be opened that we mail to ${fromAddress}.`}
    >
      {link && `Sent ${formatMoment(link.sentAt)}, good until ${formatMoment(link.expiresAt)}. `}
      Until then, mails of {name} come from “{fromName}” with {usedAddress}.
    </Alert>
  )
}
