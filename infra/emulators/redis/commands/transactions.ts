import { text } from '../arguments.ts'
import type { Command, Commands, Context } from '../command.ts'
import { nilArray, ok, RedisError, type Reply } from '../resp.ts'

export const watchName = (database: number, key: string) => `${database}/${key}`

const unwatch = ({ server, session }: Context): void => {
  for (const name of session.watched) {
    const watchers = server.watchers.get(name)
    watchers?.delete(session)
    if (watchers?.size === 0) server.watchers.delete(name)
  }
  session.watched.clear()
  session.stale = false
}

/** Forgets the queue and the watched keys. */
export const endTransaction = (context: Context): void => {
  context.session.queue = undefined
  context.session.spoiled = false
  unwatch(context)
}

const watch = (context: Context, keys: Buffer[]): Reply => {
  const { server, session } = context
  if (session.queue) throw new RedisError('ERR WATCH inside MULTI is not allowed')
  for (const key of keys.map(text)) {
    // Looking at the key removes it when it has expired, so that this is not taken for a change later.
    context.keyspace.find(key)
    const name = watchName(session.database, key)
    session.watched.add(name)
    const watchers = server.watchers.get(name)
    if (watchers) watchers.add(session)
    else server.watchers.set(name, new Set([session]))
  }
  return ok
}

/** A watched key that has run out since counts as changed, removed already or not. */
const expireWatched = ({ server, session }: Context): void => {
  for (const name of session.watched) {
    const slash = name.indexOf('/')
    server.databases[Number(name.slice(0, slash))]?.find(name.slice(slash + 1))
  }
}

const execute = (context: Context, run: RunCommand): Reply => {
  const { session } = context
  const queue = session.queue
  if (!queue) throw new RedisError('ERR EXEC without MULTI')
  expireWatched(context)
  const { spoiled, stale } = session
  endTransaction(context)
  if (spoiled) throw new RedisError('EXECABORT Transaction discarded because of previous errors.')
  if (stale) return nilArray
  return queue.map(({ command, args }) => run(context, command, args))
}

/** Runs one command and turns what it throws into a reply. */
export type RunCommand = (context: Context, command: Command, args: Buffer[]) => Reply

export const transactionCommands = (run: RunCommand): Commands => ({
  MULTI: {
    arity: 1,
    run: ({ session }) => {
      if (session.queue) throw new RedisError('ERR MULTI calls can not be nested')
      session.queue = []
      return ok
    },
  },
  EXEC: { arity: 1, run: (context) => execute(context, run) },
  DISCARD: {
    arity: 1,
    run: (context) => {
      if (!context.session.queue) throw new RedisError('ERR DISCARD without MULTI')
      endTransaction(context)
      return ok
    },
  },
  WATCH: { arity: -2, run: watch },
  UNWATCH: {
    arity: 1,
    run: (context) => {
      unwatch(context)
      return ok
    },
  },
})
