import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitoringFiles } from './monitoring.ts'

const root = new URL('../..', import.meta.url).pathname
for (const [path, text] of Object.entries(monitoringFiles(root))) writeFileSync(join(root, path), text)
