import { Search } from 'lucide-react'
import type { FormEvent } from 'react'
import { Button } from './Button.tsx'
import styles from './FindBar.module.css'

type Props = {
  label: string
  placeholder: string
  /** What was searched for last; the field starts with it. */
  query?: string
  wide?: boolean
  /** By the button or Enter; the text is trimmed. */
  onSearch: (query: string) => void
}

/** One search field with its button. */
export function FindBar({ label, placeholder, query = '', wide = false, onSearch }: Props) {
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    onSearch(String(new FormData(event.currentTarget).get('q') ?? '').trim())
  }
  return (
    <search>
      <form className={styles.bar} data-wide={wide || undefined} onSubmit={submit}>
        <div className={styles.place}>
          <Search className={styles.icon} size={20} strokeWidth={1.75} aria-hidden="true" />
          <input
            key={query}
            className={styles.input}
            type="search"
            name="q"
            aria-label={label}
            placeholder={placeholder}
            defaultValue={query}
            maxLength={100}
            enterKeyHint="search"
          />
        </div>
        <Button type="submit" variant="solid" size="lg">
          Search
        </Button>
      </form>
    </search>
  )
}
