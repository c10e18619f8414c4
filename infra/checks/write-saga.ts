import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sagaText } from './saga-text.ts'
import { root } from './source-files.ts'

writeFileSync(join(root, 'docs/saga.md'), sagaText())
