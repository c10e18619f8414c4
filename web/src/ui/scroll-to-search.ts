import type { MouseEvent } from 'react'

/** Of a link to #search: scrolls to the search form and puts the cursor into it, without leaving a step in the history. */
export function scrollToSearch(event: MouseEvent): void {
  const form = document.getElementById('search')
  if (!form) return
  event.preventDefault()
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  form.scrollIntoView({ behavior: still ? 'instant' : 'smooth', block: 'start' })
  form.querySelector<HTMLElement>('input[role="combobox"]')?.focus({ preventScroll: true })
}
