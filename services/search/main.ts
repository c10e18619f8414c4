import { run } from '@passerelle/kit/run'
import { search } from './service.ts'

await run(search)
