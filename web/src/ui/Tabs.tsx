import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import styles from './Tabs.module.css'

type Tab = { value: string; label: ReactNode; content: ReactNode }

type Props = {
  label: string
  tabs: readonly Tab[]
  value?: string
  defaultValue?: string
  onChange?: (value: string) => void
  listClassName?: string | undefined
  panelClassName?: string | undefined
}

/**
 * The pattern of the ARIA guide: one tab stop, arrows, Home and End open a tab at once. Panels are rendered when first shown and kept.
 * Plain elements: Chakra's tabs would bring its styles into the first view of every screen that has some.
 */
export function Tabs({ label, tabs, value, defaultValue, onChange, listClassName = '', panelClassName }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [own, setOwn] = useState(defaultValue)
  const open = (tabs.find((tab) => tab.value === (value ?? own)) ?? tabs[0])?.value ?? ''
  const [shown, setShown] = useState<readonly string[]>([open])
  if (!shown.includes(open)) setShown([...shown, open])

  function choose(next: string): void {
    setOwn(next)
    if (next !== open) onChange?.(next)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const next = moved(
      event.key,
      tabs.findIndex((tab) => tab.value === open),
      tabs.length,
    )
    const tab = next === null ? undefined : tabs[next]
    if (next === null || !tab) return
    event.preventDefault()
    choose(tab.value)
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }

  return (
    <div>
      <div ref={list} role="tablist" aria-label={label} className={`${styles.list} ${listClassName}`} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === open}
            aria-controls={`${id}-${tab.value}-panel`}
            tabIndex={tab.value === open ? 0 : -1}
            className={styles.tab}
            onClick={() => choose(tab.value)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={`${id}-${tab.value}-panel`}
          aria-labelledby={`${id}-${tab.value}`}
          hidden={tab.value !== open}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel of text is reached by Tab, as the ARIA guide asks
          tabIndex={0}
          className={panelClassName}
        >
          {shown.includes(tab.value) && tab.content}
        </div>
      ))}
    </div>
  )
}

/** The place of the tab that a key opens; null for other keys. */
export function moved(key: string, from: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (from + 1) % count
    case 'ArrowLeft':
      return (from - 1 + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
