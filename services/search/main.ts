import { run } from '@passerelle/kit/service'
import { search } from './service.ts'

await run(search)
