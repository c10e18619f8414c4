/** What an administrator does in the browser. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from 'playwright/test'

/** Of the system that these tests started, or of the one at BASE_URL; null: nobody can sign in as administrator. */
export const adminPassword = (): string | null => {
  const folder = process.env.E2E_DATA_DIR
  if (process.env.BASE_URL || !folder) return process.env.E2E_ADMIN_PASSWORD ?? null
  return (JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as { adminPassword: string }).adminPassword
}

export async function signInAsAdmin(page: Page, wanted: string): Promise<void> {
  await page.goto(`/login?redirect=${encodeURIComponent(wanted)}`)
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(adminPassword() ?? '')
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page).toHaveURL(wanted)
  await expect(page.getByRole('navigation', { name: 'Administration' })).toBeVisible()
}

type Managed = { version: number; brand: Record<string, object> }

/** A brand on a host of its own, made, changed and published by the calls of the brand manager. Null: the change was refused. */
export async function publishedBrand(page: Page, key: string, change: (brand: Managed['brand']) => object): Promise<string | null> {
  const login = await page.request.post('/api/auth/login', { data: { username: 'admin', password: adminPassword() } })
  expect(login.status()).toBe(200)
  const created = await page.request.post('/api/admin/brands', { data: { key, name: 'Rivage' } })
  expect(created.status(), await created.text()).toBe(201)
  const { version, brand } = (await created.json()) as Managed
  const { domain: _, ...input } = brand
  const saved = await page.request.put(`/api/admin/brands/${key}/draft`, {
    data: { version, brand: { ...input, contact: { ...brand.contact, email: 'hello@rivage.example' }, ...change(brand) } },
  })
  if (!saved.ok()) return null
  const draft = (await saved.json()) as Managed
  const published = await page.request.post(`/api/admin/brands/${key}/publish`, { data: { version: draft.version } })
  expect(published.status(), await published.text()).toBe(200)
  return key
}

let brands = 0
/** A host of this machine that has no brand yet. */
export const freshHost = () => `rivage-${Date.now().toString(36)}${(++brands).toString(36)}.localhost`

/** The address of the site on another host of this machine. */
export function siteOn(host: string, baseURL: string | undefined): string {
  const address = new URL(baseURL ?? '')
  address.hostname = host
  return address.origin
}
