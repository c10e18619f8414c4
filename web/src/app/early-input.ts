/**
 * What a visitor does to the page that came with its document, before the application takes its place. Fields are known by their names
 * and labels and buttons by their words, as the new elements are others.
 */

const FIELDS = 'input, select, textarea'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/**
 * Watches until what it returns is called. That collects what was entered, focused and pressed, and returns what repeats it on the page of
 * the application, or null when there was nothing.
 */
export function watchEarlyInput(root: HTMLElement): () => ((page: HTMLElement) => void) | null {
  let pressed: string | null = null
  const onClick = (event: Event) => {
    const button = (event.target as Element).closest('button')
    if (button) pressed = nameIn(root, button)
  }
  root.addEventListener('click', onClick)

  return () => {
    root.removeEventListener('click', onClick)
    const entered = [...root.querySelectorAll<Field>(FIELDS)].filter(isChanged).map((field) => ({ name: nameIn(root, field), field }))
    const active = root.contains(document.activeElement) ? nameIn(root, document.activeElement as Element) : null
    if (entered.length === 0 && !active && !pressed) return null

    return (page) => {
      for (const { name, field } of entered) {
        const now = find<Field>(page, FIELDS, name)
        if (now) enter(now, field)
      }
      if (active) find<HTMLElement>(page, `${FIELDS}, button, a`, active)?.focus()
      if (pressed) find<HTMLElement>(page, 'button', pressed)?.click()
    }
  }
}

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((option) => option.selected !== option.defaultSelected) && field.selectedIndex > 0
  return field instanceof HTMLInputElement && isTick(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue
}

const isTick = (input: HTMLInputElement) => input.type === 'checkbox' || input.type === 'radio'

/** The setters of the prototypes: React watches those of the elements, and would take the change for one of its own. */
function enter(now: Field, early: Field): void {
  if (early instanceof HTMLInputElement && isTick(early)) {
    if ((now as HTMLInputElement).checked !== early.checked) now.click()
    return
  }
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(now), 'value')?.set?.call(now, early.value)
  now.dispatchEvent(new Event(now instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}

/** E.g. "INPUT text email E-mail #0": what the element is called, and the how-manieth of that name it is. */
function nameIn(root: HTMLElement, element: Element): string {
  const name = words(element)
  const alike = [...root.querySelectorAll(element.tagName)].filter((other) => words(other) === name)
  return `${name} #${alike.indexOf(element)}`
}

function words(element: Element): string {
  const { type = '', name = '', labels = null } = element as Partial<HTMLInputElement>
  const label = element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? (element.matches(FIELDS) ? '' : element.textContent)
  return [element.tagName, type, name, label].join(' ')
}

function find<T extends Element>(root: HTMLElement, among: string, name: string): T | undefined {
  return [...root.querySelectorAll<T>(among)].find((element) => nameIn(root, element) === name)
}
