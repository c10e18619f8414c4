/** What must hold of every screen that is looked at. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from 'playwright/test'
import { applicationShown } from './traveller.ts'

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What fades in has no colours of its own until it is there. Spinners have no end. */
const ANIMATIONS_ENDED = `Promise.all(document.getAnimations()
  .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
  .map((one) => one.finished.catch(() => undefined))).then(() => undefined)`

/**
 * What is on the screen breaks no rule of WCAG 2.2 AA and no good practice, is named as it is shown, and does not scroll sideways. `part`
 * is a selector, `where` tells the screen.
 */
export async function expectAccessible(page: Page, where = page.url(), part = 'html'): Promise<void> {
  await applicationShown(page)
  await page.evaluate(ANIMATIONS_ENDED)
  const { violations } = await new AxeBuilder({ page })
    .include(part)
    .options({ runOnly: { type: 'tag', values: STANDARDS }, rules: { 'label-content-name-mismatch': { enabled: true } } })
    .analyze()
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${where}: ${id}: ${html.slice(0, 300)}`))).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), where).toBe(true)
}
