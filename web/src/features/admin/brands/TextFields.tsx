import { useState } from 'react'
import { Controller, useFieldArray, useFormContext } from 'react-hook-form'
import { FIGURES } from '../../../brand/facts.ts'
import { Button } from '../../../ui/Button.tsx'
import { Switch } from '../../../ui/Choice.tsx'
import { TextareaField, TextField } from '../../../ui/Field.tsx'
import type { BrandFields } from '../model/brand-form.ts'
import styles from './Brands.module.css'
import { Part } from './LookFields.tsx'

const SWITCHES = [
  ['waitTime', 'Wait time on /expedia'],
  ['promotions', 'Promotions on /expedia'],
  ['partnerPage', 'The page /expedia'],
  ['newsletter', 'Newsletter in the footer'],
] as const

const TEXT_NAME = /^[a-z][A-Za-z0-9.-]{0,79}$/
const BUILT_IN: Readonly<Record<string, string>> = FIGURES

/** "usualRefundTime" as "Usual refund time". */
const words = (name: string) => {
  const spaced = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

export function TextFields() {
  const { register, control, formState, getValues } = useFormContext<BrandFields>()
  const { fields, append } = useFieldArray({ control, name: 'texts' })
  const { errors } = formState
  const [name, setName] = useState('')
  const [wrong, setWrong] = useState<string>()
  const all = (errors as { textsRoot?: { message?: string } }).textsRoot?.message

  function refusalOfName(wanted: string): string | undefined {
    if (!TEXT_NAME.test(wanted)) return 'This text has no valid name'
    return getValues('texts').some((row) => row.name === wanted) ? 'This text is in the list already' : undefined
  }

  function add(): void {
    const refused = refusalOfName(name.trim())
    setWrong(refused)
    if (refused) return
    append({ name: name.trim(), text: '' })
    setName('')
  }

  return (
    <>
      <Part title="Shown or not">
        {SWITCHES.map(([field, label]) => (
          <Controller
            key={field}
            control={control}
            name={`content.${field}`}
            render={({ field: { value, onChange, ref, onBlur } }) => (
              <Switch ref={ref} checked={value} onBlur={onBlur} onChange={(event) => onChange(event.target.checked)}>
                {label}
              </Switch>
            )}
          />
        ))}
        <TextField
          label="Conversion id"
          optional
          hint="Of the advertiser’s tag. It is loaded only for visitors who agree."
          error={errors.content?.conversionId?.message}
          {...register('content.conversionId')}
        />
      </Part>
      <Part title="Texts">
        <p className={styles.small}>In place of the built-in words. Plain text; empty means the built-in ones.</p>
        {all && <p className={styles.wrong}>{all}</p>}
        {fields.map((row, index) => {
          const builtIn = BUILT_IN[row.name]
          const common = { error: errors.texts?.[index]?.text?.message, ...register(`texts.${index}.text`) }
          return builtIn === undefined ? (
            <TextareaField key={row.id} label={row.name} rows={4} {...common} />
          ) : (
            <TextField key={row.id} label={words(row.name)} placeholder={builtIn} {...common} />
          )
        })}
        <div className={styles.addText}>
          <TextField
            label="Name of another text"
            hint="Such as faq.refund-time, support.bags or terms."
            value={name}
            error={wrong}
            spellCheck={false}
            autoCapitalize="none"
            onChange={(event) => setName(event.target.value)}
          />
          <Button size="sm" onClick={add}>
            Add text
          </Button>
        </div>
      </Part>
    </>
  )
}
