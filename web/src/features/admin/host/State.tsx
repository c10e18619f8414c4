import { Check, CircleX, Clock, type LucideIcon, Minus, TriangleAlert } from 'lucide-react'
import type { Tone } from '../model/record-words.ts'
import styles from './Host.module.css'

const ICONS: Record<Tone, LucideIcon> = { ok: Check, warn: TriangleAlert, bad: CircleX, wait: Clock, off: Minus }

/** How something stands, in a colour, a sign and words. */
export function State({ tone, words }: { tone: Tone; words: string }) {
  const Icon = ICONS[tone]
  return (
    <span className={styles.state} data-tone={tone}>
      <Icon size={16} strokeWidth={2} aria-hidden="true" />
      <span>{words}</span>
    </span>
  )
}
