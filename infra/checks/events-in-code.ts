/** Which events the code publishes and consumes, and which a page says it does, read as text. */
import { isTest, read, sourceFiles } from './source-files.ts'

type Source = { path: string; text: string }

/** Each event of the contracts by its constant: `bookingConfirmed` is `booking.confirmed` of booking. */
export const contractEvents = new Map(
  sources('packages/contracts/events')
    .flatMap(({ text }) => [...text.matchAll(/export const (\w+) = event\(\s*'(\w+)',\s*'([a-z.-]+)'/g)])
    .map(([, constant = '', owner = '', name = '']) => [constant, { owner, name }] as const),
)

/** Code without tests. */
export function sources(folder: string): Source[] {
  return sourceFiles(folder)
    .filter((path) => !isTest(path))
    .map((path) => ({ path, text: read(path) }))
}

/** An event's constant as a value: whatever is done with it, in the end it is for the outbox, unless it is what `on` listens to. */
export function publishedIn(code: readonly Source[]): string[] {
  return namesOf(code, (constant) => new RegExp(`(?<!\\bon\\(\\s*)(?<!typeof )(?<![.\\w])${constant}\\b(?!\\s*:)`))
}

export function consumedIn(code: readonly Source[]): string[] {
  return namesOf(code, (constant) => new RegExp(`\\bon\\(\\s*${constant}\\b`))
}

function namesOf(code: readonly Source[], use: (constant: string) => RegExp): string[] {
  const found = [...contractEvents].filter(([constant]) =>
    code.some(({ text }) => {
      const imports = text.match(/^import [^'"]*['"]@passerelle\/contracts\/events\/[^'"]*['"].*$/gm) ?? []
      const body = text.replace(/^import [^'"]*['"][^'"]*['"].*$/gm, '').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      return imports.some((line) => new RegExp(`\\b${constant}\\b`).test(line)) && use(constant).test(body)
    }),
  )
  return found.map(([, { name }]) => name).sort()
}

/** Events that a page names: in `booking.confirmed` `.pending` the short one belongs to the owner before it. */
export function namedIn(markdown: string): string[] {
  let owner = ''
  const names = [...markdown.matchAll(/`([a-z]*)\.([a-z-]+)`/g)].map(([, named, what]) => {
    owner = named || owner
    return `${owner}.${what}`
  })
  return names.sort()
}

/** What a service's page says under `- **Publishes**` and the like, up to the next point. */
export function pointOf(page: string, title: string): string {
  return page.split(/\n(?=- \*\*)/).find((point) => point.startsWith(`- **${title}`)) ?? ''
}
