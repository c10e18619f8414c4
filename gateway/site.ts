/** The built website: static assets, and one HTML document with this host's brand. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@passerelle/contracts/error'
import { CARD_FIELDS_PATH, type CardFields } from '@passerelle/contracts/rules/card-fields'
import { acceptedEncoding } from '@passerelle/kit/compression'
import { type RequestHandler, Router } from 'express'
import expressStaticGzip from 'express-static-gzip'
import type { BrandContext } from './caller.ts'
import { BRAND_COOKIE, setCookie } from './cookies.ts'
import { faviconOf } from './favicon.ts'
import { findSession, rememberPreview, type Visitor, visitorOf } from './middleware.ts'
import { readPages } from './page.ts'
import { pageDocuments } from './page-documents.ts'
import type { SessionCache } from './session.ts'

type SiteTools = {
  brands: BrandContext
  sessions: SessionCache
  /** The site is served over https. */
  secure: boolean
  /** null: this system takes no cards in live mode. */
  cardFields: CardFields | null
}

/** @param folder of the built website */
export function site(folder: string, { brands, sessions, secure, cardFields }: SiteTools): Router {
  const router = Router()
  const template = join(folder, 'index.html')
  if (!existsSync(template)) {
    router.get('/{*path}', (_request, _response, next) => next(new AppError('NOT_FOUND', { message: 'The website has not been built.' })))
    return router
  }
  const documentOf = pageDocuments(readFileSync(template, 'utf8'), readPages(join(folder, 'pages.json')))
  // Served as a static file it would have no brand and no policy.
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
    const settings = await brands.brand(visitor.brandKey, visitor.requestId)
    rememberBrand(request.query.brand, visitor.brandKey, response)
    rememberPreview(request, response, secure)
    if (visitor.brandKey.startsWith('preview.')) response.setHeader('x-robots-tag', 'noindex')
    const signedOut = !visitor.sessionUnknown && !visitor.session?.userId
    const isCardPage = request.path === CARD_FIELDS_PATH
    const live = isCardPage && (await brands.mode(visitor.requestId)) === 'live'
    const { html, compressed, policy } = documentOf(settings, request.path, {
      signedOut,
      cardPage: isCardPage ? { fields: live ? cardFields : null } : null,
    })
    response.setHeader('content-security-policy', policy)
    if (isCardPage) response.setHeader('x-frame-options', 'SAMEORIGIN')
    response.setHeader('cache-control', 'no-cache')
    const encoding = acceptedEncoding(request)
    if (encoding) response.setHeader('content-encoding', encoding)
    response
      .vary('Accept-Encoding')
      .type('html')
      .send(encoding ? await compressed(encoding) : html)
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

/** @throws URIError on an address that cannot be decoded, before the static middleware answers it in plain text */
function isTemplate(path: string): boolean {
  return decodeURIComponent(path).endsWith('index.html')
}

/** Only where ?brand= decides, which is on localhost. */
function rememberBrand(asked: unknown, key: string, response: Parameters<RequestHandler>[1]): void {
  if (typeof asked === 'string' && asked.toLowerCase() === key) setCookie(response, { name: BRAND_COOKIE, value: key })
}

/** Names of built assets carry a hash of their content. */
function cacheForever(response: { setHeader(name: string, value: string): unknown }, path: string): void {
  if (path.includes('/assets/')) response.setHeader('cache-control', 'public, max-age=31536000, immutable')
}
