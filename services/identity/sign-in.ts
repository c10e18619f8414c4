/** Checking a password that somebody claims to know, with what slows guessing down. */

import { AppError } from '@passerelle/contracts/error'
import { networkOf } from '@passerelle/contracts/rules/network'
import type { Caller } from '@passerelle/kit/auth'
import { hashToken } from '@passerelle/kit/auth'
import { now } from '@passerelle/kit/runtime'
import type { AccountTools } from './accounts.ts'
import { ACCOUNT, ACCOUNT_AND_NETWORK, type Failures, isForgotten, NETWORK, type Throttle, waitBeforeNext } from './domain/throttle.ts'
import type { UserRecord } from './domain/user.ts'

/** For so long the network of a successful sign-in is not held up by failures from elsewhere. */
const KNOWN_NETWORK_MS = 30 * 86_400_000

export type Attempt = {
  /** Null: nobody has this name. */
  user: UserRecord | null
  /** What was typed as the name. */
  name: string
  password: string
  caller: Caller
  /** What a wrong password is refused with. */
  wrong?: 'INVALID_CREDENTIALS' | 'PASSWORD_WRONG'
}

type Count = { throttle: Throttle; key: string }

/**
 * The same message and the same work whether the user is unknown or the password wrong.
 * @throws LOGIN_SLOWED, and `wrong`
 */
export async function checkPassword(
  { user, name, password, caller, wrong = 'INVALID_CREDENTIALS' }: Attempt,
  tools: AccountTools,
): Promise<void> {
  const { store, passwords } = tools
  const who = user?._id ?? name
  const network = networkOf(caller.ip)
  // Hashed: people type their password into the wrong field, too.
  const here: Count = { throttle: ACCOUNT_AND_NETWORK, key: hashToken(`${who}|${network}`) }
  const neighbours: Count = { throttle: NETWORK, key: hashToken(`network|${network}`) }
  const everywhere: Count = { throttle: ACCOUNT, key: hashToken(`account|${who}`) }
  const isKnown = await store.knowsNetwork(here.key, now())
  const slows = (count: Count) => !(isKnown && count === everywhere)

  for (const count of [here, neighbours, everywhere]) {
    const failures = await store.failuresOf(count.key)
    if (failures && isForgotten(count.throttle, failures, now())) await store.forgetFailures(count.key, failures.lastAt)
    else if (slows(count)) refuseWhileSlowed(count, failures, now())
  }
  // Counted as a failure before it is tried: a hundred attempts at once get no more tries than a hundred in a row.
  refuseWhileSlowed(here, await store.noteFailure(here.key, now()), now())
  if (!(await passwords.verify(user?.passwordHash ?? null, password))) {
    await store.noteFailure(neighbours.key, now())
    const before = await store.noteFailure(everywhere.key, now())
    if (user && before) await warnOwner(user, before, tools)
    throw new AppError(wrong)
  }
  await store.forgetFailures(here.key)
  await store.rememberNetwork(here.key, new Date(now().getTime() + KNOWN_NETWORK_MS))
}

function refuseWhileSlowed({ throttle }: Count, failures: Failures | null, now: Date): void {
  const waitMs = waitBeforeNext(throttle, failures, now)
  if (waitMs > 0) throw new AppError('LOGIN_SLOWED', { retryAfter: Math.ceil(waitMs / 1000) })
}

/** Once each time that the account's figure is met: the queue knows the mail by the time of the first failure. */
async function warnOwner(user: UserRecord, before: Failures, { mails }: AccountTools): Promise<void> {
  if (before.count + 1 >= ACCOUNT.free) await mails.enqueue('many-failures', `${user._id}:${before.since.getTime()}`)
}
