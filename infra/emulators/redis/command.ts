/** What a command is: how many arguments it takes, whether it may grow memory, and what it does. */
import type { Keyspace, Memory } from './keyspace.ts'
import type { Reply } from './resp.ts'
import type { Session } from './session.ts'

export type Server = {
  memory: Memory
  databases: Keyspace[]
  sessions: Set<Session>
  /** Who listens, by channel and by pattern. */
  channels: Map<string, Set<Session>>
  patterns: Map<string, Set<Session>>
  /** Who watches, by `watchName`. */
  watchers: Map<string, Set<Session>>
  startedAt: number
  port: number
  commandCount: number
  connectionCount: number
}

export type Context = { keyspace: Keyspace; session: Session; server: Server }

export type Command = {
  /** Counts the name too; negative: at least as many. */
  arity: number
  /** May take more memory, so that room is made first. */
  grows?: boolean
  /** `args` leaves out the name. Throws RedisError. */
  run(context: Context, args: Buffer[]): Reply
}

export type Commands = Record<string, Command>

/** For commands that only need the keyspace. */
export const onKeys = (arity: number, run: (keyspace: Keyspace, args: Buffer[]) => Reply, grows = false): Command => ({
  arity,
  grows,
  run: (context, args) => run(context.keyspace, args),
})

export const growing = (arity: number, run: (keyspace: Keyspace, args: Buffer[]) => Reply): Command => onKeys(arity, run, true)
