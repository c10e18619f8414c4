/** A brand's host and sender in the brand manager: records that are missing, wrong and right, and an address that is proved by its link. */
import { expect, test } from 'playwright/test'
import { type NameServer, startNameServer } from '../../infra/simulators/dns/server.ts'
import { makeCertificate } from '../../infra/simulators/tls/certificate.ts'
import { startTlsEntrance, type TlsEntrance } from '../../infra/simulators/tls/server.ts'
import { expectAccessible } from './accessible.ts'
import { adminPassword, signInAsAdmin } from './administrator.ts'
import { ports } from './playwright.config.ts'
import { outsideWorld } from './traveller.ts'

test.skip(() => adminPassword() === null || Boolean(process.env.BASE_URL), 'the name server of this system is not ours')
test.describe.configure({ mode: 'serial' })

let dns: NameServer
let edge: TlsEntrance
test.beforeAll(async () => {
  dns = await startNameServer(ports.names)
  edge = await startTlsEntrance(ports.edge)
})
test.afterAll(async () => {
  await dns.stop()
  await edge.stop()
})

for (const width of [1280, 390]) {
  test(`host and sender of a brand are set up at ${width} px`, async ({ page, browser }) => {
    test.setTimeout(180_000)
    await page.setViewportSize({ width, height: 900 })
    const key = `rivage${Date.now().toString(36)}.example`
    const from = `hello@${key}`
    await signInAsAdmin(page, '/admin/brands')
    expect((await page.request.post('/api/admin/brands', { data: { key, name: 'Rivage' } })).status()).toBe(201)
    await page.goto(`/admin/brands/${key}`)
    await page.getByRole('tab', { name: 'Look' }).click()
    await page.getByRole('form', { name: 'Brand' }).getByLabel('Phone').fill('+33 1 00')
    await page.getByRole('tab', { name: 'Host and sender' }).click()

    const host = page.getByRole('region', { name: 'Host', exact: true })
    await expect(host.getByText('Not looked up yet').first()).toBeVisible()
    await expect(host.getByRole('listitem')).toHaveCount(4)
    const token = await host.getByText(/^passerelle-host=[0-9a-f]{24}$/).textContent()
    dns.zone = {
      [`_passerelle.${key}`]: { TXT: [token ?? ''] },
      [key]: { A: ['192.0.2.44'], AAAA: ['2001:db8:9::1'] },
    }
    await host.getByRole('button', { name: 'Check now' }).click()
    await expect(host.getByText('Right. Proves that the host is yours')).toBeVisible()
    await expect(host.getByText('Wrong: found 2001:db8:9::1. Visitors on IPv6 reach another server')).toBeVisible()
    await expect(host.getByText(`Missing. www.${key} does not open`)).toBeVisible()
    await expect(host.getByText('2 of 4 to mend')).toBeVisible()
    await expect(host.getByText('Asked for as soon as the brand is published')).toBeVisible()
    await expect(host.getByText('Asked for as soon as its record is right')).toBeVisible()

    // No authority has signed it, which a browser would tell visitors.
    edge.certificates = { [key]: makeCertificate([key], new Date('2026-01-01'), new Date('2049-02-09')) }
    await host.getByRole('button', { name: 'Check now' }).click()
    await expect(host.getByText('The one that answers is not trusted by browsers. Browsers warn visitors')).toBeVisible()

    const sender = page.getByRole('form', { name: 'Sender of mails' })
    await sender.getByLabel('From name').fill('')
    await sender.getByLabel(/^From address/).fill('nobody')
    await sender.getByRole('button', { name: 'Save sender' }).click()
    await expect(sender.getByText('Please enter a name')).toBeVisible()
    await expect(sender.getByText('Please enter a valid email address')).toBeVisible()
    await sender.getByLabel('From name').fill('Rivage')
    await sender.getByLabel(/^From address/).fill(from)
    await sender.getByRole('button', { name: 'Save sender' }).click()
    await expect(sender.getByText(`Open the link we sent to ${from}.`)).toBeVisible({ timeout: 30_000 })
    await expect(sender.getByText('Until then, mails of Rivage come from “Rivage” with no-reply@passerelle.example.')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Records of the sender' }).getByRole('listitem')).toHaveCount(2)
    await expect(page.getByText(/^(Sender saved|Records looked up)/)).toHaveCount(0, { timeout: 30_000 })
    await expectAccessible(page, `host and sender at ${width}`)
    await page.screenshot({ path: test.info().outputPath(`host-${width}.png`), fullPage: true })

    // What was typed elsewhere in the editor is still there, and can be saved after the sender was.
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByText('Draft saved')).toBeVisible()
    const saved = (await (await page.request.get(`/api/admin/brands/${key}`)).json()) as { brand: { contact: { phone: string } } }
    expect(saved.brand.contact.phone).toBe('+33 1 00')
    const world = outsideWorld
    if (!world) return
    const mail = await world.mails(page.request, from)
    const [, link = ''] = /(\/confirm-sender#[\w-]+)/.exec(mail[0]?.text ?? '') ?? []
    const reader = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage()
    await reader.goto(link)
    await expect(reader.getByRole('heading', { name: 'The sender address is confirmed' })).toBeVisible()
    await expectAccessible(reader, 'the confirmed sender')
    await reader.goto('/confirm-sender')
    await expect(reader.getByRole('heading', { name: 'This link is not complete' })).toBeVisible()
    await reader.goto(link)
    await expect(reader.getByRole('heading', { name: 'This link has expired or was used already' })).toBeVisible()
    await reader.context().close()
    await expect(page.getByRole('region', { name: 'Sender of mails' }).getByText('Proved', { exact: true })).toBeVisible({
      timeout: 30_000,
    })
    await expect(sender.getByRole('button', { name: 'Send the link again' })).toHaveCount(0)
  })
}
