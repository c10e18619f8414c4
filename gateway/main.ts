import { run } from '@passerelle/kit/service'
import { gateway } from './service.ts'

await run(gateway)
