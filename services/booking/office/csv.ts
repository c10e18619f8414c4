/** The list of bookings as a table for a spreadsheet. */
import type { OfficeRow } from '@passerelle/contracts/http/back-office'
import { stringify } from 'csv-stringify/sync'

const COLUMNS: Record<string, (row: OfficeRow) => string | number> = {
  Reference: ({ reference }) => reference,
  State: ({ state }) => state,
  'Needs attention': ({ attention }) => attention?.reason ?? '',
  Brand: ({ brand }) => brand,
  'Booked at': ({ createdAt }) => createdAt,
  Traveller: ({ traveller }) => traveller ?? '',
  Travellers: ({ travellers }) => travellers,
  From: ({ from }) => from.code ?? '',
  To: ({ to }) => to.code ?? '',
  'Departure, local time': ({ departure }) => departure,
  Charge: ({ charged }) => charged.amount,
  Currency: ({ charged }) => charged.currency,
  'Paid by card': ({ captured }) => (captured ? 'yes' : 'no'),
  Refunded: ({ refunded }) => refunded?.amount ?? '',
  Id: ({ id }) => id,
}

const AT_ONCE = 100

/** A cell that a spreadsheet would run as a formula begins with an apostrophe: names are typed by anybody. */
const written = (cells: (string | number)[][]): string => stringify(cells, { escape_formulas: true, record_delimiter: 'windows' })

/** In pieces of a hundred rows, the heads first; with the mark by which spreadsheets know UTF-8. */
export async function* csvOf(rows: AsyncIterable<OfficeRow>): AsyncGenerator<string> {
  yield `\uFEFF${written([Object.keys(COLUMNS)])}`
  let waiting: (string | number)[][] = []
  for await (const row of rows) {
    waiting.push(Object.values(COLUMNS).map((cell) => cell(row)))
    if (waiting.length < AT_ONCE) continue
    yield written(waiting)
    waiting = []
  }
  if (waiting.length > 0) yield written(waiting)
}
