/** The pictures of the README: small, and committed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from 'playwright/test'
import { signInAsAdmin } from '../administrator.ts'
import { day, enterPassengers, openOfferLike, pickAirport, resultsAddress, someone } from '../traveller.ts'

const FOLDER = join(import.meta.dirname, '../../../docs/pictures')
/** Of the picture beside the one that was taken: people look at it in a column of text. */
const WIDTH = 1000
const QUALITY = 0.72

test.skip(() => test.info().project.name !== 'default 1280', 'one brand and one width')

/** Runs in a browser, which writes WebP: a third of the PNG that Playwright takes. */
const TO_WEBP = `async ({ png, width, quality }) => {
  const picture = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob())
  const canvas = Object.assign(document.createElement('canvas'), { width, height: Math.round((picture.height * width) / picture.width) })
  const context = Object.assign(canvas.getContext('2d'), { imageSmoothingQuality: 'high' })
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/webp', quality).split(',')[1]
}`

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready')
  const png = (await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64')
  const studio = await page.context().newPage()
  const webp = await studio.evaluate(`(${TO_WEBP})(${JSON.stringify({ png, width: WIDTH, quality: QUALITY })})`)
  await studio.close()
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, `${name}.webp`), Buffer.from(String(webp), 'base64'))
}

test('home and results', async ({ page }) => {
  await page.goto('/')
  await pickAirport(page, 'From', 'Paris', 'CDG')
  await pickAirport(page, 'To', 'Lisbon', 'LIS')
  await take(page, 'home')
  await page.goto(resultsAddress('CDG', 'JFK', day(40), { returnDate: day(47), adultsCount: '2' }))
  await expect(page.getByRole('article').nth(3)).toBeVisible()
  await take(page, 'results')
})

test('the seat map', async ({ page }) => {
  await openOfferLike(page, resultsAddress('CDG', 'LIS', day(45)), ({ slices }) => slices[0]?.segments.length === 1)
  await enterPassengers(page, [someone()])
  const free = page.getByRole('grid').getByRole('button').and(page.locator(':not([aria-disabled="true"])'))
  await free.first().click()
  await expect(page.getByText('Seat Selected').first()).toBeHidden()
  await take(page, 'seats')
})

test('the brand manager', async ({ page }) => {
  await signInAsAdmin(page, '/admin/brands/aurora.example')
  await expect(page.getByRole('list', { name: 'Legibility of the colours' })).toBeVisible()
  await take(page, 'brands')
})
