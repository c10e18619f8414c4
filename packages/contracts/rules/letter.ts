/** A letter as plain text, and the same as HTML in the sender's colours; every text is escaped. */

export type Letter = { subject: string; text: string; html: string }

/** Text as it may stand inside an HTML element or attribute. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
const linked = (html: string) => html.replace(/https?:\/\/[^\s<&]+/g, (url) => `<a href="${url}">${url}</a>`)

/** `colours` are hex values that were checked where they were stored. */
export function letter(subject: string, sender: string, colours: { text: string; heading: string }, lines: readonly string[]): Letter {
  const body = lines.map((line) => `<p>${linked(escapeHtml(line))}</p>`).join('')
  return {
    subject,
    text: lines.join('\n\n'),
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5;color:${colours.text}"><h1 style="font-size:20px;color:${colours.heading}">${escapeHtml(sender)}</h1>${body}</body></html>`,
  }
}
