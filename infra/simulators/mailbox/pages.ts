/** The mailbox for people: a list, and one mail with its HTML in a sandboxed frame. */
import type { Message } from './messages.ts'

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

const page = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#10201e}table{width:100%;border-collapse:collapse}
th,td{text-align:left;padding:.5rem;border-bottom:1px solid #d9dddc}iframe{width:100%;height:32rem;border:1px solid #d9dddc}pre{white-space:pre-wrap;background:#f2f4f3;padding:1rem}</style>
</head><body>${body}</body></html>`

export function listPage(messages: readonly Message[]): string {
  const rows = messages.map(
    (message) =>
      `<tr><td>${escapeHtml(message.receivedAt.slice(0, 19).replace('T', ' '))}</td><td>${escapeHtml(message.to.join(', '))}</td><td><a href="/mail/${message.id}">${escapeHtml(message.subject)}</a></td></tr>`,
  )
  const table = `<table><thead><tr><th>Received</th><th>To</th><th>Subject</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  return page('Mailbox', `<h1>Mailbox</h1>${messages.length > 0 ? table : '<p>No mail yet.</p>'}`)
}

export function mailPage(message: Message): string {
  const frame = message.html ? `<iframe sandbox title="The mail as HTML" srcdoc="${escapeHtml(message.html)}"></iframe>` : ''
  return page(
    message.subject,
    `<p><a href="/">All mail</a></p><h1>${escapeHtml(message.subject)}</h1><p>To ${escapeHtml(message.to.join(', '))}, from ${escapeHtml(message.from)}</p>${frame}<h2>As plain text</h2><pre>${escapeHtml(message.text)}</pre>`,
  )
}
