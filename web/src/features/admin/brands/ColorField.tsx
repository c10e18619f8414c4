import { isHexColor, mix } from '@passerelle/contracts/rules/color'
import { useFormContext, useWatch } from 'react-hook-form'
import { TextField } from '../../../ui/Field.tsx'
import type { BrandFields } from '../model/brand-form.ts'
import styles from './Brands.module.css'

type Name = `theme.${'primary' | 'secondary' | 'accent' | 'background' | 'text'}`
type Props = { name: Name; label: string; words: string; error: string | undefined }

/** A colour to pick, or to type as hex. */
export function ColorField({ name, label, words, error }: Props) {
  const { register, setValue, control } = useFormContext<BrandFields>()
  const value = useWatch({ control, name })
  const picked = isHexColor(value) ? mix(value, value, 1) : '#000000'
  return (
    <div className={styles.color}>
      <input
        type="color"
        aria-label={`Pick the ${label.toLowerCase()} colour`}
        value={picked}
        onChange={(event) => setValue(name, event.target.value, { shouldDirty: true, shouldValidate: Boolean(error) })}
      />
      <TextField label={label} hint={words} error={error} maxLength={7} spellCheck={false} autoCapitalize="none" {...register(name)} />
    </div>
  )
}
