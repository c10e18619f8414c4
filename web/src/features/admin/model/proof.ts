/** What needs a fresh proof that it is the administrator: the mode and the markups. */
import { ApiError, api, messageOf } from '../../../lib/api-client.ts'

export type Failure = { title: string; description: string }

/** `password`: it must be typed (again); `refusal` is why the one that was given is not enough. */
export type Outcome =
  | { kind: 'done'; unverified?: Failure }
  | { kind: 'password'; refusal: string | null }
  | { kind: 'failed'; failure: Failure }

const UNVERIFIED: Failure = {
  title: 'Authentication Error',
  description: 'Could not verify admin privileges. Please try logging in again.',
}

type Login = Pick<typeof api, 'adminLogin'>

/** Refreshes the session's proof, with the password when it was typed. */
async function verify(password: string | undefined, calls: Login): Promise<Outcome> {
  try {
    const { success, message } = await calls.adminLogin({ body: password === undefined ? undefined : { password } })
    if (success) return { kind: 'done' }
    return { kind: 'failed', failure: { title: 'Authentication Failed', description: message } }
  } catch (error) {
    if (!(error instanceof ApiError)) return { kind: 'failed', failure: UNVERIFIED }
    if (error.code === 'REAUTH_REQUIRED') return { kind: 'password', refusal: null }
    if (error.code === 'INVALID_CREDENTIALS') return { kind: 'password', refusal: 'This password is not correct.' }
    if (error.code === 'LOGIN_SLOWED') return { kind: 'password', refusal: messageOf(error, '') }
    return { kind: 'failed', failure: UNVERIFIED }
  }
}

/** Proves who it is, then does the work; `failureOf` words what the server refuses. */
export async function withProof(
  password: string | undefined,
  work: () => Promise<unknown>,
  failureOf: (error: unknown) => Failure,
  calls: Login = api,
): Promise<Outcome> {
  const verified = await verify(password, calls)
  if (verified.kind !== 'done') return verified
  try {
    await work()
    return { kind: 'done' }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'REAUTH_REQUIRED') return { kind: 'password', refusal: null }
    return { kind: 'failed', failure: failureOf(error) }
  }
}

/** Switches between test and live, with a proof before and after. */
export async function switchMode(
  enableLiveMode: boolean,
  password?: string,
  calls: Pick<typeof api, 'adminLogin' | 'changeSettings'> = api,
): Promise<Outcome> {
  const outcome = await withProof(password, () => calls.changeSettings({ body: { enableLiveMode } }), modeFailure, calls)
  if (outcome.kind !== 'done') return outcome
  const after = await verify(undefined, calls)
  if (after.kind === 'done') return outcome
  return { kind: 'done', unverified: after.kind === 'failed' ? after.failure : UNVERIFIED }
}

function modeFailure(error: unknown): Failure {
  if (error instanceof ApiError && error.status === 409)
    return { title: 'Mode Change Failed', description: messageOf(error, 'The mode was not changed.') }
  return { title: 'Failed to Update', description: 'There was a problem saving your changes.' }
}
