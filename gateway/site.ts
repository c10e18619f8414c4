/** The built website: static assets, and one HTML document with this host's brand. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { AppError } from '@passerelle/contracts/error'
import type { BrandSettings } from '@passerelle/contracts/http/brand'
import { readBrand } from '@passerelle/contracts/rules/brand-values'
import { randomBytes } from '@passerelle/kit/runtime'
import { type RequestHandler, Router } from 'express'
import expressStaticGzip from 'express-static-gzip'
import type { BrandContext } from './caller.ts'
import { BRAND_COOKIE, setCookie } from './cookies.ts'
import { faviconOf } from './favicon.ts'
import { contentPolicy, findSession, rememberPreview, type Visitor, visitorOf } from './middleware.ts'
import { fillPage, pageAt, readPages } from './page.ts'
import type { SessionCache } from './session.ts'

/** @param secure the site is served over https */
export function site(folder: string, brands: BrandContext, sessions: SessionCache, secure: boolean): Router {
  const router = Router()
  const template = join(folder, 'index.html')
  if (!existsSync(template)) {
    router.get('/{*path}', (_request, _response, next) => next(new AppError('NOT_FOUND', { message: 'The website has not been built.' })))
    return router
  }
  const document = readFileSync(template, 'utf8')
  const pages = readPages(join(folder, 'pages.json'))
  // Served as a static file it would have no brand, nonce or policy.
  router.use((request, response, next) => (isTemplate(request.path) ? response.redirect(301, '/') : next()))
  const assets = expressStaticGzip(folder, {
    enableBrotli: true,
    orderPreference: ['br', 'gz'],
    index: false,
    serveStatic: { index: false, redirect: false, setHeaders: cacheForever },
  })
  router.get('/favicon.svg', async (_request, response) => {
    const { brandKey, requestId } = visitorOf(response)
    const favicon = faviconOf((await brands.brand(brandKey, requestId))?.brand ?? null)
    response.setHeader('cache-control', 'public, max-age=300')
    if ('file' in favicon) response.redirect(favicon.file)
    else response.type('svg').send(favicon.svg)
  })
  router.use(assets as unknown as RequestHandler)
  router.get('/{*path}', async (request, response, next) => {
    if (!isPage(request.path)) return next('router')
    await findSessionOfPage(visitorOf(response), sessions)
    next()
  })
  router.get('/{*path}', async (request, response) => {
    const visitor = visitorOf(response)
    const settings: BrandSettings | null = await brands.brand(visitor.brandKey, visitor.requestId)
    // A brand service of another release may send values that this one does not know.
    const brand = settings && readBrand(settings.brand, settings.key).brand
    const nonce = randomBytes(16).toString('base64')
    rememberBrand(request.query.brand, visitor.brandKey, response)
    rememberPreview(request, response, secure)
    if (visitor.brandKey.startsWith('preview.')) response.setHeader('x-robots-tag', 'noindex')
    response.setHeader('content-security-policy', contentPolicy(nonce, logoHosts(brand?.logo ?? ''), Boolean(brand?.content.conversionId)))
    response.setHeader('cache-control', 'no-cache')
    const signedOut = !visitor.sessionUnknown && !visitor.session?.userId
    const html = fillPage(document, { nonce, brand, page: pageAt(pages, request.path), signedOut })
    const { encoding, body } = await compressed(html, request.acceptsEncodings('br', 'gzip'))
    if (encoding) response.setHeader('content-encoding', encoding)
    response.vary('Accept-Encoding').type('html').send(body)
  })
  return router
}

/** A page is shown whatever its network has asked before: the page then asks by itself who is signed in. */
async function findSessionOfPage(visitor: Visitor, sessions: SessionCache): Promise<void> {
  try {
    await findSession(visitor, sessions)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'RATE_LIMITED')) throw error
    visitor.sessionUnknown = true
  }
}

/** Not an API call, and not a file that does not exist. */
function isPage(path: string): boolean {
  return !path.startsWith('/api/') && !path.startsWith('/internal/') && !/\.[a-z0-9]{2,5}$/i.test(path)
}

const brotli = promisify(brotliCompress)
const zipped = promisify(gzip)
/** Made for every answer, so quick counts more than small. */
const BROTLI_QUALITY = 4

async function compressed(html: string, accepted: string | false): Promise<{ encoding?: 'br' | 'gzip'; body: Buffer | string }> {
  if (accepted === 'br') {
    return { encoding: 'br', body: await brotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }) }
  }
  return accepted === 'gzip' ? { encoding: 'gzip', body: await zipped(html) } : { body: html }
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
