/**
 * Attempts to book whose end this browser has not shown yet: a key and a time, nothing of the traveller. They outlive a reload, so that
 * the next page can say what came of a payment that was left alone.
 */
import { useSyncExternalStore } from 'react'
import { readJson, remove, writeJson } from './storage.ts'

export type OpenAttempt = {
  /** The Idempotency-Key that was sent. */
  key: string
  /** Of the last request that was sent with it, in milliseconds since 1970. */
  sentAt: number
  /** Once it is known. */
  bookingId: string | null
}

const STORED = 'openBookingAttempts'
const KEPT = 5
/** The server tells a guest's own bookings for a day. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000
/** An attempt that has led to no booking this long after its last request never will. */
const FINAL_AFTER_MS = 60_000

/** Whether "no booking", asked for at `askedAt`, is the last word. Unknown attempts have none. */
export function isFinal(key: string, askedAt: number): boolean {
  const attempt = readAttempts().find((one) => one.key === key)
  return attempt !== undefined && askedAt - attempt.sentAt > FINAL_AFTER_MS
}

const isAttempt = (value: unknown): value is OpenAttempt => {
  const { key, sentAt, bookingId } = (value ?? {}) as Record<string, unknown>
  return typeof key === 'string' && typeof sentAt === 'number' && (bookingId === null || typeof bookingId === 'string')
}
const isList = (value: unknown): value is OpenAttempt[] => Array.isArray(value) && value.every(isAttempt)

/** Of this page, for browsers that store nothing. */
let ofThisPage: OpenAttempt[] = []

function readAttempts(now = Date.now()): OpenAttempt[] {
  const stored = readJson('local', STORED, isList) ?? ofThisPage
  return stored.filter(({ sentAt }) => now - sentAt < FORGOTTEN_AFTER_MS)
}

const listeners = new Set<() => void>()
/** Keys and booking ids that a screen of this page shows itself. */
const onScreen = new Map<string, () => void>()
let snapshot: readonly OpenAttempt[] = []
let read = false

function refresh(): void {
  const attempts = typeof window === 'undefined' ? [] : readAttempts()
  snapshot = attempts.filter(({ key, bookingId }) => !onScreen.has(key) && !(bookingId && onScreen.has(bookingId)))
  read = true
  for (const listener of listeners) listener()
}

function write(attempts: OpenAttempt[]): void {
  ofThisPage = attempts
  if (attempts.length > 0) writeJson('local', STORED, attempts.slice(-KEPT))
  else remove('local', STORED)
  refresh()
}

/** A request of this attempt is sent now. */
export function noteSent(key: string, now = Date.now()): void {
  const known = readAttempts(now).find((attempt) => attempt.key === key)
  write([...readAttempts(now).filter((attempt) => attempt.key !== key), { key, sentAt: now, bookingId: known?.bookingId ?? null }])
}

export function noteBooking(key: string, bookingId: string): void {
  write(readAttempts().map((attempt) => (attempt.key === key ? { ...attempt, bookingId } : attempt)))
}

/** The visitor knows how it ended. */
export function forgetAttempt(keyOrBooking: string): void {
  const attempts = readAttempts()
  const left = attempts.filter(({ key, bookingId }) => key !== keyOrBooking && bookingId !== keyOrBooking)
  if (left.length < attempts.length) write(left)
}

/** Nothing more is sent with this key, and nobody has seen its end yet. */
export function noteOver(key: string): void {
  write(readAttempts().map((attempt) => (attempt.key === key ? { ...attempt, sentAt: attempt.sentAt - FINAL_AFTER_MS } : attempt)))
}

/** A screen shows this attempt or booking until the returned function is called; other tabs see so where the browser has locks. */
export function showOnScreen(keyOrBooking: string): () => void {
  onScreen.get(keyOrBooking)?.()
  let letGo: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  void globalThis.navigator?.locks?.request(lockOf(keyOrBooking), { mode: 'shared' }, () => held)
  const release = () => {
    if (onScreen.get(keyOrBooking) !== release) return
    onScreen.delete(keyOrBooking)
    letGo()
    refresh()
  }
  onScreen.set(keyOrBooking, release)
  refresh()
  return release
}

const lockOf = (key: string) => `booking-attempt:${key}`

/** Whether another tab of this browser shows it. */
export async function isShownElsewhere(key: string): Promise<boolean> {
  const held = (await navigator.locks?.query())?.held ?? []
  return held.some(({ name }) => name === lockOf(key))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', refresh)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', refresh)
  }
}

function current(): readonly OpenAttempt[] {
  if (!read) refresh()
  return snapshot
}

const NONE: readonly OpenAttempt[] = []

/** Those that no screen of this page shows. */
export function useOpenAttempts(): readonly OpenAttempt[] {
  return useSyncExternalStore(subscribe, current, () => NONE)
}
