/** The API described: as OpenAPI for programs, and in Swagger UI for people, who can try every call there. */
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { allContracts } from '@passerelle/contracts/http/all'
import { openApi } from '@passerelle/contracts/openapi'
import { Router } from 'express'
import { contentPolicy, inlineSources } from './content-policy.ts'

const FILES = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Passerelle API</title>
<link rel="icon" href="/api/docs/favicon-32x32.png">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs', tryItOutEnabled: true })</script>
</body>
</html>`

export function apiDocs(): Router {
  const router = Router()
  const document = openApi(allContracts)
  const policy = contentPolicy(inlineSources(page), { imageHosts: [] })
  router.get('/api/openapi.json', (_request, response) => {
    response.setHeader('cache-control', 'no-store')
    response.json(document)
  })
  router.get('/api/docs', (_request, response) => {
    response.setHeader('cache-control', 'no-store')
    response.setHeader('content-security-policy', policy)
    response.type('html').send(page)
  })
  for (const file of ASSETS) router.get(`/api/docs/${file}`, (_request, response) => response.sendFile(file, { root: FILES, maxAge: '1h' }))
  return router
}
