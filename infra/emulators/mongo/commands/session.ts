// Greetings and everything about the server itself.
import { hostname } from 'node:os'
import { notImplemented } from '../errors.ts'
import { MAX_DOCUMENT_BYTES } from '../values/bson.ts'
import { MAX_MESSAGE_BYTES } from '../wire.ts'
import type { Handler } from './command.ts'

/** The release whose behaviour this server was compared with. */
export const VERSION = '6.0.5'
const MAX_WIRE_VERSION = 17

const hello: Handler = ({ name, connectionId }) => ({
  [name === 'hello' ? 'isWritablePrimary' : 'ismaster']: true,
  helloOk: true,
  maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  maxMessageSizeBytes: MAX_MESSAGE_BYTES,
  maxWriteBatchSize: 100_000,
  localTime: new Date(),
  logicalSessionTimeoutMinutes: 30,
  connectionId,
  minWireVersion: 0,
  maxWireVersion: MAX_WIRE_VERSION,
  readOnly: false,
})

const buildInfo: Handler = () => ({
  version: VERSION,
  versionArray: VERSION.split('.').map(Number).concat(0),
  gitVersion: 'none',
  modules: ['passerelle development server'],
  javascriptEngine: 'none',
  bits: 64,
  debug: false,
  maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  storageEngines: ['sqlite'],
})

const nothing: Handler = () => ({})

const refuseLogin: Handler = () => {
  throw notImplemented('authentication')
}

const refuseTransaction: Handler = () => {
  throw notImplemented('a transaction')
}

export const sessionCommands: Record<string, Handler> = {
  hello,
  isMaster: hello,
  ismaster: hello,
  ping: nothing,
  endSessions: nothing,
  killSessions: nothing,
  refreshSessions: nothing,
  startSession: nothing,
  fsync: nothing,
  logout: nothing,
  buildInfo,
  buildinfo: buildInfo,
  connectionStatus: () => ({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } }),
  whatsmyuri: () => ({ you: '127.0.0.1' }),
  getParameter: () => ({}),
  getCmdLineOpts: () => ({ argv: ['passerelle-mongo-development-server'], parsed: {} }),
  getLog: () => ({ totalLinesWritten: 0, log: [] }),
  hostInfo: () => ({ system: { currentTime: new Date(), hostname: hostname() } }),
  serverStatus: ({ catalog, cursors }) => ({
    host: hostname(),
    version: VERSION,
    process: 'passerelle-mongo-development-server',
    pid: process.pid,
    uptime: process.uptime(),
    localTime: new Date(),
    mem: { resident: Math.round(process.memoryUsage.rss() / 1_048_576) },
    metrics: { cursor: { open: { total: cursors.count } } },
    catalogStats: { collections: catalog.allCollections().length },
  }),
  saslStart: refuseLogin,
  saslContinue: refuseLogin,
  authenticate: refuseLogin,
  commitTransaction: refuseTransaction,
  abortTransaction: refuseTransaction,
}
