/** Buttons, and links that look like buttons. Plain elements: every page shows them before anything else has loaded. */
import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, MouseEvent } from 'react'
import { Link } from '../lib/router.ts'
import styles from './Button.module.css'

type Look = {
  /** One solid button a view; soft and line beside it, quiet for what can be left alone, danger for what cannot be undone. */
  variant?: 'solid' | 'soft' | 'line' | 'quiet' | 'danger' | 'dangerLine' | undefined
  size?: 'sm' | 'md' | 'lg' | undefined
  full?: boolean | undefined
}

function lookOf({ variant = 'line', size = 'md', full = false }: Look, className = ''): string {
  const names = [styles.button, styles[variant], size !== 'md' && styles[size], full && styles.full, className]
  return names.filter(Boolean).join(' ')
}

type ButtonProps = ComponentProps<'button'> &
  Look & {
    /** Shows a turning icon beside the label and refuses presses. The focus stays on it. */
    busy?: boolean
  }

export function Button({ variant, size, full, className, busy = false, onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={lookOf({ variant, size, full }, className)}
      aria-disabled={busy || undefined}
      {...rest}
      onClick={busy ? refuse : onClick}
    >
      {busy && <LoaderCircle className={styles.turning} size={16} strokeWidth={2} aria-hidden="true" />}
      {children}
    </button>
  )
}

/** Also keeps a form from being sent a second time. */
function refuse(event: MouseEvent): void {
  event.preventDefault()
}

/** To a screen of this website. */
export function ButtonLink({ variant, size, full, className, ...rest }: ComponentProps<typeof Link> & Look) {
  return <Link className={lookOf({ variant, size, full }, className)} {...rest} />
}

/** To somewhere else: mailto, tel, another site. */
export function ButtonAnchor({ variant, size, full, className, ...rest }: ComponentProps<'a'> & Look) {
  return <a className={lookOf({ variant, size, full }, className)} {...rest} />
}

/** 44 x 44 with an icon alone; `aria-label` says what it does. */
export function IconButton({ className = '', ...rest }: ComponentProps<'button'> & { 'aria-label': string }) {
  return <button type="button" className={`${styles.icon} ${className}`} {...rest} />
}

export function IconAnchor({ className = '', ...rest }: ComponentProps<'a'>) {
  return <a className={`${styles.icon} ${className}`} {...rest} />
}

/** A button in a line of text. */
export function LinkButton({ className = '', ...rest }: ComponentProps<'button'>) {
  return <button type="button" className={`${styles.link} ${className}`} {...rest} />
}
