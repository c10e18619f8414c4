import { matchesPattern, text, word } from '../arguments.ts'
import type { Command, Commands, Context } from '../command.ts'
import { RedisError, silent } from '../resp.ts'
import type { Session } from '../session.ts'

type Book = 'channels' | 'patterns'

const join = (book: Book, verb: string): Command => ({
  arity: -2,
  run: ({ server, session }, names) => {
    for (const name of names.map(text)) {
      session[book].add(name)
      const listeners = server[book].get(name) ?? new Set<Session>()
      server[book].set(name, listeners.add(session))
      session.send([verb, name, session.channels.size + session.patterns.size])
    }
    return silent
  },
})

const leaveOne = ({ server, session }: Context, book: Book, name: string): void => {
  session[book].delete(name)
  const listeners = server[book].get(name)
  listeners?.delete(session)
  if (listeners?.size === 0) server[book].delete(name)
}

const leave = (book: Book, verb: string): Command => ({
  arity: -1,
  run: (context, names) => {
    const { session } = context
    const leaving = names.length > 0 ? names.map(text) : [...session[book]]
    for (const name of leaving) {
      leaveOne(context, book, name)
      session.send([verb, name, session.channels.size + session.patterns.size])
    }
    if (leaving.length === 0) session.send([verb, null, session.channels.size + session.patterns.size])
    return silent
  },
})

export const unsubscribeAll = (context: Context): void => {
  for (const book of ['channels', 'patterns'] as const) {
    for (const name of [...context.session[book]]) leaveOne(context, book, name)
  }
}

const publish = ({ server }: Context, [channel, message]: Buffer[]): number => {
  const name = text(channel!)
  let receivers = 0
  for (const session of server.channels.get(name) ?? []) {
    session.send(['message', name, message!])
    receivers += 1
  }
  for (const [pattern, sessions] of server.patterns) {
    if (!matchesPattern(pattern, name)) continue
    for (const session of sessions) {
      session.send(['pmessage', pattern, name, message!])
      receivers += 1
    }
  }
  return receivers
}

const inspect = ({ server }: Context, [subcommand, ...args]: Buffer[]) => {
  const name = word(subcommand)
  if (name === 'CHANNELS' && args.length <= 1) {
    const names = [...server.channels.keys()]
    return args[0] ? names.filter((channel) => matchesPattern(text(args[0]!), channel)) : names
  }
  if (name === 'NUMSUB') return args.flatMap((channel) => [channel, server.channels.get(text(channel))?.size ?? 0])
  if (name === 'NUMPAT' && args.length === 0) return server.patterns.size
  throw new RedisError(`ERR unknown subcommand '${text(subcommand!)}'. Try PUBSUB HELP.`)
}

export const pubSubCommands: Commands = {
  SUBSCRIBE: join('channels', 'subscribe'),
  PSUBSCRIBE: join('patterns', 'psubscribe'),
  UNSUBSCRIBE: leave('channels', 'unsubscribe'),
  PUNSUBSCRIBE: leave('patterns', 'punsubscribe'),
  PUBLISH: { arity: 3, run: publish },
  PUBSUB: { arity: -2, run: inspect },
}
