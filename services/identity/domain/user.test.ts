import { createHash } from 'node:crypto'
import { ChangePassword, User } from '@passerelle/contracts/http/identity'
import { hasFourClasses } from '@passerelle/contracts/rules/password'
import { describe, expect, test } from 'vitest'
import { keyOf, madeUpPassword, newUser, toPublic, usernameFrom, verification, withBooking } from './user.ts'

/** 32 bytes that look random and are the same in every run. */
const bytes = (seed: number) => createHash('sha256').update(String(seed)).digest()

describe('made-up passwords', () => {
  const passwords = Array.from({ length: 2000 }, (_, seed) => madeUpPassword(bytes(seed)))

  test('R-45: have 16 characters and all four classes, whatever the bytes, and pass the rule for new passwords', () => {
    for (const password of passwords) {
      expect(password, password).toHaveLength(16)
      expect(hasFourClasses(password), password).toBe(true)
      expect(ChangePassword.shape.newPassword.safeParse(password).success, password).toBe(true)
    }
  })

  test('have no letters or digits that look alike, and do not repeat', () => {
    expect(passwords.filter((password) => /[IOl01]/.test(password))).toEqual([])
    expect(new Set(passwords).size).toBe(passwords.length)
  })

  test('do not keep the classes in one place', () => {
    for (let place = 0; place < 16; place++) {
      const here = passwords.map((password) => password[place] ?? '')
      for (const one of [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z0-9]/]) expect(here.some((letter) => one.test(letter))).toBe(true)
    }
  })

  test('are made from extreme bytes too', () => {
    for (const byte of [0, 127, 255]) expect(hasFourClasses(madeUpPassword(new Uint8Array(32).fill(byte)))).toBe(true)
  })
})

describe('made-up usernames', () => {
  test('R-43: come from the e-mail address and become unique with a number', () => {
    expect(usernameFrom('ines.moreau@example.org', 0)).toBe('ines.moreau')
    expect(usernameFrom('ines.moreau@example.org', 1)).toBe('ines.moreau2')
    expect(new Set(Array.from({ length: 500 }, (_, i) => usernameFrom('info@example.org', i))).size).toBe(500)
  })

  test('have at least three characters, at most the allowed number, and nothing odd', () => {
    for (const email of ['a@example.org', '"<b>"@example.org', 'é@example.org', '@', '', `${'x'.repeat(64)}@example.org`])
      for (const attempt of [0, 1, 999_999]) expect(usernameFrom(email, attempt)).toMatch(/^[A-Za-z0-9._-]{3,64}$/)
    expect(usernameFrom('ines+trips@example.org', 0)).toBe('inestrips')
  })
})

describe('accounts', () => {
  test('REG-10: names and addresses are the same in any case and form', () => {
    expect(keyOf('  InÈs ')).toBe(keyOf('inès'))
    expect(keyOf('ine\u0300s')).toBe(keyOf('in\u00e8s'))
    expect(keyOf('ines')).not.toBe(keyOf('inès'))
  })

  test('AAUTH-02: the public sees nothing of the password, of bookings or of our own fields', () => {
    const record = newUser({
      _id: 'usr_1',
      version: 3,
      username: 'ines',
      email: 'ines@example.org',
      emailVerifiedAt: new Date('2026-11-02T10:00:00Z'),
      firstName: 'Inès',
      lastName: 'Moreau',
      passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
      passwordChangedAt: new Date('2026-11-21T10:00:00Z'),
      mustChangePassword: false,
      createdAt: new Date('2026-11-01T10:00:00Z'),
      acceptedTermsAt: null,
      isAdmin: false,
      bookingId: 'bk_1',
      passwordTold: true,
      linkedBookings: ['bk_2'],
      waitingBookings: ['bk_3'],
    })
    const seen = toPublic(record)
    expect(User.strict().parse(seen)).toEqual(seen)
    expect(JSON.stringify(seen)).not.toMatch(/argon|bk_|hash/i)
  })
})

describe('bookings made with the address of an account', () => {
  const now = new Date('2026-11-21T10:00:00Z')
  const stranger = newUser({ _id: 'usr_1', username: 'mallory', email: 'ines@example.org', createdAt: now })
  const owner = { ...stranger, emailVerifiedAt: now }

  test('wait while the address is not verified', () => {
    expect(withBooking(stranger, 'bk_1')).toEqual({ waitingBookings: ['bk_1'] })
    expect(withBooking(owner, 'bk_1')).toEqual({ linkedBookings: ['bk_1'] })
  })

  test('join when it is, all that wait and each once', () => {
    const before = { ...stranger, linkedBookings: ['bk_0'], waitingBookings: ['bk_1', 'bk_2'] }
    expect(verification(before, now)).toEqual({
      change: { emailVerifiedAt: now, linkedBookings: ['bk_0', 'bk_1', 'bk_2'], waitingBookings: [] },
      joining: ['bk_1', 'bk_2'],
    })
    expect(verification({ ...before, emailVerifiedAt: now }, now)).toEqual({ change: {}, joining: [] })
  })

  test('are kept up to a number, the newest first', () => {
    const many = { ...stranger, waitingBookings: Array.from({ length: 50 }, (_, i) => `bk_${i}`) }
    const { waitingBookings } = withBooking(many, 'bk_new') as { waitingBookings: string[] }
    expect(waitingBookings).toHaveLength(50)
    expect(waitingBookings.at(-1)).toBe('bk_new')
    expect(waitingBookings).not.toContain('bk_0')
  })
})
