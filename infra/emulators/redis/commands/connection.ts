import { integer, syntaxError, text, word } from '../arguments.ts'
import type { Command, Commands, Context, Server } from '../command.ts'
import { ok, RedisError, type Reply, Status } from '../resp.ts'
import { unsubscribeAll } from './pub-sub.ts'
import { endTransaction } from './transactions.ts'

export const DATABASES = 16
const VERSION = '7.0.15'

const unknownSubcommand = (group: string, argument: Buffer | undefined) =>
  new RedisError(`ERR unknown subcommand '${argument ? text(argument) : ''}'. Try ${group} HELP.`)

const wrongPassword = () => new RedisError('WRONGPASS invalid username-password pair or user is disabled.')

const authenticate = (args: Buffer[]): Reply => {
  if (args.length > 2) throw syntaxError()
  if (args.length === 2) throw wrongPassword()
  throw new RedisError(
    'ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?',
  )
}

const hello = ({ session }: Context, [version, ...options]: Buffer[]): Reply => {
  const wanted = version ? integer(version, 'ERR Protocol version is not an integer or out of range') : 2
  // Clients that open with RESP3 take this as "speak RESP2" and go on.
  if (wanted !== 2) throw new RedisError('NOPROTO unsupported protocol version')
  let name: string | undefined
  for (let at = 0; at < options.length; ) {
    const option = word(options[at])
    if (option === 'AUTH' && at + 2 < options.length) throw wrongPassword()
    if (option !== 'SETNAME' || at + 1 >= options.length) throw new RedisError(`ERR Syntax error in HELLO option '${text(options[at]!)}'`)
    name = validName(options[at + 1]!)
    at += 2
  }
  if (name !== undefined) session.name = name
  return ['server', 'redis', 'version', VERSION, 'proto', 2, 'id', session.id, 'mode', 'standalone', 'role', 'master', 'modules', []]
}

const validName = (argument: Buffer): string => {
  const name = text(argument)
  if (/[^!-~]/.test(name)) throw new RedisError('ERR Client names cannot contain spaces, newlines or special characters.')
  return name
}

const client = ({ session }: Context, [subcommand, ...args]: Buffer[]): Reply => {
  const name = word(subcommand)
  if (name === 'ID' && args.length === 0) return session.id
  if (name === 'GETNAME' && args.length === 0) return session.name === '' ? null : session.name
  if (name === 'SETNAME' && args.length === 1) {
    session.name = validName(args[0]!)
    return ok
  }
  if (name === 'SETINFO' && args.length === 2) {
    if (['LIB-NAME', 'LIB-VER'].includes(word(args[0]))) return ok
    throw new RedisError(`ERR Unrecognized option '${text(args[0]!)}'`)
  }
  throw unknownSubcommand('CLIENT', subcommand)
}

const config = ({ server }: Context, [subcommand, ...patterns]: Buffer[]): Reply => {
  if (word(subcommand) !== 'GET' || patterns.length === 0) throw unknownSubcommand('CONFIG', subcommand)
  const settings: Record<string, string> = {
    maxmemory: String(server.memory.limit),
    'maxmemory-policy': 'allkeys-lru',
    databases: String(DATABASES),
    port: String(server.port),
    save: '',
    appendonly: 'no',
  }
  const wanted = new Set(patterns.map((pattern) => text(pattern).toLowerCase()))
  return Object.entries(settings)
    .filter(([name]) => wanted.has(name) || wanted.has('*'))
    .flat()
}

const information = (server: Server): string => {
  const { memory } = server
  const sections: Record<string, Record<string, string | number>> = {
    Server: {
      redis_version: VERSION,
      redis_mode: 'standalone',
      server_name: 'passerelle-development-server',
      process_id: process.pid,
      tcp_port: server.port,
      uptime_in_seconds: Math.floor((Date.now() - server.startedAt) / 1000),
    },
    Clients: { connected_clients: server.sessions.size },
    Memory: { used_memory: memory.used, maxmemory: memory.limit, maxmemory_policy: 'allkeys-lru' },
    Persistence: { loading: 0 },
    Stats: {
      total_connections_received: server.connectionCount,
      total_commands_processed: server.commandCount,
      keyspace_hits: memory.hits,
      keyspace_misses: memory.misses,
      expired_keys: memory.expired,
      evicted_keys: memory.evicted,
    },
    Replication: { role: 'master', connected_slaves: 0 },
    Keyspace: Object.fromEntries(
      server.databases.flatMap((database, at) =>
        database.size > 0 ? [[`db${at}`, `keys=${database.size},expires=${database.expiringSize},avg_ttl=0`]] : [],
      ),
    ),
  }
  return Object.entries(sections)
    .map(
      ([title, lines]) =>
        `# ${title}\r\n${Object.entries(lines)
          .map(([name, value]) => `${name}:${value}\r\n`)
          .join('')}`,
    )
    .join('\r\n')
}

const commandInformation = (table: () => Commands) =>
  ({
    arity: -1,
    run: (_context, [subcommand]) => {
      if (word(subcommand) === 'COUNT') return Object.keys(table()).length
      if (word(subcommand) === 'DOCS') return []
      if (subcommand) throw unknownSubcommand('COMMAND', subcommand)
      return Object.entries(table()).map(([name, { arity }]) => [name.toLowerCase(), arity, [], 0, 0, 0])
    },
  }) satisfies Command

export const connectionCommands = (table: () => Commands): Commands => ({
  PING: {
    arity: -1,
    run: ({ session }, args) => {
      if (args.length > 1) throw new RedisError("ERR wrong number of arguments for 'ping' command")
      if (session.isSubscriber) return ['pong', args[0] ?? '']
      return args[0] ?? new Status('PONG')
    },
  },
  ECHO: { arity: 2, run: (_context, [message]) => message! },
  AUTH: { arity: -2, run: (_context, args) => authenticate(args) },
  HELLO: { arity: -1, run: hello },
  SELECT: {
    arity: 2,
    run: ({ session }, [index]) => {
      const wanted = integer(index)
      if (wanted < 0 || wanted >= DATABASES) throw new RedisError('ERR DB index is out of range')
      session.database = wanted
      return ok
    },
  },
  CLIENT: { arity: -2, run: client },
  CONFIG: { arity: -2, run: config },
  INFO: { arity: -1, run: ({ server }) => information(server) },
  COMMAND: commandInformation(table),
  TIME: {
    arity: 1,
    run: () => {
      const now = Date.now()
      return [String(Math.floor(now / 1000)), String((now % 1000) * 1000)]
    },
  },
  QUIT: {
    arity: -1,
    run: ({ session }) => {
      session.closing = true
      return ok
    },
  },
  RESET: {
    arity: 1,
    run: (context) => {
      endTransaction(context)
      unsubscribeAll(context)
      context.session.database = 0
      context.session.name = ''
      return new Status('RESET')
    },
  },
})
