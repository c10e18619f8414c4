import { ArrowLeft, type LucideIcon, X } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react'
import { type Control, useController } from 'react-hook-form'
import type { LastSearch } from '../../../lib/last-search.ts'
import type { AirportsState } from '../../../lib/use-airports.ts'
import { usePhone } from '../../../ui/use-media.ts'
import { FieldError } from '../form/FieldError.tsx'
import type { SearchValues } from '../model/search-form.ts'
import styles from './AirportField.module.css'
import { AirportList } from './AirportList.tsx'

const MIN_QUERY = 2

type Props = {
  label: string
  icon: LucideIcon
  airports: AirportsState
  /** The form's value is an IATA code; empty while none is chosen. */
  control: Control<SearchValues, unknown, LastSearch>
  name: 'origin' | 'destination'
  className?: string | undefined
}

/** A text field with a list of airports: combobox with a list box, as the ARIA practices describe it. On a phone it fills the screen. */
export function AirportField({ label, icon: Icon, airports, control, name, className = '' }: Props) {
  const { field, fieldState } = useController({ control, name })
  const { value, onChange } = field
  const error = fieldState.error?.message
  const id = useId()
  const phone = usePhone()
  const input = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  /** null: the field shows the chosen airport. */
  const [typed, setTyped] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [sheet, setSheet] = useState(false)

  const search = airports.status === 'ready' ? airports.search : null
  const chosen = value && search ? search.byCode(value) : undefined
  const shown = typed ?? (chosen && search ? search.label(chosen) : value)
  const longEnough = (typed ?? '').trim().length >= MIN_QUERY
  const found = longEnough && search ? search.find(typed ?? '') : []
  const listOpen = open && longEnough

  function choose(code: string): void {
    onChange(code)
    setTyped(null)
    close()
  }

  function close(): void {
    setOpen(false)
    setActive(-1)
    setSheet(false)
  }

  function leave(): void {
    close()
    if (typed === null) return
    // A code typed in full is a choice; other text stays, and the form asks for one.
    const exact = search?.byCode(typed.trim())
    if (exact) choose(exact.iata_code)
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === 'Escape' && (listOpen || sheet)) {
      event.stopPropagation()
      close()
      if (typed !== null && chosen) setTyped(null)
    }
    if (event.key === 'Enter' && listOpen) {
      event.preventDefault()
      const airport = found[Math.max(active, 0)]
      if (airport) choose(airport.iata_code)
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setOpen(true)
    if (found.length === 0) return
    const step = event.key === 'ArrowDown' ? 1 : -1
    setActive((from) => (from < 0 && step < 0 ? found.length - 1 : (from + step + found.length) % found.length))
  }

  useEffect(() => {
    if (!sheet) return
    document.documentElement.style.overflow = 'hidden'
    return () => {
      document.documentElement.style.overflow = ''
    }
  }, [sheet])

  const { ref: tell } = field
  /** The form's own wish for the focus, when a search was refused: on a phone the focus would open the sheet over the message. */
  const attach = useCallback(
    (element: HTMLInputElement | null) => {
      input.current = element
      if (!element) return tell(null)
      const show = () => box.current?.scrollIntoView({ block: 'center' })
      tell({ focus: () => (phone ? show() : element.focus()), select: () => element.select() })
    },
    [tell, phone],
  )

  const listId = `${id}-list`
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches the focus leave
    <div
      ref={box}
      className={`${styles.place} ${className}`}
      data-sheet={sheet || undefined}
      onBlur={(event) => {
        if (!box.current?.contains(event.relatedTarget)) leave()
      }}
    >
      {sheet && (
        <button type="button" className={styles.back} aria-label="Close" onClick={leave}>
          <ArrowLeft size={20} strokeWidth={1.75} aria-hidden="true" />
        </button>
      )}
      <div className={styles.field} data-invalid={Boolean(error) || undefined}>
        <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
        <label htmlFor={id}>{label}</label>
        <input
          ref={attach}
          id={id}
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={listOpen}
          aria-controls={listOpen ? listId : undefined}
          aria-activedescendant={listOpen && active >= 0 ? `${id}-${active}` : undefined}
          aria-required="true"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          placeholder="City or airport"
          value={shown}
          onFocus={(event) => {
            event.currentTarget.select()
            if (phone) setSheet(true)
          }}
          onChange={(event) => {
            setTyped(event.target.value)
            setOpen(true)
            setActive(-1)
            if (value) onChange('')
          }}
          onKeyDown={onKeyDown}
        />
        {sheet && shown && (
          <button
            type="button"
            className={styles.clear}
            aria-label="Clear"
            onClick={() => {
              setTyped('')
              onChange('')
              input.current?.focus()
            }}
          >
            <X size={20} strokeWidth={1.75} aria-hidden="true" />
          </button>
        )}
      </div>
      {error && !sheet && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {listOpen && (
        <AirportList
          id={listId}
          optionId={(index) => `${id}-${index}`}
          label={`${label}: airports`}
          state={airports.status}
          found={found}
          query={typed ?? ''}
          active={active}
          onChoose={choose}
        />
      )}
    </div>
  )
}
