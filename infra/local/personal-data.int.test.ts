/** What an operator exports and erases of one person, over the databases of a whole system, and what is left of it anywhere. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type WatchedSystem, watchedSystem } from './canary.fixture.ts'
import { eventually, party, testCard, Visitor } from './test-visitor.fixture.ts'

let system: WatchedSystem
beforeAll(async () => {
  system = await watchedSystem()
})
afterAll(() => system.stop())

/** What `make export-person` or `make erase-person` prints: one text for each service. Not in this process: its system's servers run here. */
async function operator(target: 'export-person' | 'erase-person', email: string, ...settings: string[]): Promise<string[]> {
  const { MONGO_URL, NAMESPACE, DOCUMENT_KEY } = system.commands()
  const { stdout } = await promisify(execFile)('make', ['--silent', target, `EMAIL=${email}`, ...settings], {
    cwd: new URL('../../', import.meta.url),
    env: { PATH: process.env.PATH, MONGO_URL, NAMESPACE, DOCUMENT_KEY },
    maxBuffer: 2 ** 26,
  })
  return stdout.split(target === 'export-person' ? /(?<=^\}\n)/m : '\n').filter(Boolean)
}

async function kept(email: string) {
  const said = await operator('export-person', email)
  const [payments, bookings, messages, account] = said.map((text) => JSON.parse(text))
  return { ...account, ...payments, ...bookings, ...messages }
}

const day = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10)

const YSOLDE = {
  ...{ firstName: 'Ysolde', lastName: 'Quimperlé', phone: '+33655512378', dateOfBirth: '1983-07-19', passportNumber: '27YQ88311' },
  ...{ frequentFlyerAirline: 'ZZ', frequentFlyerNumber: 'ZZ90817263' },
  email: 'ysolde.of.this.test@example.org',
}
const AT_WORK = 'y.quimper@work.example'
const PAUL = { firstName: 'Paul', lastName: 'Kerouac', email: 'ysoldeXofXthisXtest@example.org', passportNumber: '19KL56147' }
const PASSWORD = 'Blue-Suitcase-47-Runs'
/** Nothing of the person that a text could hold, in any case of letters and as tickets write it. */
const TRACES = [/ysolde(?!xof)/i, /quimper/i, /655512378/, /1983-07-19/, /27YQ88311/i, /ZZ90817263/i, /"ending":"263"/]

async function book(visitor: Visitor, people: object[]): Promise<string> {
  const offer = await visitor.offer(
    `origin=CDG&destination=LIS&departureDate=${day}&adultsCount=${people.length}`,
    ({ owner }) => owner.iata_code === 'ZZ',
  )
  const passengers = party(offer).map((passenger, place) => ({ ...passenger, phone: '+33123456789', ...people[place] }))
  const booked = await visitor.book(offer, { cardDetails: testCard }, { passengers })
  expect(booked, JSON.stringify(booked.body)).toMatchObject({ status: 201, body: { status: 'confirmed' } })
  return booked.body.bookingReference
}

/** An account that books with another address, a message and a newsletter; and a seat on somebody else's booking. */
async function travels() {
  const visitor = new Visitor(system.url)
  const { firstName, lastName, email } = YSOLDE
  const account = { username: 'ysolde.q', email, firstName, lastName, password: PASSWORD }
  expect((await visitor.post('/api/auth/register', account)).status).toBe(201)
  expect((await visitor.post('/api/auth/login', { username: 'ysolde.q', password: PASSWORD })).status).toBe(200)
  const own = await book(visitor, [{ ...YSOLDE, email: AT_WORK }])
  const message = {
    fullName: 'Ysolde Quimperlé',
    email: email.toUpperCase(),
    reference: own,
    subject: 'Bags',
    message: 'Ysolde asks: a violin?',
  }
  expect((await visitor.post('/api/support', message)).status).toBe(201)
  expect((await visitor.post('/api/newsletter', { email })).body).toMatchObject({ success: true })
  const pauls = await book(new Visitor(system.url), [PAUL, YSOLDE])
  return { visitor, own, pauls }
}

const WRITTEN_LATE = ['mongo booking.bookings', 'mongo booking.mails', 'mongo payment.payments']

/** What is exported, and the stores as they were meanwhile: mails are still sent, and notices of the suppliers come, after a booking. */
const exportAtRest = (email: string) =>
  eventually('an export while nothing else is written', async () => {
    const first = await system.stores()
    const exported = await kept(email)
    const before = await system.stores()
    return WRITTEN_LATE.every((place) => first.get(place) === before.get(place)) && { exported, before }
  })

/** What an operator did, as an audit has it. */
const actionsIn = (audit = '[]') =>
  (JSON.parse(audit) as { action: string; actor: string; subject?: string }[]).filter(({ actor }) => actor === 'operator')

type Document = { [field: string]: unknown }

