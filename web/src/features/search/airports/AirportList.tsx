import type { Airport } from '@passerelle/contracts/rules/airports'
import { useEffect, useRef } from 'react'
import type { AirportsState } from '../../../lib/use-airports.ts'
import styles from './AirportList.module.css'
import { matchedLetters } from './matched-letters.ts'

type Props = {
  id: string
  optionId: (index: number) => string
  label: string
  state: AirportsState['status']
  found: readonly Airport[]
  query: string
  /** Index of the row the keyboard is on; -1 when it is on none. */
  active: number
  onChoose: (code: string) => void
}

export function AirportList({ id, optionId, label, state, found, query, active, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })

  if (found.length === 0) {
    return (
      <div id={id} className={`${styles.panel} ${styles.message}`} role="status">
        {state === 'loading' && 'Loading airports...'}
        {state === 'failed' && 'Error loading airports. Please try again.'}
        {state === 'ready' && `No airports found for "${query.trim()}"`}
      </div>
    )
  }
  return (
    <div className={styles.panel}>
      <div ref={list} id={id} className={styles.list} role="listbox" aria-label={label}>
        {found.map((airport, index) => {
          const [before, match, after] = matchedLetters(airport.city_name || airport.name, query)
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the text field and moves aria-activedescendant
            <div
              key={airport.iata_code}
              id={optionId(index)}
              className={styles.option}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(airport.iata_code)}
            >
              <span className={styles.code}>{airport.iata_code}</span>
              <span className={styles.words}>
                <span>
                  {before}
                  <b>{match}</b>
                  {after}
                </span>
                <small>{airport.name}</small>
              </span>
              <small>{airport.country_code}</small>
            </div>
          )
        })}
      </div>
    </div>
  )
}
