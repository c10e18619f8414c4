/** Uploaded logos: recognised by their bytes, and SVG reduced to shapes, colours and text. */
import { createHash } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import { LOGO_BYTES, type LOGO_TYPES } from '@passerelle/contracts/rules/logo'
import { imageSize } from 'image-size'
import sanitizeHtml from 'sanitize-html'

export type Logo = { file: string; type: (typeof LOGO_TYPES)[number]; bytes: Buffer }

const MOST_PIXELS_A_SIDE = 4096
const TYPES = { svg: 'image/svg+xml', png: 'image/png', webp: 'image/webp' } as const

/** @throws LOGO_REFUSED */
export function readLogo(uploaded: Uint8Array): Logo {
  if (uploaded.length === 0 || uploaded.length > LOGO_BYTES) throw new AppError('LOGO_REFUSED')
  const kind = kindOf(uploaded)
  const bytes = kind === 'svg' ? Buffer.from(cleanSvg(new TextDecoder().decode(uploaded))) : Buffer.from(uploaded)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  return { file: `${hash}.${kind}`, type: TYPES[kind], bytes }
}

function kindOf(bytes: Uint8Array): keyof typeof TYPES {
  try {
    const { type = '', width, height } = imageSize(bytes)
    if (!Object.hasOwn(TYPES, type)) throw new AppError('LOGO_REFUSED')
    if (type !== 'svg' && Math.max(width, height) > MOST_PIXELS_A_SIDE)
      throw new AppError('LOGO_REFUSED', { message: `A logo is at most ${MOST_PIXELS_A_SIDE} pixels wide and high.` })
    return type as keyof typeof TYPES
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('LOGO_REFUSED', { cause })
  }
}

const SHAPES = ['svg', 'g', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan', 'title', 'desc', 'use']
const DEFINITIONS = ['defs', 'symbol', 'linearGradient', 'radialGradient', 'stop', 'clipPath', 'mask']
const PAINT = [
  'fill',
  'fill-opacity',
  'fill-rule',
  'stroke',
  'stroke-width',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-miterlimit',
  'stroke-dasharray',
  'stroke-opacity',
  'opacity',
  'stop-color',
  'stop-opacity',
  'clip-rule',
  'color',
  'display',
  'font-family',
  'font-size',
  'font-weight',
  'letter-spacing',
  'text-anchor',
]
const GEOMETRY = [
  'xmlns',
  'viewBox',
  'width',
  'height',
  'preserveAspectRatio',
  'x',
  'y',
  'x1',
  'y1',
  'x2',
  'y2',
  'cx',
  'cy',
  'r',
  'rx',
  'ry',
  'fx',
  'fy',
  'd',
  'dx',
  'dy',
  'points',
  'offset',
  'transform',
  'gradientUnits',
  'gradientTransform',
  'clipPathUnits',
  'maskUnits',
  'id',
  'role',
]
/** May name another part of the same picture, and nothing else. */
const REFERENCES = ['href', 'xlink:href', 'clip-path', 'mask']
const SVG = 'http://www.w3.org/2000/svg'
const OWN_PART = /^(#[\w-]+|url\(\s*["']?#[\w-]+["']?\s*\))$/
const PLAIN_STYLE = /^(?!.*url)[#\w.,%()\s-]{1,100}$/i

/** @throws LOGO_REFUSED when nothing to be shown is left */
export function cleanSvg(text: string): string {
  const clean = sanitizeHtml(text, {
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false, recognizeSelfClosing: true },
    allowedTags: [...SHAPES, ...DEFINITIONS],
    allowedAttributes: { '*': [...PAINT, ...GEOMETRY, ...REFERENCES, 'style'] },
    allowedStyles: { '*': Object.fromEntries(PAINT.map((name) => [name, [PLAIN_STYLE]])) },
    // What stands in these is dropped with them.
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'foreignObject', 'iframe', 'metadata', 'annotation-xml'],
    allowedSchemes: [],
    allowProtocolRelative: false,
    transformTags: {
      '*': (tagName, attribs) => ({
        tagName,
        attribs: tagName === 'svg' ? { ...withoutAddresses(attribs), xmlns: SVG } : withoutAddresses(attribs),
      }),
    },
  }).trim()
  if (!clean.startsWith('<svg') || !clean.endsWith('</svg>')) throw new AppError('LOGO_REFUSED')
  return clean
}

function withoutAddresses(attribs: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attribs).filter(([name, value]) => {
      if (REFERENCES.includes(name)) return OWN_PART.test(value)
      return !/url\s*\(|[:\\]\s*\/\/|script:|data:/i.test(value) || name === 'xmlns' || (PAINT.includes(name) && OWN_PART.test(value))
    }),
  )
}
