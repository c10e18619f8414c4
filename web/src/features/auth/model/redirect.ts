/** Where somebody goes after signing in: only ever to a path of this website. */

const HERE = 'https://this.site'

/** The wish as a path of ours with its query and fragment; anything that could leave the website becomes "/". */
export function safeRedirect(wish: string | null | undefined): string {
  if (!wish?.startsWith('/') || wish.startsWith('//')) return '/'
  let target: URL
  try {
    target = new URL(wish, HERE)
  } catch {
    return '/'
  }
  // Browsers read a backslash as a slash, drop tabs and newlines, and resolve dots: judge what they would make of it.
  const path = target.pathname + target.search + target.hash
  return target.origin === HERE && !path.startsWith('//') ? path : '/'
}
