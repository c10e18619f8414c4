import { expect, it } from 'vitest'
import { render } from '../lib/render.fixture.tsx'
import { moved, Tabs } from './Tabs.tsx'

const TABS = [
  { value: 'one', label: 'One', content: <p>First</p> },
  { value: 'two', label: 'Two', content: <p>Second</p> },
]

it('Tabs render the open panel only, and one of them is a tab stop', () => {
  const { html } = render(<Tabs label="Both" tabs={TABS} value="two" />)
  expect(html).not.toContain('First')
  expect(html).toContain('Second')
  expect(html.match(/role="tab"[^>]*tabindex="0"[^>]*>(\w+)/i)?.[1]).toBe('Two')
  expect(html.match(/role="tab"[^>]*tabindex="-1"/gi)).toHaveLength(1)
  const panel = html.match(/aria-controls="([^"]+)"[^>]*>Two/)?.[1]
  expect(html).toContain(`role="tabpanel" id="${panel}"`)
})

it('Tabs open the first one when the asked one does not exist', () => {
  expect(render(<Tabs label="Both" tabs={TABS} value="gone" />).text).toContain('First')
})

it('Tabs go round with the arrows, and to the ends with Home and End', () => {
  expect(moved('ArrowRight', 1, 2)).toBe(0)
  expect(moved('ArrowLeft', 0, 2)).toBe(1)
  expect(moved('Home', 1, 3)).toBe(0)
  expect(moved('End', 0, 3)).toBe(2)
  expect(moved('Enter', 0, 3)).toBeNull()
})