/** The stores of which the export has every field but these; a field is named with the reason that it is no data of the person. */
const LEFT_OUT: Record<string, Record<string, string>> = {
  'identity.users': {
    usernameKey: 'the username in lower case',
    emailKey: 'the address in lower case',
    passwordHash: 'opens the account',
    passwordTold: 'the work of the system',
    mustChangePassword: 'the work of the system',
    erasedAt: 'empty until it is erased',
  },
  'identity.sessions': {
    _id: 'hash of the cookie',
    visitorId: 'made up by the system',
    userId: 'the account',
    replaced: 'the work of the system',
  },
  'booking.bookings': {
    ...Object.fromEntries(
      ['idempotencyKey', 'requestHash', 'passengersKey', 'furtherAttempts'].map((field) => [field, 'keyed hash, read by nobody']),
    ),
    ...Object.fromEntries(
      [
        ...['open', 'nextAt', 'leaseUntil', 'tries', 'attempts', 'answerBy', 'pendingAnnouncedAt', 'sendBefore', 'settleBy', 'requestId'],
        ...['attention', 'attentionSince'],
      ].map((field) => [field, 'the work of the system']),
    ),
    documents: 'sealed; in the export opened',
    documentKey: 'opens the documents',
    supplier: 'the supplier’s names of the same things',
    supplierCharge: 'what the agency pays',
    markupPercent: 'what the agency earns',
  },
  'booking.audit': {
    _id: 'made up by the system',
    actor: 'who administers is as personal as the booking',
    requestId: 'the work of the system',
  },
  'booking.mails': {
    _id: 'template and booking',
    place: 'the work of the system',
    tries: 'the work of the system',
    traceparent: 'the work of the system',
  },
  'booking.receipts': {},
  'payment.payments': {
    ...Object.fromEntries(['key', 'fingerprint'].map((field) => [field, 'keyed hash, read by nobody'])),
    ...Object.fromEntries(
      [
        ...['requestId', 'attemptBy', 'attemptUntil', 'dueAt', 'failures', 'keyGeneration', 'webhookEvents'],
        ...['recheckAt', 'reversalsRecheckAt', 'unclaimedCaptureAt', 'closed'],
      ].map((field) => [field, 'the work of the system']),
    ),
  },
  'brand.messages': { emailKey: 'the address in lower case' },
  'brand.subscribers': { _id: 'brand and address', number: 'made up by the system', secret: 'ends the newsletter' },
}
const WORK = new Set(['version', '__v', 'outbox', 'outboxPending', 'outboxAt'])

/** Other stores name the person by ids alone: nothing that the person said, and all of it beside the export's own figures. */
const BY_IDS_ALONE = [
  ...['booking.inbox', 'brand.audit', 'brand.mails', 'brand.inbox'],
  ...['identity.audit', 'identity.links', 'identity.mails', 'identity.inbox', 'identity.attempts', 'payment.inbox', 'payment.audit'],
]

/** Every text and number in a value, at whatever depth. */
function leaves(value: unknown): (string | number)[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves)
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? [value] : []
}

/** Fields of the person's documents that are neither in the export nor left out for a reason; and stores that nobody has thought of. */
function missingFrom(exported: object, stores: Map<string, string>, ids: readonly string[]): string[] {
  const told = new Set(leaves(exported))
  const missing: string[] = []
  for (const [place, content] of stores) {
    if (!place.startsWith('mongo ')) continue
    const store = place.slice('mongo '.length)
    const theirs = (JSON.parse(content) as Document[]).filter((document) => {
      const text = JSON.stringify(document)
      return TRACES.some((trace) => trace.test(text)) || ids.some((id) => text.includes(id))
    })
    const leftOut = LEFT_OUT[store]
    if (!leftOut) {
      if (theirs.length > 0 && !BY_IDS_ALONE.includes(store)) missing.push(store)
      continue
    }
    for (const document of theirs)
      for (const [field, value] of Object.entries(document))
        if (!WORK.has(field) && !(field in leftOut) && leaves(value).some((leaf) => !told.has(leaf))) missing.push(`${store}.${field}`)
  }
  return [...new Set(missing)]
}

