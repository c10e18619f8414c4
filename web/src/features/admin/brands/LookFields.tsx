import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { type ReactNode, useId } from 'react'
import { useFormContext } from 'react-hook-form'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import type { BrandFields } from '../model/brand-form.ts'
import styles from './Brands.module.css'
import { ColorField } from './ColorField.tsx'
import { LogoField } from './LogoField.tsx'

const COLORS = [
  ['primary', 'Primary', 'Buttons, opening picture, selection'],
  ['secondary', 'Secondary', 'Footer; text when primary is pale'],
  ['accent', 'Accent', 'Illustrations only'],
  ['background', 'Background', 'Page; cards follow it'],
  ['text', 'Text', 'All reading text'],
] as const

const FONTS = [
  ['Instrument Sans', 'Instrument Sans (built in)'],
  ['', 'As default'],
  ['Helvetica Neue', 'Helvetica Neue'],
  ['Georgia', 'Georgia'],
] as const

export function LookFields({ brandKey }: { brandKey: string }) {
  const { register, formState, getValues } = useFormContext<BrandFields>()
  const { name, contact, social, theme } = formState.errors
  const font = getValues('theme.font')
  return (
    <>
      <Part title="Identity">
        <TextField label="Name" required error={name?.message} {...register('name')} />
        <TextField
          label="Host"
          readOnly
          value={brandKey === DEFAULT_BRAND_KEY ? 'Every host without a brand' : brandKey}
          hint="Fixed when the brand was created."
        />
        <LogoField brandKey={brandKey} />
      </Part>
      <Part title="Colours">
        <div>
          {COLORS.map(([field, label, words]) => (
            <ColorField key={field} name={`theme.${field}`} label={label} words={words} error={theme?.[field]?.message} />
          ))}
        </div>
      </Part>
      <Part title="Typeface and contact">
        <SelectField label="Font" error={theme?.font?.message} {...register('theme.font')}>
          {FONTS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          {FONTS.every(([value]) => value !== font) && <option value={font}>{font}</option>}
        </SelectField>
        <TextField
          label="Email"
          type="email"
          hint="Messages of visitors come here."
          error={contact?.email?.message}
          {...register('contact.email')}
        />
        <TextField label="Phone" type="tel" error={contact?.phone?.message} {...register('contact.phone')} />
        <TextField label="Address" error={contact?.address?.message} {...register('contact.address')} />
      </Part>
      <Part title="Social">
        <TextField label="Facebook" optional inputMode="url" error={social?.facebook?.message} {...register('social.facebook')} />
        <TextField label="Twitter" optional inputMode="url" error={social?.twitter?.message} {...register('social.twitter')} />
        <TextField label="Instagram" optional inputMode="url" error={social?.instagram?.message} {...register('social.instagram')} />
      </Part>
    </>
  )
}

/** A group of fields under a heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId()
  return (
    <section className={styles.part} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      <div className={styles.stack}>{children}</div>
    </section>
  )
}
