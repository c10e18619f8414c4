/** `make start`: everything in one process, until Ctrl-C. */
import { resolve } from 'node:path'
import { announcement } from './announcement.ts'
import { onLeave } from './leaving.ts'
import { startSystem } from './one-process.ts'

const environment = process.env
const dataDir = resolve(environment.DATA_DIR || '.data')
const began = performance.now()

if (environment.NODE_ENV === 'production') {
  console.error('This starts a development system; in production each service is a process of its own.')
  process.exit(1)
}

const system = await startSystem({
  environment,
  dataDir,
  port: Number(environment.PORT || 8080),
  adminPort: Number(environment.ADMIN_PORT || 9464),
  webDist: resolve(environment.WEB_DIST || 'web/dist'),
})

console.log(
  announcement({
    url: system.url.replace('127.0.0.1', 'localhost'),
    dataDir,
    startedMs: performance.now() - began,
    servers: system.backbone.behind,
    suppliers: system.suppliers.behind,
    adminPassword: system.secrets.isNew ? system.secrets.adminPassword : null,
  }),
)

onLeave(
  async () => {
    setTimeout(() => process.exit(1), 45_000).unref()
    await system.stop()
  },
  () => undefined,
)
