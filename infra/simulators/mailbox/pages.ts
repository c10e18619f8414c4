/** The web pages: a list of mails, and one mail. Mails are strangers: their HTML is shown in a sandbox without scripts. */
import type { Message, Person } from './message.ts'

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')

const shown = ({ name, address }: Person) => escapeHtml(name === '' ? address : `${name} <${address}>`)

const withLinks = (text: string) =>
  escapeHtml(text).replaceAll(/https?:\/\/[^\s<>]+/g, (url) => `<a href="${url}" target="_blank" rel="noopener">${url}</a>`)

const time = (iso: string) => `<time datetime="${iso}">${iso.replace('T', ' ').slice(0, 19)}</time>`

const layout = (title: string, body: string, head = '') => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>${head}
<style>
  :root { color-scheme: light dark; --line: light-dark(#ddd, #444) }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .5rem; border-bottom: 1px solid var(--line); vertical-align: top }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem } dt { font-weight: 600 } dd { margin: 0; overflow-wrap: anywhere }
  iframe { width: 100%; height: 40rem; border: 1px solid var(--line); background: #fff } pre { white-space: pre-wrap; overflow-wrap: anywhere }
  form { display: flex; gap: .5rem; flex-wrap: wrap; margin-bottom: 1rem } input, button { font: inherit; padding: .25rem .5rem }
</style></head><body>${body}</body></html>`

export const listPage = (messages: Message[], filter: { to: string; subject: string }): string => {
  const rows = messages.map(
    (message) =>
      `<tr><td>${time(message.receivedAt)}</td><td>${message.envelope.to.map(escapeHtml).join('<br>')}</td>` +
      `<td><a href="/view/${message.id}">${escapeHtml(message.subject) || '(no subject)'}</a></td><td>${shown(message.from)}</td></tr>`,
  )
  const table =
    rows.length > 0
      ? `<table><thead><tr><th>Received</th><th>To</th><th>Subject</th><th>From</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`
      : '<p>No mail yet.</p>'
  return layout(
    `Mailbox (${messages.length})`,
    `<h1>Mailbox</h1><form><label>To <input name="to" value="${escapeHtml(filter.to)}"></label> ` +
      `<label>Subject <input name="subject" value="${escapeHtml(filter.subject)}"></label> <button>Filter</button></form>${table}`,
    '<meta http-equiv="refresh" content="10">',
  )
}

export const messagePage = (message: Message): string => {
  const line = (name: string, value: string) => (value === '' ? '' : `<dt>${name}</dt><dd>${value}</dd>`)
  const attachments = message.attachments
    .map((one, at) => `<a href="/messages/${message.id}/attachments/${at}">${escapeHtml(one.filename)}</a> (${one.bytes} bytes)`)
    .join('<br>')
  const html =
    message.html === ''
      ? ''
      : `<h2>HTML</h2><iframe title="The mail as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/messages/${message.id}/html"></iframe>`
  const headers = message.headers.map(({ name, value }) => `${escapeHtml(name)}: ${escapeHtml(value)}`).join('\n')
  return layout(
    message.subject,
    `<p><a href="/">All mail</a></p><h1>${escapeHtml(message.subject) || '(no subject)'}</h1><dl>` +
      line('From', shown(message.from)) +
      line('To', message.to.map(shown).join('<br>')) +
      line('Cc', message.cc.map(shown).join('<br>')) +
      line('Handed over for', message.envelope.to.map(escapeHtml).join('<br>')) +
      line('Received', time(message.receivedAt)) +
      line('Message-ID', escapeHtml(message.messageId)) +
      line('Attachments', attachments) +
      `</dl>${html}<h2>Text</h2><pre>${withLinks(message.text) || '(none)'}</pre>` +
      `<details><summary>Headers</summary><pre>${headers}</pre></details><p><a href="/messages/${message.id}/raw">As it came</a></p>`,
  )
}

/** The mail's own HTML for the sandbox; its links open in a new tab. */
export const framed = (html: string): string => `<base target="_blank">${html}`
