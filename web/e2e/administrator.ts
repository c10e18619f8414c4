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
