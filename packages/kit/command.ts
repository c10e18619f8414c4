/** Commands that an operator runs next to a service, with its environment and database. */
import type { Connection } from 'mongoose'
import { z } from 'zod'
import { BaseConfig, ConfigurationError, type Environment, MongoConfig, readConfiguration } from './configuration.ts'
import { createLog } from './log.ts'
import { connectMongo } from './mongo.ts'

/** Wrong arguments; the message is for the operator. */
export class UsageError extends Error {}

export type CommandDefinition<S extends z.ZodObject> = {
  /** The service whose database it uses. */
  service: string
  config: S
  usage: string
  /** Returns the exit code when it is not 0. @throws UsageError */
  run(context: { args: string[]; config: z.output<S>; mongo: Connection; print(line: string): void }): Promise<number> | Promise<void>
}

/** Returns the exit code. @throws UsageError, ConfigurationError */
export async function executeCommand<S extends z.ZodObject>(
  { service, config: own, run }: CommandDefinition<S>,
  { args, environment, print }: { args: string[]; environment: Environment; print(line: string): void },
): Promise<number> {
  const schema = z.object({ ...MongoConfig.shape, NAMESPACE: BaseConfig.shape.NAMESPACE, ...own.shape })
  const config = readConfiguration(service, schema, environment) as unknown as z.output<S> & { MONGO_URL: string; NAMESPACE: string }
  const mongo = await connectMongo(config.MONGO_URL, config.NAMESPACE + service, createLog(service, 'error'))
  try {
    return (await run({ args, config, mongo, print })) ?? 0
  } finally {
    await mongo.close()
  }
}

/** Runs it as a process: exit code 2 for wrong usage or configuration, 1 for any other failure. */
export async function runCommand<S extends z.ZodObject>(definition: CommandDefinition<S>): Promise<void> {
  try {
    process.exitCode = await executeCommand(definition, {
      args: process.argv.slice(2),
      environment: process.env,
      print(line) {
        process.stdout.write(`${line}\n`)
      },
    })
  } catch (error) {
    const known = error instanceof UsageError || error instanceof ConfigurationError
    process.stderr.write(known ? `${(error as Error).message}\n\n${definition.usage}\n` : `${(error as Error).stack}\n`)
    process.exitCode = known ? 2 : 1
  }
}
