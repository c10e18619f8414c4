import { StorageError } from '../../data-file.ts'
import { CommandError, refused, unknownCommand } from '../errors.ts'
import type { Doc } from '../values.ts'
import type { Call, Command } from './command.ts'
import { readCommands } from './read.ts'
import { schemaCommands } from './schema.ts'
import { sessionCommands } from './session.ts'
import { writeCommands } from './write.ts'

const COMMANDS = new Map<string, Command>(Object.entries({ ...sessionCommands, ...readCommands, ...writeCommands, ...schemaCommands }))

/** Arguments that change nothing here: there is one server, and it answers when the write is on disk. */
const HARMLESS = new Set(['$db', '$readPreference', 'comment', 'lsid', 'maxTimeMS', 'readConcern', 'writeConcern'])

function run(call: Call): Doc | Uint8Array {
  const { name, args } = call
  const command = COMMANDS.get(name)
  if (!command) throw unknownCommand(name)
  const known = command.takes
  const other = known && Object.keys(args).find((arg) => arg !== name && !HARMLESS.has(arg) && !known.includes(arg))
  if (other) throw refused(`${name} with ${other}`)
  return command.run(call)
}

/**
 * Carries one command out and answers the body of its reply. Refusals become replies.
 * @throws StorageError when the disk failed: then nothing since the last commit may be acknowledged.
 */
export function runCommand(call: Call): Doc | Uint8Array {
  try {
    const reply = run(call)
    return reply instanceof Uint8Array ? reply : { ...reply, ok: 1 }
  } catch (error) {
    if (error instanceof StorageError) throw error
    if (error instanceof CommandError) return error.reply()
    return new CommandError(1, `${call.name} failed: ${error instanceof Error ? error.message : String(error)}`).reply()
  }
}
