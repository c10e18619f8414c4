/** argon2id with the least parameters that OWASP allows, a few at a time: a hash costs a core some 20 ms. */
import { hash, verify } from '@node-rs/argon2'
import { guard } from '@passerelle/kit/resilience'

const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type Passwords = {
  hash(password: string): Promise<string>
  /** Takes as long for an unknown user (`stored` null) as for a known one. */
  verify(stored: string | null, password: string): Promise<boolean>
}

export async function createPasswords(): Promise<Passwords> {
  const limited = guard({
    name: 'password hash',
    timeoutMs: 10_000,
    concurrent: 4,
    queue: 64,
    breakAfter: 1000,
    refusal: 'UPSTREAM_UNAVAILABLE',
  })
  const nobody = await hash('nobody has this password', OPTIONS)
  return {
    hash: (password) => limited(() => hash(password, OPTIONS)),
    async verify(stored, password) {
      const matches = await limited(() => verify(stored ?? nobody, password))
      return stored !== null && matches
    },
  }
}
