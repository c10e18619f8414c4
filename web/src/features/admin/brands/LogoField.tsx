import { LOGO_TYPES } from '@passerelle/contracts/rules/logo'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { api, messageOf } from '../../../lib/api-client.ts'
import { Button } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import type { BrandFields } from '../model/brand-form.ts'
import { logoRefusal } from '../model/logo-file.ts'
import styles from './Brands.module.css'

/** An address, or a file whose address the server gives. */
export function LogoField({ brandKey }: { brandKey: string }) {
  const { register, formState, setValue, setError, clearErrors } = useFormContext<BrandFields>()
  const file = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)

  async function upload(chosen: File): Promise<void> {
    const refused = logoRefusal(chosen)
    if (refused) return setError('logo', { message: refused })
    clearErrors('logo')
    setBusy(true)
    try {
      const body = new Uint8Array(await chosen.arrayBuffer())
      const { logo } = await api.uploadLogo({ params: { brandKey }, body })
      setValue('logo', logo, { shouldDirty: true })
      toast({ title: 'Logo uploaded', description: 'Save the draft to keep it.', tone: 'positive' })
    } catch (error) {
      setError('logo', { message: messageOf(error, 'The logo could not be uploaded.') })
    }
    setBusy(false)
  }

  return (
    <div className={styles.logo}>
      <TextField
        label="Logo address"
        optional
        inputMode="url"
        hint="http(s), or a path of this site. Shown at most 40 px tall; empty shows the built-in mark."
        error={formState.errors.logo?.message}
        {...register('logo')}
      />
      <input
        ref={file}
        type="file"
        hidden
        aria-label="Logo file"
        accept={LOGO_TYPES.join(',')}
        onChange={(event) => {
          const [chosen] = event.target.files ?? []
          event.target.value = ''
          if (chosen) void upload(chosen)
        }}
      />
      <Button size="sm" busy={busy} onClick={() => file.current?.click()}>
        {!busy && <Upload size={16} strokeWidth={2} aria-hidden="true" />}
        Upload a logo
      </Button>
      <p className={styles.small}>SVG, PNG or WebP, at most 200 KB.</p>
    </div>
  )
}
