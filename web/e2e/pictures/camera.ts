/** Takes pictures into screenshots/<brand>/<name>-<width>.png. */
import { join } from 'node:path'
import { test as base, type Page } from 'playwright/test'

const FOLDER = join(import.meta.dirname, '../../../screenshots')

/** The brand and width of the project that runs. */
function setting(): { brand: string; width: string } {
  const [brand = '', width = ''] = base.info().project.name.split(' ')
  return { brand, width }
}

export const isPhone = () => setting().width === '390'

/** `page` has visited its project's brand, which a cookie then carries on. */
export const test = base.extend<{ page: Page }>({
  page: async ({ page }, use) => {
    await page.goto(`/?brand=${setting().brand}`)
    await use(page)
  },
})

/** What is loaded is shown as it is; the whole page unless only what is in view is wanted, as with a dialog. */
export async function take(page: Page, name: string, fullPage = true): Promise<void> {
  const { brand, width } = setting()
  await page.evaluate('document.fonts.ready')
  await page.screenshot({ path: join(FOLDER, brand, `${name}-${width}.png`), fullPage, animations: 'disabled', caret: 'hide' })
}
