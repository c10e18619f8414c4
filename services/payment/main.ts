import { run } from '@passerelle/kit/run'
import { payment } from './service.ts'

await run(payment)
