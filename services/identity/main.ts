import { run } from '@passerelle/kit/service'
import { identity } from './service.ts'

await run(identity)
