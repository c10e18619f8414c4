import { run } from '@passerelle/kit/run'
import { booking } from './service.ts'

await run(booking)
