/** `make dlq ARGS="list|show|redrive|drop ..."`: see dlq-command.ts for the words, dead-letters.ts for what is remembered and where. */
import { ConfigurationError } from '@passerelle/kit/configuration'
import { runDlq, USAGE, UsageError } from './dlq-command.ts'

try {
  await runDlq(process.argv.slice(2), process.env, (line) => console.log(line))
} catch (error) {
  const known = error instanceof UsageError || error instanceof ConfigurationError
  console.error(known ? `${error.message}\n\n${USAGE}` : error)
  process.exit(known ? 2 : 1)
}
