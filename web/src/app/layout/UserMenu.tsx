import type { User } from '@passerelle/contracts/http/identity'
import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useLocation } from '../../lib/router.ts'
import { lazyPart } from '../../ui/lazy.tsx'
import { Avatar } from './Avatar.tsx'
import styles from './UserMenu.module.css'

const AccountPanel = lazyPart(async () => (await import('./AccountPanel.tsx')).AccountPanel)

/** The signed-in visitor: a pill that opens the account's links. */
export function UserMenu({ user }: { user: User }) {
  const [open, setOpen] = useState(false)
  const [asked, setAsked] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const list = useId()
  const { key } = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes it
  useEffect(() => setOpen(false), [key])

  useEffect(() => {
    if (!open) return
    const onPointer = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [open])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches the focus leave
    <div
      ref={box}
      className={`${styles.menu} wide-only`}
      onBlur={(event) => {
        if (event.relatedTarget && !box.current?.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <button
        ref={button}
        type="button"
        className={styles.pill}
        aria-expanded={open}
        aria-controls={list}
        onPointerEnter={() => setAsked(true)}
        onFocus={() => setAsked(true)}
        onClick={() => {
          setAsked(true)
          setOpen(!open)
        }}
      >
        <Avatar user={user} />
        <span className="visually-hidden">Account: </span>
        <span className={styles.name}>{user.firstName || user.username}</span>
        <ChevronDown size={16} strokeWidth={2} aria-hidden="true" />
      </button>
      <div className={styles.panel} hidden={!open}>
        {asked && <AccountPanel id={list} user={user} waiting={null} />}
      </div>
    </div>
  )
}
