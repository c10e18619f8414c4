import { describe, expect, it } from 'vitest'
import { safeRedirect } from './redirect.ts'

describe('after signing in', () => {
  it.each([
    ['/account-settings', '/account-settings'],
    ['/my-trips?tab=past#b1', '/my-trips?tab=past#b1'],
    ['/', '/'],
  ])('LOGIN-06, R-66: goes to %s', (wish, path) => {
    expect(safeRedirect(wish)).toBe(path)
  })

  it.each([null, undefined, ''])('LOGIN-05: goes home without a wish (%s)', (wish) => {
    expect(safeRedirect(wish)).toBe('/')
  })

  it.each([
    'https://other.example',
    '//other.example',
    '///other.example',
    '/\\other.example',
    '\\\\other.example',
    '/\t/other.example',
    '/\n/other.example',
    '/.//other.example',
    '/a/..//other.example',
    ' //other.example',
    'javascript:alert(1)',
    'account-settings',
    'https:/account-settings',
  ])('LOGIN-07, R-66: %j never leaves the website', (wish) => {
    expect(safeRedirect(wish)).toBe('/')
  })
})
