/**
 * What the simulator knows, in one SQLite file (or in memory): offer requests, what became of single offers, orders, cancellations,
 * seats that are sold, and the record that tests read. A write is in the file before its answer leaves, so it survives `kill -9`.
 */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Search } from './generator/search.ts'

export type OfferRequestRow = { id: string; nonce: string; createdAt: number; expiresAt: number; search: Search; orderId: string | null }

/** How an offer differs from what the search found. Absent fields: it does not. */
export type OfferChanges = { delta?: number; gone?: boolean; expiresAt?: number; readableWhenExpired?: boolean }

export type OrderRow<Facts, Resource> = {
  id: string
  offerId: string
  bookingReference: string
  createdAt: number
  /** From when on the API shows it: a late order is there before it can be seen. */
  visibleAt: number
  cancelledAt: number | null
  facts: Facts
  resource: Resource
}

export type CancellationRow = {
  id: string
  orderId: string
  createdAt: number
  expiresAt: number
  confirmedAt: number | null
  stale: boolean
  resource: Record<string, unknown>
}

const schema = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS offer_requests (
    id TEXT PRIMARY KEY, nonce TEXT UNIQUE NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, search TEXT NOT NULL, order_id TEXT);
  CREATE INDEX IF NOT EXISTS offer_requests_expiry ON offer_requests (expires_at);
  CREATE TABLE IF NOT EXISTS offers (id TEXT PRIMARY KEY, nonce TEXT NOT NULL, changes TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS offers_nonce ON offers (nonce);
  CREATE TABLE IF NOT EXISTS orders (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, offer_id TEXT NOT NULL, booking_reference TEXT UNIQUE NOT NULL,
    created_at INTEGER NOT NULL, visible_at INTEGER NOT NULL, cancelled_at INTEGER, facts TEXT NOT NULL, resource TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS orders_offer ON orders (offer_id);
  CREATE TABLE IF NOT EXISTS cancellations (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, order_id TEXT NOT NULL, created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL, confirmed_at INTEGER, stale INTEGER NOT NULL, resource TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS cancellations_order ON cancellations (order_id);
  CREATE TABLE IF NOT EXISTS seats (flight TEXT NOT NULL, designator TEXT NOT NULL, order_id TEXT, PRIMARY KEY (flight, designator));
  CREATE TABLE IF NOT EXISTS records (seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, body TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS records_kind ON records (kind, seq);
  CREATE TABLE IF NOT EXISTS counts (name TEXT PRIMARY KEY, number INTEGER NOT NULL);
`
const tables = ['offer_requests', 'offers', 'orders', 'cancellations', 'seats', 'records', 'counts', 'meta']

/** The record keeps this many searches and order attempts each. */
const mostRecords = 20_000

export type State = ReturnType<typeof openState>

export const openState = (dataFile: string | undefined) => {
  if (dataFile) mkdirSync(dirname(dataFile), { recursive: true })
  const database = new DatabaseSync(dataFile ?? ':memory:')
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000')
  database.exec(schema)
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const statement = (sql: string) => {
    const known = prepared.get(sql)
    if (known) return known
    const fresh = database.prepare(sql)
    prepared.set(sql, fresh)
    return fresh
  }
  const run = (sql: string, ...values: SQLInputValue[]) => statement(sql).run(...values)
  const one = (sql: string, ...values: SQLInputValue[]) => statement(sql).get(...values) as Record<string, unknown> | undefined
  const all = (sql: string, ...values: SQLInputValue[]) => statement(sql).all(...values) as Record<string, unknown>[]

  const offerRequestOf = (row: Record<string, unknown>): OfferRequestRow => ({
    id: row.id as string,
    nonce: row.nonce as string,
    createdAt: row.created_at as number,
    expiresAt: row.expires_at as number,
    search: JSON.parse(row.search as string),
    orderId: row.order_id as string | null,
  })
  const orderOf = <Facts, Resource>(row: Record<string, unknown>): OrderRow<Facts, Resource> => ({
    id: row.id as string,
    offerId: row.offer_id as string,
    bookingReference: row.booking_reference as string,
    createdAt: row.created_at as number,
    visibleAt: row.visible_at as number,
    cancelledAt: row.cancelled_at as number | null,
    facts: JSON.parse(row.facts as string),
    resource: JSON.parse(row.resource as string),
  })
  const cancellationOf = (row: Record<string, unknown>): CancellationRow => ({
    id: row.id as string,
    orderId: row.order_id as string,
    createdAt: row.created_at as number,
    expiresAt: row.expires_at as number,
    confirmedAt: row.confirmed_at as number | null,
    stale: row.stale === 1,
    resource: JSON.parse(row.resource as string),
  })

  return {
    close: () => database.close(),

    /** Runs `work` so that all of it is kept or none. */
    together: <Result>(work: () => Result): Result => {
      database.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        database.exec('COMMIT')
        return result
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
    wipe: () => {
      for (const table of tables) database.exec(`DELETE FROM ${table}`)
    },
    getMeta: (name: string): string | undefined => one('SELECT value FROM meta WHERE name = ?', name)?.value as string | undefined,
    setMeta: (name: string, value: string) =>
      run('INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', name, value),

    addOfferRequest: (row: OfferRequestRow) =>
      run(
        'INSERT INTO offer_requests (id, nonce, created_at, expires_at, search) VALUES (?, ?, ?, ?, ?)',
        row.id,
        row.nonce,
        row.createdAt,
        row.expiresAt,
        JSON.stringify(row.search),
      ),
    offerRequestById: (id: string): OfferRequestRow | undefined => {
      const row = one('SELECT * FROM offer_requests WHERE id = ?', id)
      return row && offerRequestOf(row)
    },
    offerRequestByNonce: (nonce: string): OfferRequestRow | undefined => {
      const row = one('SELECT * FROM offer_requests WHERE nonce = ?', nonce)
      return row && offerRequestOf(row)
    },
    bookOfferRequest: (id: string, orderId: string) => run('UPDATE offer_requests SET order_id = ? WHERE id = ?', orderId, id),
    dropOfferRequestsBefore: (expiredAt: number) => {
      run('DELETE FROM offers WHERE nonce IN (SELECT nonce FROM offer_requests WHERE expires_at < ?)', expiredAt)
      run('DELETE FROM offer_requests WHERE expires_at < ?', expiredAt)
    },

    changesOf: (offerId: string): OfferChanges => {
      const row = one('SELECT changes FROM offers WHERE id = ?', offerId)
      return row ? JSON.parse(row.changes as string) : {}
    },
    changesWithin: (nonce: string): Map<string, OfferChanges> =>
      new Map(
        all('SELECT id, changes FROM offers WHERE nonce = ?', nonce).map((row) => [row.id as string, JSON.parse(row.changes as string)]),
      ),
    changeOffer: (offerId: string, nonce: string, changes: OfferChanges) =>
      run(
        'INSERT INTO offers (id, nonce, changes) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET changes = excluded.changes',
        offerId,
        nonce,
        JSON.stringify(changes),
      ),

    addOrder: (row: OrderRow<unknown, unknown>) =>
      run(
        'INSERT INTO orders (id, offer_id, booking_reference, created_at, visible_at, facts, resource) VALUES (?, ?, ?, ?, ?, ?, ?)',
        row.id,
        row.offerId,
        row.bookingReference,
        row.createdAt,
        row.visibleAt,
        JSON.stringify(row.facts),
        JSON.stringify(row.resource),
      ),
    updateOrder: (row: OrderRow<unknown, unknown>) =>
      run(
        'UPDATE orders SET cancelled_at = ?, facts = ?, resource = ? WHERE id = ?',
        row.cancelledAt,
        JSON.stringify(row.facts),
        JSON.stringify(row.resource),
        row.id,
      ),
    orderById: <Facts, Resource>(id: string): OrderRow<Facts, Resource> | undefined => {
      const row = one('SELECT * FROM orders WHERE id = ?', id)
      return row && orderOf(row)
    },
    hasBookingReference: (reference: string): boolean => one('SELECT 1 FROM orders WHERE booking_reference = ?', reference) !== undefined,
    /** Newest first. */
    orders: <Facts, Resource>(filter: { offerId?: string; bookingReference?: string } = {}): OrderRow<Facts, Resource>[] => {
      const rows = filter.offerId
        ? all('SELECT * FROM orders WHERE offer_id = ? ORDER BY seq DESC', filter.offerId)
        : filter.bookingReference
          ? all('SELECT * FROM orders WHERE booking_reference = ? ORDER BY seq DESC', filter.bookingReference)
          : all('SELECT * FROM orders ORDER BY seq DESC')
      return rows.map((row) => orderOf(row))
    },
    /** Order ids with what list filters need, newest first, without reading the bodies. */
    orderIndex: (): { id: string; visibleAt: number }[] =>
      all('SELECT id, visible_at FROM orders ORDER BY seq DESC').map((row) => ({
        id: row.id as string,
        visibleAt: row.visible_at as number,
      })),

    addCancellation: (row: CancellationRow) =>
      run(
        'INSERT INTO cancellations (id, order_id, created_at, expires_at, confirmed_at, stale, resource) VALUES (?, ?, ?, ?, ?, ?, ?)',
        row.id,
        row.orderId,
        row.createdAt,
        row.expiresAt,
        row.confirmedAt,
        row.stale ? 1 : 0,
        JSON.stringify(row.resource),
      ),
    updateCancellation: (row: CancellationRow) =>
      run(
        'UPDATE cancellations SET confirmed_at = ?, stale = ?, resource = ? WHERE id = ?',
        row.confirmedAt,
        row.stale ? 1 : 0,
        JSON.stringify(row.resource),
        row.id,
      ),
    cancellationById: (id: string): CancellationRow | undefined => {
      const row = one('SELECT * FROM cancellations WHERE id = ?', id)
      return row && cancellationOf(row)
    },
    /** Newest first. */
    cancellations: (orderId?: string): CancellationRow[] =>
      (orderId
        ? all('SELECT * FROM cancellations WHERE order_id = ? ORDER BY seq DESC', orderId)
        : all('SELECT * FROM cancellations ORDER BY seq DESC')
      ).map(cancellationOf),

    isSold: (flight: string, designator: string): boolean =>
      one('SELECT 1 FROM seats WHERE flight = ? AND designator = ?', flight, designator) !== undefined,
    soldOn: (flight: string): Set<string> =>
      new Set(all('SELECT designator FROM seats WHERE flight = ?', flight).map((row) => row.designator as string)),
    /** @param orderId null: somebody else, outside the simulator, has it. */
    sellSeat: (flight: string, designator: string, orderId: string | null) =>
      run('INSERT OR IGNORE INTO seats (flight, designator, order_id) VALUES (?, ?, ?)', flight, designator, orderId),
    releaseSeats: (orderId: string) => run('DELETE FROM seats WHERE order_id = ?', orderId),

    record: (kind: 'search' | 'attempt', body: unknown) => {
      const { lastInsertRowid } = run('INSERT INTO records (kind, body) VALUES (?, ?)', kind, JSON.stringify(body))
      if (Number(lastInsertRowid) % 500 === 0)
        run(
          'DELETE FROM records WHERE kind = ? AND seq <= (SELECT seq FROM records WHERE kind = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)',
          kind,
          kind,
          mostRecords,
        )
    },
    records: (kind: 'search' | 'attempt'): unknown[] =>
      all('SELECT body FROM records WHERE kind = ? ORDER BY seq', kind).map((row) => JSON.parse(row.body as string)),
    count: (name: string) =>
      run('INSERT INTO counts (name, number) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET number = number + 1', name),
    counts: (): Record<string, number> =>
      Object.fromEntries(all('SELECT name, number FROM counts ORDER BY name').map((row) => [row.name as string, row.number as number])),
  }
}
