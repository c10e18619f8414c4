/** What is around every screen: header, phone menu, tooltips and toasts. */
import { expect, type Page, test } from 'playwright/test'
import { applicationShown, logIn, registered } from './traveller.ts'

const header = (page: Page) => page.getByRole('banner')
const openMenu = (page: Page) => header(page).getByRole('button', { name: 'Open menu' })

test('GEN-11: below 768 px the layout is the one of a phone', async ({ page }) => {
  await page.goto('/faq')
  for (const [width, phone] of [
    [767, true],
    [768, false],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await expect(openMenu(page)).toBeVisible({ visible: phone })
    await expect(header(page).getByRole('navigation', { name: 'Main' })).toBeVisible({ visible: !phone })
  }
})

test('HEAD-07: on a phone the menu is a sheet with the items of the header, who is signed in, and a number to call', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/faq')
  await openMenu(page).click()
  const sheet = page.getByRole('dialog')
  const items = () => sheet.getByRole('listitem').allInnerTexts()
  await expect(sheet).toBeVisible()
  expect(await items()).toEqual(['Flights', 'My Trips', 'About', 'Contact', 'Contact us', 'Log In', 'Sign Up'])
  await expect(sheet.getByRole('link', { name: 'Contact us' })).toHaveAttribute('href', /^mailto:/)
  await expect(sheet.getByRole('link', { name: /Call us, 24\/7/ })).toHaveAttribute('href', /^tel:/)
  // It slides in.
  const box = async () => (await sheet.boundingBox()) ?? { x: 0, width: 0 }
  await expect.poll(async () => Math.round((await box()).x + (await box()).width)).toBe(390)
  expect((await box()).x).toBeGreaterThan(0)

  const account = await registered(page)
  await sheet.getByRole('link', { name: 'Log In' }).click()
  await logIn(page, account)
  await expect(page).toHaveURL('/')
  await openMenu(page).click()
  await expect(sheet.getByText(account.email)).toBeVisible()
  await expect(sheet.getByRole('heading', { name: 'Inès Moreau' })).toBeVisible()
  expect(await items()).toEqual(['Flights', 'My Trips', 'About', 'Contact', 'Contact us', 'Account Settings', 'Log Out'])
})

test('HEAD-08: beyond 10 px the header knows that the page is scrolled, and looks the same', async ({ page }) => {
  await page.goto('/faq')
  await applicationShown(page)
  const look = () =>
    header(page).evaluate((element) => {
      const style = element.ownerDocument.defaultView?.getComputedStyle(element)
      return [...(style ?? [])].map((name) => `${name}: ${style?.getPropertyValue(name)}`)
    })
  const before = await look()
  expect(before.length).toBeGreaterThan(100)
  for (const [scrolled, state] of [
    [10, 'false'],
    [11, 'true'],
    [0, 'false'],
  ] as const) {
    await page.evaluate(`window.scrollTo({ top: ${scrolled}, behavior: 'instant' })`)
    await expect.poll(() => page.evaluate('window.scrollY')).toBe(scrolled)
    await expect(header(page)).toHaveAttribute('data-scrolled', state)
    expect(await look()).toEqual(before)
  }
})

test('GEN-12: a tooltip opens after 700 ms', async ({ page }) => {
  await page.clock.install()
  await page.goto('/')
  const control = page.getByRole('button', { name: 'Swap origin and destination' })
  await expect(control).toBeVisible()
  await applicationShown(page)
  await page.clock.pauseAt(Date.now() + 60_000)
  const tooltip = page.locator('[role="tooltip"]')
  await control.hover()
  await page.clock.runFor(690)
  expect(await tooltip.count()).toBe(0)
  await page.clock.runFor(20)
  await expect(tooltip).toHaveText('Swap origin and destination')
})

test('ROUTE-04, R-103: /flight without an id leads to the results', async ({ page }) => {
  for (const address of ['/flight', '/flight/']) {
    await page.goto(address)
    await expect(page).toHaveURL(/\/search$/)
  }
})

test('toasts', async ({ page }) => {
  // Toasts go after five seconds, which are not to pass while this looks at them.
  await page.clock.install()
  await page.goto('/faq')
  await applicationShown(page)
  await page.clock.pauseAt(Date.now() + 60_000)
  const region = page.getByRole('region', { name: /^Notifications/ })
  const toast = region.locator('[data-tone]')
  const answers = [
    { status: 200, json: { success: true, message: 'Thank you.' } },
    { status: 429, json: { error: 'RATE_LIMITED', message: 'Too many.', requestId: 'r' } },
  ] as const
  const show = async (answer: (typeof answers)[number]) => {
    await page.route('**/api/newsletter', (route) => route.fulfill(answer), { times: 1 })
    await page.getByRole('contentinfo').getByLabel('Your e-mail').fill('ines@example.org')
    await page.getByRole('contentinfo').getByRole('button', { name: 'Sign up' }).click()
    await expect.poll(words).toContain(answer.json.message)
  }
  const words = async () => {
    await page.clock.runFor(20)
    return (await toast.allTextContents()).join()
  }
  const drag = async (pixels: number) => {
    const box = await toast.boundingBox()
    const [x, y] = [(box?.x ?? 0) + 120, (box?.y ?? 0) + (box?.height ?? 0) / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + pixels, y, { steps: 4 })
    await page.mouse.up()
  }
  const look = () =>
    toast.evaluate((element) => {
      const icon = element.querySelector('svg')
      return [element.ownerDocument.defaultView?.getComputedStyle(element).borderLeftColor, icon?.getAttribute('class')]
    })

  await test.step('TOAST-06: are at most 420 px wide', async () => {
    await show(answers[0])
    for (const [screen, width] of [
      [1280, 420],
      [800, 420],
      [390, 358],
    ] as const) {
      await page.setViewportSize({ width: screen, height: 900 })
      await expect.poll(async () => (await region.boundingBox())?.width).toBe(width)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  await test.step('TOAST-07: of failures look different from those of successes', async () => {
    const success = await look()
    await show(answers[1])
    const failure = await look()
    expect(failure[0]).not.toBe(success[0])
    expect(failure[1]).not.toBe(success[1])
  })

  await test.step('TOAST-05: F8 brings the focus to them', async () => {
    await expect(region).not.toBeFocused()
    await page.keyboard.press('F8')
    await expect(region).toBeFocused()
  })

  await test.step('TOAST-04: go when they are swiped to the right by more than 50 px', async () => {
    await drag(50)
    await expect(toast).toHaveCount(1)
    await drag(-80)
    await expect(toast).toHaveCount(1)
    await drag(51)
    await expect.poll(words).toBe('')
  })
})
