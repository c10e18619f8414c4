import { Search } from 'lucide-react'
import type { FormEvent } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Field, Input, SelectField } from '../../../ui/Field.tsx'
import styles from './Bookings.module.css'

export type Found = { q: string | null; brand: string | null; booked: string | null }

type Props = { found: Found; brands: readonly { key: string; name: string }[]; onFind: (found: Found) => void }

/** By reference or e-mail, brand and time. */
export function FindBookings({ found, brands, onFind }: Props) {
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const value = (name: string) => String(form.get(name) ?? '').trim() || null
    onFind({ q: value('q'), brand: value('brand'), booked: value('booked') })
  }
  return (
    <search aria-label="Find bookings">
      <form className={styles.find} onSubmit={submit} key={`${found.q}|${found.brand}|${found.booked}`}>
        <Field label="Reference or e-mail">
          <span className={styles.query}>
            <Search size={20} strokeWidth={1.75} aria-hidden="true" />
            <Input
              type="search"
              name="q"
              placeholder="7KQX2M9D or name@example.com"
              defaultValue={found.q ?? ''}
              maxLength={254}
              autoCapitalize="off"
              autoComplete="off"
              spellCheck={false}
            />
          </span>
        </Field>
        <SelectField label="Brand" name="brand" defaultValue={found.brand ?? ''}>
          <option value="">All brands</option>
          {brands.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField label="Booked" name="booked" defaultValue={found.booked ?? ''}>
          <option value="">At any time</option>
          <option value="day">Last 24 hours</option>
          <option value="week">Last 7 days</option>
        </SelectField>
        <Button type="submit" variant="solid">
          Find bookings
        </Button>
      </form>
    </search>
  )
}
