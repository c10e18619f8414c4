/**
 * `node infra/chaos/double-submits.ts [rounds=50] [clicks=20] [calls=20] [at once=2]`: bookings that are submitted by so many clicks at
 * once, in every way that a visitor can, at both gateways of a system with two replicas of everything on real servers; then each is cancelled
 * by so many calls at once. Afterwards the suppliers' ledgers, the mailbox and the accounts have one of everything for each booking.
 */
import {
  booked,
  cancelled,
  cancelRound,
  differences,
  type Effects,
  type Round,
  type Shop,
  settled,
  submitRound,
  ways,
} from '@passerelle/local/double-effects.fixture'
import { finish, must, mustBeNone, ownFolder, say } from './campaign.ts'
import { addressOf, system } from './system.ts'

const [count = 50, clicks = 20, calls = 20, atOnce = 2] = process.argv.slice(2).map(Number)
const folder = ownFolder()
say(`data ${folder}`, { rounds: count, clicks, calls, atOnce })
const local = await system('processes', folder, {
  SERVERS: 'real',
  REPLICAS: '2',
  ACCOUNT_WITHIN_MS: '20000',
})
say(`started in ${await local.start()} ms`)
const shop: Shop = {
  gateways: ['gateway-1', 'gateway-2'].map((name) => addressOf(folder, name).url),
  duffel: local.duffel,
  stripe: local.stripe,
  mailbox: local.mailbox,
  mongoUrl: local.mongoUrl(),
}

/** Does `work` for every index, `atOnce` at a time, and tells how far it is. */
async function inTurns<T>(what: string, work: (index: number) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  let next = 0
  const goOn = async () => {
    for (let index = next++; index < count; index = next++) {
      done[index] = await work(index)
      if ((index + 1) % Math.ceil(count / 10) === 0) say(`${what}: ${index + 1} of ${count}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, goOn))
  return done
}

/** What the ledgers have, per way of submitting. */
function table(rounds: readonly Round[], of: Map<string, Effects>): void {
  const names = Object.keys(booked) as (keyof Effects)[]
  const sum = (some: readonly Round[], name: keyof Effects) =>
    some.reduce((total, { bookingId }) => total + (of.get(bookingId)?.[name] ?? 0), 0)
  const line = (cells: (string | number)[]) =>
    console.log(cells.map((cell, i) => String(cell)[i === 0 ? 'padEnd' : 'padStart'](i === 0 ? 28 : 14)).join(''))
  line(['', 'bookings', ...names])
  for (const way of ways) {
    const those = rounds.filter((round) => round.way === way)
    line([way, those.length, ...names.map((name) => sum(those, name))])
  }
  line(['all', rounds.length, ...names.map((name) => sum(rounds, name))])
}

async function mustSettle(what: string, rounds: readonly Round[], expected: Effects): Promise<void> {
  const found = await settled(shop, rounds, expected, 120)
  table(rounds, found.of)
  mustBeNone(what, differences(found, expected), () => true)
}

const began = performance.now()
const rounds = await inTurns('submitted', (index) => submitRound(shop, index, clicks))
say(`${count} x ${clicks} submits in ${Math.round((performance.now() - began) / 1000)} s`)
must('every booking is another one', new Set(rounds.map(({ bookingId }) => bookingId)).size === count)
mustBeNone('all clicks of a booking were told the same', rounds, ({ answers }) => answers.length !== 1)
await mustSettle('one order, one capture, one confirmation, one account and one welcome each; no hold is left', rounds, booked)

const outcomes = await inTurns('cancelled', (index) => cancelRound(shop, rounds[index] as Round, calls))
mustBeNone('all calls that cancel a booking were told the same', outcomes, ({ length }) => length !== 1)
await mustSettle('one cancellation, one refund and one mail of it each', rounds, cancelled)
finish()
