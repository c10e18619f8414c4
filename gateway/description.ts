/** The API described: as OpenAPI for programs, as a plain page for people. */

import { allContracts } from '@passerelle/contracts/http/all'
import { openApi } from '@passerelle/contracts/openapi'
import { escapeHtml } from '@passerelle/contracts/rules/letter'
import { Router } from 'express'

type Operation = {
  operationId: string
  summary: string
  tags: string[]
  'x-access': string
  responses: Record<string, { description: string }>
  requestBody?: unknown
}

function readable(document: { paths?: Record<string, Record<string, Operation>> }): string {
  const rows = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const details = JSON.stringify({ ...operation, operationId: undefined, summary: undefined, tags: undefined }, null, 2)
      return `<details><summary><b>${method.toUpperCase()} ${escapeHtml(path)}</b> ${escapeHtml(operation.summary)} <i>${operation['x-access']}</i></summary><pre>${escapeHtml(details)}</pre></details>`
    }),
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Passerelle API</title></head><body><h1>Passerelle API</h1><p>The same as <a href="/api/openapi.json">openapi.json</a>.</p>${rows.join('\n')}</body></html>`
}

export function description(): Router {
  const document = openApi(allContracts)
  const page = readable(document as Parameters<typeof readable>[0])
  const router = Router()
  router.get('/api/openapi.json', (_request, response) => {
    response.setHeader('cache-control', 'no-store')
    response.json(document)
  })
  router.get('/api/docs', (_request, response) => {
    response.setHeader('cache-control', 'no-store')
    response.setHeader('content-security-policy', "default-src 'none'")
    response.type('html').send(page)
  })
  return router
}
