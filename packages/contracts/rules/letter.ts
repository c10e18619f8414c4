/** A letter as plain text, and the same as HTML in the brand's colours; every text is escaped. */
import { type BrandColors, deriveBrand } from './brand.ts'

const PAPER = '#ffffff'

export type Letter = { subject: string; text: string; html: string }

/** Text as it may stand inside an HTML element or attribute. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
const linked = (html: string) => html.replace(/https?:\/\/[^\s<&]+/g, (url) => `<a href="${url}">${url}</a>`)

/** Mails are white whatever the pages of the brand are, so its colours are shown as they can be read there. */
export function letter(subject: string, brand: { name: string; theme: BrandColors }, lines: readonly string[]): Letter {
  const colors = deriveBrand({ ...brand.theme, background: PAPER })
  const body = lines.map((line) => `<p>${linked(escapeHtml(line))}</p>`).join('')
  return {
    subject,
    text: lines.join('\n\n'),
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5;background:${PAPER};color:${colors.ink}"><h1 style="font-size:20px;color:${colors['brand-text']}">${escapeHtml(brand.name)}</h1>${body}</body></html>`,
  }
}
