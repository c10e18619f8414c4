/** What an operator does for a person who asks for it: see all that a service keeps of them, or erase it, after a look at what that would be. */
import { parseArgs } from 'node:util'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import type { Connection } from 'mongoose'
import { z } from 'zod'
import { type Caller, systemCaller } from './auth.ts'
import { type CommandDefinition, UsageError } from './command.ts'
import { randomId } from './runtime.ts'

/**
 * `userId`: of the account with the address, as identity tells it; null: there is none, or it was not said. `paymentIds`: of the bookings
 * that are the person's own, as booking tells them.
 */
export type Person = { email: string; userId: string | null; paymentIds: readonly string[] }

/** What one service keeps of people. Each records in its audit what was read or erased, by ids. */
export type Keeper = {
  /** By what other services find the person: identity tells the id of the account, booking those of the payments. */
  ids?(person: Person): Promise<readonly string[]>
  read(person: Person, operator: Caller): Promise<object>
  /** Says in one line what is erased, and what is not; without `apply` nothing is. @throws UsageError */
  erase(person: Person, apply: boolean, operator: Caller): Promise<string>
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

  make export-person EMAIL=somebody@example.org          prints it as JSON
  make erase-person EMAIL=somebody@example.org           says what erasing would do
  make erase-person EMAIL=somebody@example.org APPLY=1   erases it
  node services/${service}/person.ts --email somebody@example.org [--user usr_...] [--payments pay_...,pay_...] [--erase [--apply]]

MONGO_URL says where (make start prints it); NAMESPACE is as for the service.`,
    async run({ args, config: settings, mongo, print }) {
      const { erase, apply, id, ...person } = readArguments(args)
      const keeper = keeperOf(mongo, settings)
      if (id) return print((await keeper.ids?.(person))?.join(',') ?? '')
      const operator = { ...systemCaller(service, ABOUT), userId: 'operator', requestId: `operator-${randomId()}` }
      if (erase) return print(`${service}: ${apply ? '' : 'would do: '}${await keeper.erase(person, apply, operator)}`)
      print(JSON.stringify({ service, email: person.email, ...(await keeper.read(person, operator)) }, null, 2))
    },
  }
}

const ABOUT = { brand: DEFAULT_BRAND_KEY, mode: 'test', requestId: '' } as const

const OPTIONS = {
  email: { type: 'string' },
  user: { type: 'string' },
  payments: { type: 'string' },
  erase: { type: 'boolean', default: false },
  apply: { type: 'boolean', default: false },
  id: { type: 'boolean', default: false },
} as const

/** @throws UsageError */
function readArguments(args: string[]): Person & { erase: boolean; apply: boolean; id: boolean } {
  const values = parsed(args)
  const email = z.email().safeParse(values.email)
  if (!email.success) throw new UsageError(values.email ? `"${values.email}" is no e-mail address` : 'EMAIL is missing')
  const paymentIds = values.payments?.split(',').filter(Boolean) ?? []
  return { email: email.data, userId: values.user || null, paymentIds, erase: values.erase, apply: values.apply, id: values.id }
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
