/** A key that nobody else has. Also where the address is not https, which has no `crypto.randomUUID`. */
export function freshKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
