/** Stripe's request bodies and queries: form encoding with brackets (`metadata[a]=1`, `expand[0]=x`, `expand[]=x`, `created[gte]=1`). */

export type Form = { [name: string]: FormValue }
export type FormValue = string | FormValue[] | Form

export const readForm = (encoded: string): Form => {
  const root: Form = Object.create(null)
  for (const [name, value] of new URLSearchParams(encoded)) {
    const [, head = name, brackets = ''] = /^([^[]+)((?:\[[^\]]*\])*)$/.exec(name) ?? []
    put(root, [head, ...Array.from(brackets.matchAll(/\[([^\]]*)\]/g), (match) => match[1] ?? '')], value)
  }
  for (const name of Object.keys(root)) root[name] = withLists(root[name] as FormValue)
  return root
}

const put = (into: Form, path: string[], value: string): void => {
  const [step = '', ...rest] = path
  const name = step === '' ? String(Object.keys(into).length) : step
  if (rest.length === 0) {
    into[name] = value
    return
  }
  const known = into[name]
  const next: Form = typeof known === 'object' && !Array.isArray(known) ? known : Object.create(null)
  into[name] = next
  put(next, rest, value)
}

/** Objects whose names are 0, 1, 2... are lists. */
const withLists = (value: FormValue): FormValue => {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const names = Object.keys(value)
  for (const name of names) value[name] = withLists(value[name] as FormValue)
  if (names.length > 0 && names.every((name, at) => name === String(at))) return names.map((name) => value[name] as FormValue)
  return value
}