test('EVT-17, R-101: all that is kept of a person is exported; erased, no store, topic, log or queue has it', {
  timeout: 240_000,
}, async () => {
  const { visitor, own, pauls } = await travels()

  const { exported, before } = await exportAtRest('Ysolde.Of.This.Test@example.org')
  expect(exported).toMatchObject({
    account: { email: YSOLDE.email, firstName: 'Ysolde' },
    sessions: [{ device: null }],
    messages: [{ message: 'Ysolde asks: a violin?' }],
    newsletters: [{ brand: 'default' }],
  })
  const byReference = Object.fromEntries((exported.bookings as { bookingReference: string }[]).map((one) => [one.bookingReference, one]))
  expect(Object.keys(byReference).sort()).toEqual([own, pauls].sort())
  expect(byReference[own]).toMatchObject({
    contact: { email: AT_WORK },
    documents: [{ dateOfBirth: '1983-07-19', passportNumber: '27YQ88311', frequentFlyer: { airline: 'ZZ', number: 'ZZ90817263' } }],
  })
  expect(byReference[pauls]).toMatchObject({ passengers: [{ lastName: 'Quimperlé' }], documents: [{ passportNumber: '27YQ88311' }] })
  expect(JSON.stringify(exported)).not.toMatch(/kerouac|ysoldeXof|hash|documentKey|4242424242424242/i)

  const { id: bookingId, paymentId } = (exported.bookings as { id: string; paymentId: string; bookingReference: string }[]).find(
    ({ bookingReference }) => bookingReference === own,
  ) as { id: string; paymentId: string }
  const ownAlone = new Map([...before].filter(([place]) => place !== 'mongo booking.bookings'))
  const [ownRecord] = (JSON.parse(before.get('mongo booking.bookings') ?? '[]') as Document[]).filter(({ _id }) => _id === bookingId)
  ownAlone.set('mongo booking.bookings', JSON.stringify([ownRecord]))
  const ids = [exported.account.id, bookingId, paymentId, own]
  expect(missingFrom(exported, ownAlone, ids)).toEqual([])
  expect(missingFrom({}, ownAlone, ids)).toEqual(
    expect.arrayContaining([
      ...['booking.bookings.people', 'booking.receipts.number', 'booking.mails.template', 'booking.audit.action'],
      ...['payment.payments.amountMinor', 'brand.messages.message', 'brand.subscribers.email', 'identity.users.email'],
    ]),
  )
  expect(TRACES.slice(0, 3).every((trace) => [...before.values()].some((content) => trace.test(content)))).toBe(true)
  expect((await operator('erase-person', YSOLDE.email)).join('\n')).toMatch(
    /booking: would do: 2 bookings erased.*identity: would do: the account is erased/s,
  )
  expect((await kept(YSOLDE.email)).bookings).toHaveLength(2)

  const said = (await operator('erase-person', YSOLDE.email, 'APPLY=1')).join('\n')
  expect(said).toContain('payment: nothing to erase: 1 payments stay')
  expect(said).toContain('brand: 1 messages erased, 1 newsletters ended')
  expect(said).toContain('identity: the account is erased')
  expect((await visitor.post('/api/auth/login', { username: 'ysolde.q', password: PASSWORD })).status).toBe(401)
  expect(await kept(YSOLDE.email)).toMatchObject({ account: null, sessions: [], bookings: [], messages: [], newsletters: [] })

  const after = await eventually('account.erased', async () => {
    const places = await system.stores()
    const told = [...places].some(([place, content]) => place.startsWith('kafka') && content.includes('account.erased'))
    return told && places
  })
  for (const [place, content] of after) {
    // What was sent is in the person's own mailbox, and no copy of it is kept here. The files are looked at once the servers have ended.
    if (place === 'mails' || place.startsWith('file ')) continue
    for (const trace of TRACES) expect(content.match(trace)?.[0] ?? null, `${trace} in ${place}`).toBeNull()
  }

  // What accounting needs is still there, without the person; and who travelled along lost nothing.
  const admin = new Visitor(system.url)
  await admin.post('/api/auth/login', { username: 'admin', password: system.commands().adminPassword })
  const left = await admin.get<{ bookings: { charged: { amount: string }; traveller: string | null }[] }>(`/api/admin/bookings?q=${own}`)
  expect(left.body.bookings).toMatchObject([{ traveller: null, charged: { amount: expect.stringMatching(/^\d+/) } }])
  expect((await kept(PAUL.email)).bookings).toMatchObject([
    { bookingReference: pauls, contact: { lastName: 'Kerouac' }, documents: [{ passportNumber: '19KL56147' }, { passportNumber: null }] },
  ])

  expect(actionsIn(after.get('mongo identity.audit')).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['account-exported', 'account-erased']),
  )
  const erased = actionsIn(after.get('mongo booking.audit')).filter(({ action }) => action === 'person-erased')
  expect(erased.map(({ subject }) => subject).sort()).toEqual([own, pauls].sort())
  expect(actionsIn(after.get('mongo brand.audit')).filter(({ action }) => action === 'person-erased')).toHaveLength(2)
  const files = await system.filesAfterEnd()
  if (!process.env.MONGO_URL && !process.env.KAFKA_BROKERS) expect([...files.keys()].join()).toMatch(/mongo.*kafka/s)
  for (const [place, content] of files)
    for (const trace of TRACES) expect(content.match(trace)?.[0] ?? null, `${trace} in ${place}`).toBeNull()
})
