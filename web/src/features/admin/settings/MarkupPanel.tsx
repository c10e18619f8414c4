import type { BrandMarkup } from '@passerelle/contracts/http/admin'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, messageOf } from '../../../lib/api-client.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field, Input } from '../../../ui/Field.tsx'
import { lazyOverlay } from '../../../ui/lazy.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import admin from '../Admin.module.css'
import { LoadFailed, LoadingLines } from '../LoadFailed.tsx'
import { keys } from '../model/keys.ts'
import { changesOf, type Typed } from '../model/markups.ts'
import { formatMoment } from '../model/moment.ts'
import { type Outcome, withProof } from '../model/proof.ts'
import { useNames } from '../model/use-people.ts'
import { Panel } from '../Panel.tsx'
import table from '../Table.module.css'
import styles from './SettingsPage.module.css'

const ProofDialog = lazyOverlay(async () => (await import('./ProofDialog.tsx')).ProofDialog)
const WORDS =
  'Added to the supplier’s price. New searches use it within a minute; bookings keep their price. An empty one follows the default.'

export function MarkupPanel() {
  const { data, isError, refetch } = useQuery({
    queryKey: [keys.markups],
    queryFn: ({ signal }) => api.listMarkups(undefined, { signal }),
  })
  if (data) return <MarkupForm markups={data} />
  return (
    <Panel title="Markup per brand" words={WORDS}>
      <div className={admin.part}>
        {isError ? (
          <LoadFailed words="The markups could not be loaded." retry={() => void refetch()} />
        ) : (
          <LoadingLines words="Loading markups" />
        )}
      </div>
    </Panel>
  )
}

function MarkupForm({ markups }: { markups: readonly BrandMarkup[] }) {
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState<Typed>({})
  const [refused, setRefused] = useState<Record<string, string>>({})
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const nameOf = useNames(markups.map(({ changedBy }) => changedBy))
  const { changes, errors } = changesOf(markups, typed)

  /** One after the other; those that were saved are not tried again. */
  async function saveAll(): Promise<void> {
    for (const { brandKey, value } of changes) {
      try {
        await api.changeMarkup({ params: { brandKey }, body: { markupPercent: value } })
      } catch (error) {
        setRefused({ [brandKey]: messageOf(error, 'This markup could not be saved.') })
        throw error
      }
      setTyped(({ [brandKey]: _, ...rest }) => rest)
    }
  }

  async function save(password?: string): Promise<Outcome> {
    setBusy(true)
    setRefused({})
    const outcome = await withProof(password, saveAll, () => ({
      title: 'Failed to Update',
      description: 'There was a problem saving your changes.',
    }))
    setBusy(false)
    await Promise.all([keys.markups, keys.audit].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
    if (outcome.kind === 'done') toast({ title: 'Settings Updated', description: 'The markup was saved.', tone: 'positive' })
    if (outcome.kind === 'failed') toast({ ...outcome.failure, tone: 'negative' })
    if (outcome.kind === 'password') setRefused({})
    return outcome
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (changes.length > 0 && (await save()).kind === 'password') setAsking(true)
  }

  async function confirm(password: string): Promise<string | null> {
    const outcome = await save(password)
    return outcome.kind === 'password' ? (outcome.refusal ?? 'Please enter your password again.') : null
  }

  return (
    <Panel title="Markup per brand" words={WORDS}>
      <form aria-label="Markup per brand" noValidate onSubmit={(event) => void submit(event)}>
        <table className={table.table}>
          <caption className="visually-hidden">Markup per brand</caption>
          <thead>
            <tr>
              <th scope="col">Brand</th>
              <th scope="col">Markup in percent</th>
              <th scope="col">Example</th>
              <th scope="col">Last change</th>
            </tr>
          </thead>
          <tbody>
            {markups.map((markup) => (
              <MarkupRow
                key={markup.brandKey}
                markup={markup}
                by={markup.changedBy && nameOf(markup.changedBy)}
                text={typed[markup.brandKey] ?? String(markup.markupPercent ?? '')}
                error={errors[markup.brandKey] ?? refused[markup.brandKey]}
                changed={changes.some(({ brandKey }) => brandKey === markup.brandKey)}
                onChange={(text) => setTyped({ ...typed, [markup.brandKey]: text })}
              />
            ))}
          </tbody>
        </table>
        <div className={admin.foot}>
          <span>{changes.length === 0 ? 'No changes' : changes.map(({ name, from, to }) => `${name} ${from} to ${to}`).join(', ')}</span>
          <span className={`${admin.end} ${styles.buttons}`}>
            <Button size="sm" disabled={Object.keys(typed).length === 0} onClick={() => setTyped({})}>
              Discard
            </Button>
            <Button type="submit" size="sm" variant="solid" busy={busy} disabled={changes.length === 0 || Object.keys(errors).length > 0}>
              Save markup
            </Button>
          </span>
        </div>
      </form>
      <ProofDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Save the markup"
        description={changes.map(({ name, from, to }) => `${name}: ${from} to ${to}`).join(', ')}
        cancel="Not now"
        confirm="Save markup"
        onConfirm={confirm}
      />
    </Panel>
  )
}

type RowProps = {
  markup: BrandMarkup
  /** Name of who changed it last. */
  by: string | null
  text: string
  error: string | undefined
  changed: boolean
  onChange: (text: string) => void
}

const EURO = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR', maximumFractionDigits: 2, minimumFractionDigits: 0 })

function MarkupRow({ markup, by, text, error, changed, onChange }: RowProps) {
  const { brandKey, name, status, effectivePercent, changedAt } = markup
  return (
    <tr>
      <th scope="row">
        <b>{name}</b>
        <small>
          {brandKey === DEFAULT_BRAND_KEY ? 'All hosts without a brand' : brandKey}
          {status === 'live' ? '' : `, ${status}`}
        </small>
      </th>
      <td data-label="Markup">
        <div>
          <Field label={<span className="visually-hidden">Markup of {name} in percent</span>} error={error} className={styles.percent}>
            <Input
              inputMode="decimal"
              value={text}
              placeholder={String(effectivePercent)}
              onChange={(event) => onChange(event.target.value)}
            />
          </Field>
          {text.trim() === '' && <small>{brandKey === DEFAULT_BRAND_KEY ? 'As installed' : 'As default'}</small>}
        </div>
      </td>
      <td data-label="Example" className="numerals">
        <span>
          <small>€1,000 is shown as</small>
          <b>{EURO.format(1000 + 10 * effectivePercent)}</b>
        </span>
      </td>
      <td data-label="Last change">
        {changed ? (
          <Badge tone="warning">Not saved</Badge>
        ) : (
          <span>
            {formatMoment(changedAt)}
            {by && <small>{by}</small>}
          </span>
        )}
      </td>
    </tr>
  )
}
