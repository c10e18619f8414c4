import { type BrandSummary, NewBrandKey } from '@passerelle/contracts/http/brand-manager'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { oneLine } from '@passerelle/contracts/rules/text'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { api } from '../../../lib/api-client.ts'
import { paths } from '../../../lib/paths.ts'
import { refusalOf } from '../../../lib/refusal.ts'
import { useNavigate } from '../../../lib/router.ts'
import { useSchemaResolver } from '../../../lib/schema-resolver.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import styles from './Brands.module.css'

const NewBrand = z.object({ name: oneLine(80, 'Please enter a name'), key: NewBrandKey, like: z.string() })
const schema = () => Promise.resolve(NewBrand)
const FIELD_OF = { BRAND_EXISTS: 'key', BRAND_NOT_FOUND: 'like' } as const
const NAMES = ['name', 'key', 'like'] as const

type Props = { open: boolean; onClose: () => void; brands: readonly BrandSummary[] }

export function CreateBrandDialog({ open, onClose, brands }: Props) {
  const id = useId()
  const navigate = useNavigate()
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: useSchemaResolver(schema),
    defaultValues: { name: '', key: '', like: DEFAULT_BRAND_KEY },
  })
  const { errors, isSubmitting } = formState

  async function submit(body: z.output<typeof NewBrand>): Promise<void> {
    try {
      const made = await api.createBrand({ body })
      void navigate(paths.adminBrand(made.key))
    } catch (error) {
      const { message, fields } = refusalOf(error, 'The brand could not be created.', FIELD_OF)
      const named = NAMES.filter((name) => fields[name])
      for (const name of named) setError(name, { message: fields[name] ?? message }, { shouldFocus: true })
      if (named.length === 0) setError('root', { message })
    }
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Create brand"
      description="It begins as a draft that visitors do not see."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} variant="solid" busy={isSubmitting}>
            Create brand
          </Button>
        </>
      }
    >
      <form id={id} className={styles.stack} noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
        {errors.root && <Alert tone="negative">{errors.root.message}</Alert>}
        <TextField label="Name" required error={errors.name?.message} {...register('name')} />
        <TextField
          label="Host name"
          required
          hint="Visitors of this host see the brand, such as flights.example.com. It cannot be changed later."
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.key?.message}
          {...register('key')}
        />
        <SelectField label="Begin with the look of" error={errors.like?.message} {...register('like')}>
          {brands.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </SelectField>
      </form>
    </Dialog>
  )
}
