/** A brand with scripts, styles and addresses in all of its fields: the brand manager refuses some, and no page runs or loads the others. */
import { expect, type Page, test } from 'playwright/test'
import { adminPassword, freshHost, publishedBrand, signInAsAdmin, siteOn } from './administrator.ts'

test.skip(() => adminPassword() === null, 'the administrator’s password is not known')

const SCRIPTS = [
  '</script><script>hacked=1</script>',
  '<img src=x onerror=hacked=1>',
  '"><svg onload=hacked=1>',
  '</title><script>hacked=1</script>',
  '</style><script>hacked=1</script>',
  '[a](javascript:hacked=1)',
  '[a](https://evil.example/x" onmouseover="hacked=1)',
]
const REFUSED: [what: string, change: (brand: Record<string, object>) => object][] = [
  ['a colour that ends its rule', ({ theme }) => ({ theme: { ...theme, primary: '#fff;}body{display:none' } })],
  ['a colour that loads', ({ theme }) => ({ theme: { ...theme, accent: 'url(//evil.example)' } })],
  ['a typeface that ends its rule', ({ theme }) => ({ theme: { ...theme, font: 'x}body{display:none' } })],
  ['a logo that runs', () => ({ logo: 'javascript:hacked=1' })],
  ['a logo that opens the content policy', () => ({ logo: "https://a;script-src'unsafe-inline'" })],
  ['a link that runs', ({ social }) => ({ social: { ...social, facebook: 'javascript:hacked=1' } })],
  ['a link without a scheme', ({ social }) => ({ social: { ...social, twitter: '//evil.example' } })],
  ['a conversion id with markup', ({ content }) => ({ content: { ...content, conversionId: '"><script>' } })],
]

test('R-75, BMGR-04: the brand manager refuses colours, typefaces and addresses that could do something', async ({ page }) => {
  for (const [what, change] of REFUSED) expect(await publishedBrand(page, freshHost(), change), what).toBeNull()
})

/** Figures that stand inside sentences, and whole paragraphs. */
const TEXTS = [
  ...['freeCancellation', 'refundTime', 'usualRefundTime', 'emailReply', 'contactReply', 'expertHours', 'supportHours', 'waitTime'],
  ...['retention', 'passportValidity', 'promotion.summer', 'promotion.weekend', 'terms.who', 'about.who', 'faq.refund-time', 'home.title'],
]

/** Everything that a page tells of a script that ran, or was kept from running. */
function watch(page: Page): string[] {
  const events: string[] = []
  page.on('dialog', (dialog) => events.push(`dialog: ${dialog.message()}`))
  page.on('pageerror', (error) => events.push(`error: ${error}`))
  page.on('console', (message) => message.type() === 'error' && events.push(message.text()))
  page.on('request', (request) => /evil\.example/.test(request.url()) && events.push(request.url()))
  return events
}

test('R-75: texts of a brand with markup in them are text on every page, also for the administrator', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(180_000)
  const texts = Object.fromEntries(TEXTS.map((name, place) => [name, SCRIPTS[place % SCRIPTS.length] ?? '']))
  const host = freshHost()
  const name = `Rivage ${SCRIPTS[0]}`
  const published = await publishedBrand(page, host, ({ contact, content }) => ({
    name,
    contact: { ...contact, phone: '"><svg onload=hacked=1>', address: SCRIPTS[1] },
    content: { ...content, texts },
  }))
  expect(published).toBe(host)

  const visitor = await (await browser.newContext({ baseURL: siteOn(host, baseURL) })).newPage()
  const events = watch(visitor)
  for (const path of ['/about', '/terms', '/faq', '/contact', '/expedia', '/']) {
    await visitor.goto(path)
    await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await visitor.evaluate('typeof hacked'), path).toBe('undefined')
  }
  expect(events).toEqual([])
  await expect(visitor).toHaveTitle(`${name}: flights at the price you see`)
  await expect(visitor.getByRole('banner')).toContainText(name)

  await page.context().clearCookies()
  await signInAsAdmin(page, '/admin-settings')
  const seen = watch(page)
  for (const path of ['/admin/brands', `/admin/brands/${host}`]) {
    await page.goto(path)
    await expect(page.getByRole('main').getByText(name).first()).toBeAttached()
    expect(await page.evaluate('typeof hacked'), path).toBe('undefined')
  }
  expect(seen).toEqual([])
})
