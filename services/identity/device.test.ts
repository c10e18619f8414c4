import { expect, test } from 'vitest'
import { deviceOf } from './device.ts'

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36', 'Chrome on Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Safari on macOS',
  ],
  ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
])('a device is named by its browser and system: %s', (userAgent, device) => expect(deviceOf(userAgent)).toBe(device))

test.each([undefined, '', 'curl/8.5.0', '<script>alert(1)</script>/1.0 x', `Camille Moreau's phone/1.0`, 'A'.repeat(100_000)])(
  'a client’s own words are never kept: %s',
  (userAgent) => expect(deviceOf(userAgent)).toBeNull(),
)
