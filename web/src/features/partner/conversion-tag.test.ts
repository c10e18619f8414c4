import { describe, expect, it, vi } from 'vitest'
import { LONGEST_REPORT_MS, loadConversionTag, reportThenDial } from './conversion-tag.ts'

type Script = { src: string; onload: () => void; onerror: () => void }

/** A page that keeps the script it is given. */
function pageOfScripts() {
  const scripts: Script[] = []
  const page = {
    createElement: () => ({}) as Script,
    head: { append: (script: Script) => scripts.push(script) },
  }
  return { scripts, page: page as never }
}

describe('the conversion tag', () => {
  it('PART-08: comes from the advertiser, and reports the conversion', async () => {
    const { page, scripts } = pageOfScripts()
    const queue: { dataLayer?: unknown[] } = {}
    const loading = loadConversionTag('AW-123/label', page, queue)
    expect(scripts).toHaveLength(1)
    expect(scripts[0]).toMatchObject({ src: 'https://www.googletagmanager.com/gtag/js?id=AW-123' })
    scripts[0]?.onload()
    const done = () => undefined
    ;(await loading).report(done)
    expect(Array.from(queue.dataLayer?.at(-1) as ArrayLike<unknown>)).toEqual([
      'event',
      'conversion',
      { send_to: 'AW-123/label', event_callback: done },
    ])
  })

  it('R-79: one that is blocked fails', async () => {
    const { page, scripts } = pageOfScripts()
    const loading = loadConversionTag('AW-123', page, {})
    scripts[0]?.onerror()
    await expect(loading).rejects.toThrow('did not load')
  })
})

describe('a phone link', () => {
  const click = () => ({ preventDefault: vi.fn() })

  it('PART-08, R-79: dials by itself without a tag', () => {
    const event = click()
    const dial = vi.fn()
    reportThenDial(event, 'tel:+33', null, dial, vi.fn())
    expect(event.preventDefault).not.toHaveBeenCalled()
    expect(dial).not.toHaveBeenCalled()
  })

  it('PART-08: reports, then dials, once', () => {
    const event = click()
    const dial = vi.fn()
    const after = vi.fn()
    let done: () => void = () => undefined
    reportThenDial(
      event,
      'tel:+33',
      {
        report: (reported) => {
          done = reported
        },
      },
      dial,
      after,
    )
    expect(event.preventDefault).toHaveBeenCalledOnce()
    expect(dial).not.toHaveBeenCalled()
    done()
    after.mock.calls[0]?.[0]()
    expect(dial.mock.calls).toEqual([['tel:+33']])
  })

  it('R-79: dials after a moment when the report does not end', () => {
    const dial = vi.fn()
    const after = vi.fn()
    reportThenDial(click(), 'tel:+33', { report: () => undefined }, dial, after)
    expect(after).toHaveBeenCalledWith(expect.any(Function), LONGEST_REPORT_MS)
    expect(LONGEST_REPORT_MS).toBeLessThanOrEqual(1000)
    after.mock.calls[0]?.[0]()
    expect(dial).toHaveBeenCalledOnce()
  })

  it('R-79: dials at once when the tag throws', () => {
    const dial = vi.fn()
    const broken = () => {
      throw new Error('broken')
    }
    reportThenDial(click(), 'tel:+33', { report: broken }, dial, vi.fn())
    expect(dial).toHaveBeenCalledOnce()
  })
})
