/** As a `ref`: brings what has just opened into view, moving as little as possible. */
export function reveal(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
