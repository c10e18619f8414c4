/** The built website: static assets, and one HTML document with this host's brand. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@passerelle/contracts/error'
import type { Brand, BrandSettings } from '@passerelle/contracts/http/brand'
import { brandCss, deriveBrand } from '@passerelle/contracts/rules/brand'
import { readBrand } from '@passerelle/contracts/rules/brand-values'
import { escapeHtml } from '@passerelle/contracts/rules/letter'
import { randomBytes } from '@passerelle/kit/runtime'
import { type RequestHandler, Router } from 'express'
import expressStaticGzip from 'express-static-gzip'
import type { BrandContext } from './caller.ts'
import { BRAND_COOKIE, setCookie } from './cookies.ts'
import { contentPolicy, rememberPreview, visitorOf } from './middleware.ts'

/** JSON inside a script element must not be able to end it. */
const inScript = (value: unknown) => JSON.stringify(value).replace(/</g, '\\u003c')

/** The template with its placeholders filled; `brand` null leaves the defaults of the page. */
export function fillPage(template: string, nonce: string, brand: Brand | null): string {
  const page = template.replaceAll('__NONCE__', nonce)
  if (!brand) return page
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(brand.name)} - Flight Booking</title>`)
    .replace(
      /(<style id="brand-css"[^>]*>)[^<]*(<\/style>)/,
      (_, open: string, close: string) => open + brandCss(deriveBrand(brand.theme), { font: brand.theme.font }) + close,
    )
    .replace(/(<script[^>]*id="brand"[^>]*>)[^<]*(<\/script>)/, (_, open: string, close: string) => open + inScript(brand) + close)
}

/** @param secure the site is served over https */
export function site(folder: string, brands: BrandContext, secure: boolean): Router {
  const router = Router()
  const template = join(folder, 'index.html')
  if (!existsSync(template)) {
    router.get('/{*path}', (_request, _response, next) => next(new AppError('NOT_FOUND', { message: 'The website has not been built.' })))
    return router
  }
  const page = readFileSync(template, 'utf8')
  // Served as a static file it would have no brand, nonce or policy.
  router.use((request, response, next) => (isTemplate(request.path) ? response.redirect(301, '/') : next()))
  const assets = expressStaticGzip(folder, {
    enableBrotli: true,
    orderPreference: ['br', 'gz'],
    index: false,
    serveStatic: { index: false, redirect: false, setHeaders: cacheForever },
  })
  router.use(assets as unknown as RequestHandler)
  router.get('/{*path}', async (request, response, next) => {
    if (request.path.startsWith('/api/') || request.path.startsWith('/internal/') || /\.[a-z0-9]{2,5}$/i.test(request.path)) return next()
    const visitor = visitorOf(response)
    const settings: BrandSettings | null = await brands.brand(visitor.brandKey, visitor.requestId)
    // A brand service of another release may send values that this one does not know.
    const brand = settings && readBrand(settings.brand, settings.key).brand
    const nonce = randomBytes(16).toString('base64')
    rememberBrand(request.query.brand, visitor.brandKey, response)
    rememberPreview(request, response, secure)
    if (visitor.brandKey.startsWith('preview.')) response.setHeader('x-robots-tag', 'noindex')
    response.setHeader('content-security-policy', contentPolicy(nonce, logoHosts(brand?.logo ?? '')))
    response.setHeader('cache-control', 'no-cache')
    response.type('html').send(fillPage(page, nonce, brand))
  })
  return router
}

/** @throws URIError on an address that cannot be decoded, before the static middleware answers it in plain text */
function isTemplate(path: string): boolean {
  return decodeURIComponent(path).endsWith('index.html')
}

/** Only where ?brand= decides, which is on localhost. */
function rememberBrand(asked: unknown, key: string, response: Parameters<RequestHandler>[1]): void {
  if (typeof asked === 'string' && asked.toLowerCase() === key) setCookie(response, { name: BRAND_COOKIE, value: key })
}

function logoHosts(logo: string): string[] {
  return /^https?:/.test(logo) ? [new URL(logo).origin] : []
}

/** Names of built assets carry a hash of their content. */
function cacheForever(response: { setHeader(name: string, value: string): unknown }, path: string): void {
  if (path.includes('/assets/')) response.setHeader('cache-control', 'public, max-age=31536000, immutable')
}
