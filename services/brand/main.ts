import { run } from '@passerelle/kit/service'
import { brand } from './service.ts'

await run(brand)
