/**
 * What the gateway is measured against: `node reference-server.ts bare|express|proxy PORT BYTES|TARGET`. bare: node:http that answers so
 * many bytes. express: Express that does. proxy: Express and http-proxy-middleware in front of TARGET.
 */
import { createServer } from 'node:http'
import express from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'

const [kind, port, given = ''] = process.argv.slice(2)
const body = Buffer.alloc(Number(given) || 1, 'a')
const type = 'application/json; charset=utf-8'

const app = express()
app.disable('x-powered-by')
app.disable('etag')
if (kind === 'proxy') app.use(createProxyMiddleware({ target: given }))
else app.get('/{*path}', (_request, response) => void response.set({ 'content-type': type, 'content-encoding': 'br' }).send(body))

const bare = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': type, 'content-encoding': 'br', 'content-length': body.length }).end(body)
})
if (kind === 'bare') bare.listen(Number(port), '127.0.0.1')
else app.listen(Number(port), '127.0.0.1')
