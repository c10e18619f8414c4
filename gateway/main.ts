import { run } from '@passerelle/kit/run'
import { gateway } from './service.ts'

await run(gateway)
