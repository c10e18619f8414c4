import { run } from '@passerelle/kit/service'
import { booking } from './service.ts'

await run(booking)
