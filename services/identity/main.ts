import { run } from '@passerelle/kit/run'
import { identity } from './service.ts'

await run(identity)
