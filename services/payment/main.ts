import { run } from '@passerelle/kit/service'
import { payment } from './service.ts'

await run(payment)
