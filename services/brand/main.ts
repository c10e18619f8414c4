import { run } from '@passerelle/kit/run'
import { brand } from './service.ts'

await run(brand)
