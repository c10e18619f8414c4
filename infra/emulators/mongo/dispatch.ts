import type { Call, Handler } from './commands/command.ts'
import { findAndModifyCommands } from './commands/find-and-modify.ts'
import { readCommands } from './commands/read.ts'
import { schemaCommands } from './commands/schema.ts'
import { sessionCommands } from './commands/session.ts'
import { writeCommands } from './commands/write.ts'
import { CommandError, notImplemented } from './errors.ts'
import { StorageError } from './storage/database.ts'
import type { Doc } from './values/bson.ts'

const HANDLERS = new Map<string, Handler>(
  Object.entries({ ...sessionCommands, ...readCommands, ...writeCommands, ...findAndModifyCommands, ...schemaCommands }),
)

/** The reply for a refused command. */
export function errorReply(error: CommandError): Doc {
  return { ok: 0, errmsg: error.message, code: error.code, codeName: error.codeName, ...error.details }
}

function handle(call: Call): Doc | Uint8Array {
  const handler = HANDLERS.get(call.name)
  if (!handler) throw new CommandError(59, `no such command: '${call.name}'`)
  if (call.args.startTransaction !== undefined || call.args.autocommit !== undefined) throw notImplemented('a transaction')
  if (call.args.txnNumber !== undefined) {
    throw new CommandError(20, 'Transaction numbers are only allowed on a replica set member or mongos')
  }
  return handler(call)
}

/**
 * Carries one command out and answers the body of its reply. Refusals become replies.
 * @throws StorageError when the disk failed: then nothing since the last commit may be acknowledged.
 */
export function runCommand(call: Call): Doc | Uint8Array {
  try {
    const reply = handle(call)
    return reply instanceof Uint8Array ? reply : { ...reply, ok: 1 }
  } catch (error) {
    if (error instanceof StorageError) throw error
    if (error instanceof CommandError) return errorReply(error)
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return errorReply(new CommandError(1, `the development server failed at '${call.name}': ${message}`))
  }
}
