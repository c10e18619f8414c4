/** Pictures of every screen in three brands and two widths, for people to look at; and those of the README. Run by `make screenshots`. */
import { defineConfig } from 'playwright/test'
import config from '../playwright.config.ts'

const BRANDS = ['default', 'atlas.example', 'aurora.example']
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const DESK = { viewport: { width: 1280, height: 900 } }

export default defineConfig({
  ...config,
  testDir: '.',
  testMatch: '*.pictures.ts',
  timeout: 300_000,
  projects: BRANDS.flatMap((brand) => [
    { name: `${brand} 1280`, use: DESK },
    { name: `${brand} 390`, use: PHONE },
  ]),
})
