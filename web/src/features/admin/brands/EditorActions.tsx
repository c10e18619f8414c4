import type { ManagedBrand, Preview } from '@passerelle/contracts/http/brand-manager'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { api, messageOf } from '../../../lib/api-client.ts'
import { clockTime } from '../../../lib/format/dates.ts'
import { Button, ButtonAnchor } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { lazyOverlay } from '../../../ui/lazy.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import type { BrandFields } from '../model/brand-form.ts'
import type { BrandActions } from './use-brand-actions.ts'

const ConfirmDialog = lazyOverlay(async () => (await import('./ConfirmDialog.tsx')).ConfirmDialog)

type Props = {
  managed: ManagedBrand
  actions: BrandActions
  check: () => Promise<boolean>
  save: () => Promise<ManagedBrand | null>
}

type Asking = 'publish' | 'discard' | 'active' | null

/** What can be done with the brand as a whole. */
export function EditorActions({ managed, actions, check, save }: Props) {
  const { key, version, status, draftAt, published } = managed
  const { formState, reset, getValues } = useFormContext<BrandFields>()
  const { isDirty } = formState
  const [asking, setAsking] = useState<Asking>(null)
  const [note, setNote] = useState('')
  const params = { brandKey: key }
  const isDraft = draftAt !== null
  const close = () => setAsking(null)

  async function saveDraft(): Promise<void> {
    if (!(await check())) return
    const saved = await save()
    if (!saved) return
    reset(getValues())
    actions.show(saved, 'Draft saved')
  }

  async function publish(): Promise<void> {
    const saved = isDirty ? await save() : managed
    if (!saved) return
    const body = { version: saved.version, ...(note.trim() && { note: note.trim() }) }
    const answer = await actions.run(() => api.publishBrand({ params, body }))
    if ('brand' in answer) actions.show(answer.brand, `Version ${answer.brand.published} published`)
    else if (saved !== managed) actions.show(saved, 'Draft saved')
  }

  async function discard(): Promise<void> {
    reset()
    if (!isDraft || published === 0) return
    const answer = await actions.run(() => api.discardDraft({ params, query: { version } }))
    if ('brand' in answer) actions.show(answer.brand, 'Draft discarded')
  }

  async function setActive(active: boolean): Promise<void> {
    const answer = await actions.run(() => api.setBrandActive({ params, body: { version, active } }))
    if ('brand' in answer) actions.show(answer.brand, active ? 'Brand served again' : 'Brand deactivated')
  }

  return (
    <>
      {key !== DEFAULT_BRAND_KEY && status === 'live' && (
        <Button variant="quiet" onClick={() => setAsking('active')}>
          Deactivate
        </Button>
      )}
      {status === 'deactivated' && (
        <Button variant="quiet" busy={actions.busy} onClick={() => void setActive(true)}>
          Serve again
        </Button>
      )}
      <PreviewButton brandKey={key} unsaved={isDirty} />
      <Button disabled={!isDirty && (!isDraft || published === 0)} onClick={() => setAsking('discard')}>
        Discard
      </Button>
      <Button busy={actions.busy} disabled={!isDirty} onClick={() => void saveDraft()}>
        Save draft
      </Button>
      <Button
        variant="solid"
        disabled={actions.busy || (!isDirty && !isDraft)}
        onClick={() => void check().then((fine) => fine && setAsking('publish'))}
      >
        Publish
      </Button>
      <ConfirmDialog
        open={asking === 'publish'}
        onClose={close}
        title={`Publish version ${published + 1}?`}
        description={`${key === DEFAULT_BRAND_KEY ? 'Every host without a brand' : key} shows it within a minute. It can be rolled back.`}
        confirm="Publish now"
        onConfirm={publish}
      >
        <TextField
          label="What has changed"
          optional
          hint="Stands in the list of versions."
          maxLength={200}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'discard'}
        onClose={close}
        title="Discard the changes?"
        description={isDraft && published > 0 ? 'The draft and what is not saved are lost.' : 'What is not saved is lost.'}
        confirm="Discard changes"
        danger
        onConfirm={discard}
      />
      <ConfirmDialog
        open={asking === 'active'}
        onClose={close}
        title={`Deactivate ${managed.name}?`}
        description={`${key} then shows the default brand. Versions, bookings and mails are kept.`}
        confirm="Deactivate brand"
        danger
        onConfirm={() => setActive(false)}
      />
    </>
  )
}

type PreviewProps = {
  brandKey: string
  /** Of a version; the draft unless given. */
  number?: number
  unsaved?: boolean
}

/** Makes a test address that shows the draft or a version, then becomes the link to it. */
export function PreviewButton({ brandKey, number, unsaved = false }: PreviewProps) {
  const [preview, setPreview] = useState<Preview | null>(null)
  const [busy, setBusy] = useState(false)
  const of = number === undefined ? '' : ` of version ${number}`

  async function make(): Promise<void> {
    setBusy(true)
    try {
      const made = await api.previewBrand({ params: { brandKey }, body: number === undefined ? {} : { number } })
      setPreview(made)
      toast({ title: 'Preview ready', description: `Its test address works until ${clockTime(made.expiresAt)}.`, tone: 'info' })
    } catch (error) {
      toast({ title: 'No preview', description: messageOf(error, 'Please try again.'), tone: 'negative' })
    }
    setBusy(false)
  }

  if (preview) {
    return (
      <ButtonAnchor href={preview.path} target="_blank" rel="noopener" size={number === undefined ? 'md' : 'sm'}>
        Open preview{of && <span className="visually-hidden">{of}</span>}
      </ButtonAnchor>
    )
  }
  return (
    <Button
      busy={busy}
      size={number === undefined ? 'md' : 'sm'}
      title={unsaved ? 'Shows the saved draft, without the unsaved changes' : undefined}
      onClick={() => void make()}
    >
      Preview{of && <span className="visually-hidden">{of}</span>}
    </Button>
  )
}
