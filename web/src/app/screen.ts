/** What the website knows of a screen before its code is here. */
import type { Brand } from '@passerelle/contracts/http/brand'
import type { ComponentType } from 'react'
import { administers } from '../lib/staff.ts'

/** everybody; user: somebody signed in, others are led to the sign-in and back; admin: others read "Access Denied" at home. */
type ScreenAccess = 'everybody' | 'user' | 'admin'

export type Screen = {
  path: string
  load: () => Promise<ComponentType>
  access: ScreenAccess
  /** A brand for which this is false has no such address. */
  enabled?: (brand: Brand) => boolean
  /** "<brand> - Flight Booking" by default. */
  title?: (brandName: string) => string
  description?: string
  /** Whether search engines may list it; they may by default. */
  robots?: 'noindex'
  /** Its first view is the same for everybody: it is rendered at build and stands in the page before any script has run. */
  prerendered?: true
  /** Without header and footer: it stands in a frame of another screen. */
  framed?: true
  /** Said while its code is on its way. */
  waiting?: string
}

export const DESCRIPTION = 'Compare airline fares, pay the total you see and call a person at any hour.'
export const WAITING = 'Loading'

type Head = { title: string; description: string; robots: 'noindex' | null }

/** Title, description and robots of a screen; of an unknown address without one. */
export function headOf(screen: Screen | undefined, brand: Pick<Brand, 'name'>): Head {
  return {
    title: screen?.title?.(brand.name) ?? `${brand.name} - Flight Booking`,
    description: screen?.description ?? DESCRIPTION,
    robots: screen ? (screen.robots ?? null) : 'noindex',
  }
}

/** What somebody gets to see of a screen; `user` is undefined while it is not known who they are. */
type Admission = 'in' | 'wait' | 'sign-in' | 'denied' | 'missing'

export function admit(
  { enabled, access }: Pick<Screen, 'enabled' | 'access'>,
  brand: Brand,
  user: Parameters<typeof administers>[0] | null | undefined,
): Admission {
  if (enabled?.(brand) === false) return 'missing'
  if (access === 'everybody') return 'in'
  if (user === undefined) return 'wait'
  if (access === 'admin') return user && administers(user) ? 'in' : 'denied'
  return user ? 'in' : 'sign-in'
}
