import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiText } from './openapi-text.ts'
import { root } from './source-files.ts'

writeFileSync(join(root, 'gateway/openapi.json'), openApiText())
