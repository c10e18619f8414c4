import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SOURCES = join(import.meta.dirname, '../../web/src')

/** The selectors that speak of `:hover` outside of every block for pointers that can hover. */
function hoverEverywhere(css: string): string[] {
  const open: string[] = []
  const found: string[] = []
  for (const [, head = '', brace] of css.matchAll(/([^{};]*)([{}]|;)/g)) {
    if (brace === '{') {
      const selector = head.trim()
      if (selector.includes(':hover') && !open.some((block) => block.includes('(hover: hover)'))) found.push(selector)
      open.push(selector)
    } else if (brace === '}') open.pop()
  }
  return found
}

test('a pointer that cannot hover leaves nothing hovered behind: every :hover stands in @media (hover: hover)', () => {
  expect(hoverEverywhere('.a:hover { color: red } @media (hover: hover) { .b:hover { color: red } }')).toEqual(['.a:hover'])
  const files = globSync('**/*.css', { cwd: SOURCES })
  expect(files.length).toBeGreaterThan(50)
  expect(
    files.flatMap((file) => hoverEverywhere(readFileSync(join(SOURCES, file), 'utf8')).map((selector) => `${file}: ${selector}`)),
  ).toEqual([])
})
