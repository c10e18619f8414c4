/** What an operator does for a person who asks for it: see all that a service keeps under an e-mail address, or erase it. */
import type { Connection } from 'mongoose'
import type { z } from 'zod'
import { type CommandDefinition, readEmailArguments } from './command.ts'

/** What one service keeps of people. */
export type Keeper = {
  read(email: string): Promise<object>
  /** Says in one line what was erased, and what was not. @throws UsageError */
  erase(email: string): Promise<string>
}

export function personCommand<S extends z.ZodObject>(
  service: string,
  config: S,
  keeperOf: (mongo: Connection, config: z.output<S>) => Keeper,
): CommandDefinition<S> {
  return {
    service,
    config,
    usage: `What is kept of one person, in every service with a database of its own:

  make person EMAIL=somebody@example.org            prints it as JSON
  make person EMAIL=somebody@example.org ERASE=1    erases it
  node services/${service}/person.ts --email somebody@example.org [--erase]

MONGO_URL says where (make start prints it); NAMESPACE is as for the service.`,
    async run({ args, config: settings, mongo, print }) {
      const { email, given: erase } = readEmailArguments(args, 'erase')
      const keeper = keeperOf(mongo, settings)
      print(erase ? `${service}: ${await keeper.erase(email)}` : JSON.stringify({ service, email, ...(await keeper.read(email)) }, null, 2))
    },
  }
}
