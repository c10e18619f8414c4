/** Greetings. */
import { MAX_DOCUMENT_BYTES } from '../storage/collection.ts'
import { MAX_MESSAGE_BYTES } from '../wire.ts'
import type { Call, Command } from './command.ts'

/** That of MongoDB 6.0. */
const MAX_WIRE_VERSION = 17

const hello: Command = {
  run: ({ name }: Call) => ({
    [name === 'hello' ? 'isWritablePrimary' : 'ismaster']: true,
    helloOk: true,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: MAX_WIRE_VERSION,
    readOnly: false,
  }),
}
const nothing: Command = { run: () => ({}) }

export const sessionCommands: Record<string, Command> = { hello, isMaster: hello, ismaster: hello, ping: nothing, endSessions: nothing }
