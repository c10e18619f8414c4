import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { contentPolicy, inlineSources } from './content-policy.ts'

const sourceOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`
const inline = { scripts: ["'sha256-script'"], styles: ["'sha256-style'"] }
const policy = (hosts: string[]) =>
  Object.fromEntries(
    contentPolicy(inline, hosts)
      .split('; ')
      .map((line) => [line.split(' ')[0], line.split(' ').slice(1)]),
  )

describe('the content policy', () => {
  test('lets scripts and styles come from here or be named by their hash, and nothing else be inline', () => {
    expect(policy([])).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'self'", "'sha256-script'"],
      'style-src': ["'self'", sourceOf(''), "'sha256-style'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      'connect-src': ["'self'"],
      'form-action': ["'self'"],
      'manifest-src': ["'self'"],
      'base-uri': ["'none'"],
      'object-src': ["'none'"],
      'frame-ancestors': ["'none'"],
    })
    expect(contentPolicy(inline, [])).not.toContain('unsafe')
  })

  test('R-79: lets the advertiser’s tag in only for a brand that has one', () => {
    expect(contentPolicy(inline, [])).not.toContain('google')
    const withTag = contentPolicy(inline, [], true)
    expect(withTag).toContain("script-src 'self' 'sha256-script' https://www.googletagmanager.com")
    expect(withTag).toContain("connect-src 'self' https://www.googletagmanager.com")
    expect(withTag).toContain('frame-src https://www.googletagmanager.com')
    expect(withTag).not.toContain('unsafe')
  })

  test('adds the origin of a logo to the pictures alone', () => {
    expect(policy(['https://cdn.example.org'])['img-src']).toEqual(["'self'", 'data:', 'https://cdn.example.org'])
    expect(policy(['https://cdn.example.org'])['script-src']).toEqual(["'self'", "'sha256-script'"])
  })
})

describe('what a page of ours has inline', () => {
  test('are its scripts and styles with a text, and those that it is told', () => {
    const page =
      '<style>a{}</style><style id="x"></style><script>one()</script><script src="/a.js"></script><script type="application/json">1</script>'
    expect(inlineSources(page, ['b{}'])).toEqual({ scripts: [sourceOf('one()')], styles: [sourceOf('a{}'), sourceOf('b{}')] })
  })
})
