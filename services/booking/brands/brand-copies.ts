/** Brands for mails. All replicas share one copy of each, which `brand.changed` makes outdated. */
import type { brandApi } from '@passerelle/contracts/http/brand'
import { readBrand } from '@passerelle/contracts/rules/brand-values'
import type { Caller } from '@passerelle/kit/auth'
import type { Log } from '@passerelle/kit/log'
import type { MailBrand } from '@passerelle/kit/mail'
import type { Peer } from '@passerelle/kit/peer'
import { now, nowMs } from '@passerelle/kit/runtime'
import type { BrandCopy, BrandCopyStore } from './store.ts'

/** A copy is read again after so long whatever the bus has told: an event may be late. */
const FRESH_MS = 60_000

export type BrandCopyTools = { brands: Peer<typeof brandApi>; copies: BrandCopyStore; log: Log }
export type BrandOf = (key: string, caller: Caller) => Promise<MailBrand>

export function brandCopies({ brands, copies, log }: BrandCopyTools): BrandOf {
  return async (key, caller) => {
    const copy = await copies.find(key)
    if (isFresh(copy, key)) return brandIn(copy)
    try {
      const settings = await brands(caller).brandSettings({ params: { brandKey: key } })
      await copies.keep(key, settings, now())
      return settings
    } catch (err) {
      if (!copy?.settings) throw err
      log.warn({ err, brand: key }, 'the brand could not be read again: its copy serves')
      return brandIn(copy as Required<BrandCopy>)
    }
  }
}

/** A brand that is not served shows the default brand instead, of whose changes this key is not told. */
function isFresh(copy: BrandCopy | null, key: string): copy is Required<BrandCopy> {
  if (!copy?.settings || !copy.readAt) return false
  const { settings, changedTo = 0, readAt } = copy
  return settings.key === key && settings.version >= changedTo && nowMs() - readAt.getTime() < FRESH_MS
}

/** A copy of another release may lack values. */
function brandIn({ settings }: Pick<Required<BrandCopy>, 'settings'>): MailBrand {
  return { brand: readBrand(settings.brand, settings.key).brand, sender: settings.sender }
}
