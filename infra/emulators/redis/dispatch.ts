/** From a request to its reply: which command it is, whether it may run now, and the transaction that it may belong to. */
import { text } from './arguments.ts'
import type { Command, Commands, Context } from './command.ts'
import { connectionCommands } from './commands/connection.ts'
import { hashCommands } from './commands/hashes.ts'
import { keyCommands } from './commands/keys.ts'
import { listCommands } from './commands/lists.ts'
import { pubSubCommands } from './commands/pub-sub.ts'
import { setCommands } from './commands/sets.ts'
import { sortedSetCommands } from './commands/sorted-sets.ts'
import { stringCommands } from './commands/strings.ts'
import { type RunCommand, transactionCommands } from './commands/transactions.ts'
import { RedisError, type Reply, Status } from './resp.ts'

const run: RunCommand = (context, command, args) => {
  // SELECT inside a transaction changes the database of what follows, so it is looked up each time.
  const keyspace = context.server.databases[context.session.database] ?? context.keyspace
  try {
    if (command.grows) context.server.memory.makeRoom()
    return command.run({ ...context, keyspace }, args)
  } catch (error) {
    if (error instanceof RedisError) return error
    throw error
  }
}

const commands: Commands = {
  ...connectionCommands(() => commands),
  ...keyCommands,
  ...stringCommands,
  ...hashCommands,
  ...setCommands,
  ...listCommands,
  ...sortedSetCommands,
  ...transactionCommands(run),
  ...pubSubCommands,
}

/** Objects inherit names such as `constructor`: only our own count. */
const table = new Map(Object.entries(commands))

const neverQueued = new Set(['MULTI', 'EXEC', 'DISCARD', 'WATCH', 'QUIT', 'RESET'])
const allowedToSubscribers = new Set(['SUBSCRIBE', 'PSUBSCRIBE', 'UNSUBSCRIBE', 'PUNSUBSCRIBE', 'PING', 'QUIT', 'RESET'])

export const execute = (context: Context, request: Buffer[]): Reply => {
  const { session, server } = context
  const [first, ...args] = request as [Buffer, ...Buffer[]]
  const written = text(first)
  const name = written.toUpperCase()
  const command = table.get(name)
  server.commandCount += 1

  if (!command || !fits(command, args)) {
    if (session.queue) session.spoiled = true
    return command ? wrongArguments(written) : unknownCommand(written, args)
  }
  if (session.isSubscriber && !allowedToSubscribers.has(name)) {
    const list = '(P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET'
    return new RedisError(`ERR Can't execute '${name.toLowerCase()}': only ${list} are allowed in this context`)
  }
  if (session.queue && !neverQueued.has(name)) {
    session.queue.push({ command, args })
    return new Status('QUEUED')
  }
  return run(context, command, args)
}

const fits = ({ arity }: Command, args: Buffer[]): boolean => (arity < 0 ? args.length + 1 >= -arity : args.length + 1 === arity)

const wrongArguments = (written: string) => new RedisError(`ERR wrong number of arguments for '${written.toLowerCase()}' command`)

const unknownCommand = (written: string, args: Buffer[]): RedisError => {
  const shown = args.map((arg) => `'${text(arg).slice(0, 128)}' `).join('')
  return new RedisError(`ERR unknown command '${written.slice(0, 128)}', with args beginning with: ${shown.slice(0, 128)}`)
}
