/** Browser storage that may be blocked or full: reading then gives null, writing is logged and ignored. */

type Area = 'local' | 'session'

function area(name: Area): Storage {
  return name === 'local' ? window.localStorage : window.sessionStorage
}

export function readText(name: Area, key: string): string | null {
  try {
    return area(name).getItem(key)
  } catch {
    return null
  }
}

export function writeText(name: Area, key: string, value: string): void {
  try {
    area(name).setItem(key, value)
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the visitor loses nothing but a convenience; who looks at the console should know why
    console.warn(`Could not save ${key}`, error)
  }
}

/** What was saved as JSON, or null when there is nothing, it is broken, or `accepts` refuses it. */
export function readJson<T>(name: Area, key: string, accepts: (value: unknown) => value is T): T | null {
  const text = readText(name, key)
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return accepts(value) ? value : null
  } catch {
    return null
  }
}

export function writeJson(name: Area, key: string, value: unknown): void {
  writeText(name, key, JSON.stringify(value))
}

export function remove(name: Area, key: string): void {
  try {
    area(name).removeItem(key)
  } catch {
    // Nothing was kept, so there is nothing to remove.
  }
}
