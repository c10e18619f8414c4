import { LOGO_BYTES, LOGO_TYPES } from '@passerelle/contracts/rules/logo'

/** Why the server would refuse this file, or null. */
export function logoRefusal({ size, type }: Pick<File, 'size' | 'type'>): string | null {
  if (!(LOGO_TYPES as readonly string[]).includes(type)) return 'A logo must be an SVG, PNG or WebP image.'
  if (size === 0) return 'This file is empty.'
  if (size > LOGO_BYTES) return `A logo has at most ${LOGO_BYTES / 1024} KB; this one has ${Math.ceil(size / 1024)} KB.`
  return null
}
